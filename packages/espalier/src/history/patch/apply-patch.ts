/**
 * Changing a world as a patch says: all of it, or nothing.
 */

import {
  type AnyComponent,
  type AnyInit,
  type Component,
  type Entity,
  type Field,
  fieldTypeOf,
  formatEntity,
  generationOf,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import { INDEX_MASK, initOf, isHandle, readPlaces, revive, stateOf, writeRaw } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { moveUnchecked, treeOf } from "../../hierarchy/internal.ts";
import {
  findComponent,
  requireComponents,
  requireOptions,
  requireOwnTrees,
  requireWorld,
} from "../arguments.ts";
import { InvalidPatchError, SnapshotMismatchError } from "../errors.ts";
import { attachBehind } from "../snapshot/arrange.ts";
import { makePlaces } from "../snapshot/restore.ts";
import { readValue } from "../snapshot/state-codec.ts";
import { type AnyTree, hasChildren } from "../state.ts";
import { requireSettled } from "../undo/recording.ts";
import { transaction } from "../undo/transaction.ts";
import { countRestored } from "../undo/unrecorded.ts";
import { ownOf } from "../values/own-keys.ts";
import { forEachReferenceTo } from "../values/references.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import { type KeyFunction, type StateReader, setDistinct } from "./keyed-state.ts";
import {
  type FieldValues,
  type Key,
  type Patch,
  type PatchPlace,
  requirePatch,
  setsComponent,
} from "./patch.ts";
import { inOrder, type Placement } from "./placements.ts";

/** Options of `applyPatch`. */
export interface PatchOptions {
  /** The hierarchies that the patch speaks of. */
  readonly trees?: readonly AnyTree[];
  /** Which entity a key means, as for `diff`. Handles if left out: entities are then created with exactly theirs. */
  readonly key?: KeyFunction;
  /** Components that the patch names and the world has not met yet. */
  readonly components?: readonly AnyComponent[];
  /** How to read what was written by a codec, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
}

/**
 * Applies what `diff` gave, or a patch from anywhere: entries in any order, those of later entities included. All or
 * nothing, in one transaction. Rules of the hierarchies hold.
 *
 * @returns The entities that were added, by key.
 * @throws InvalidPatchError, SnapshotMismatchError, DuplicateKeyError, and whatever the world or a hierarchy refuses;
 * nothing has changed then.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const added = applyPatch(
 *   world,
 *   [
 *     { op: "add", id: "gun", components: {}, places: { tree: { parent: "tank" } } },
 *     { op: "add", id: "tank", components: { Health: { hp: 80 } }, places: {} },
 *   ],
 *   { trees: [tree], components: [Health], key: (entity) => tree.nameOf(entity) },
 * );
 * tree.parentOf(added.get("gun")!) === added.get("tank"); // → true
 * ```
 */
export function applyPatch(world: World, patch: Patch, options: PatchOptions = {}): ReadonlyMap<Key, Entity> {
  requireWorld(world, "apply a patch");
  requireOptions(world.checks, options, "apply a patch", ["world", "trees", "key", "components", "codecs"]);
  requireComponents(options.components, "apply a patch");
  requireOwnTrees(world, options.trees);
  requireSettled(world, "apply a patch");
  countRestored(world);
  return transaction(world, () => new Application(world, requirePatch(patch), options).run());
}

class Application {
  private readonly world: World;
  private readonly patch: Patch;
  private readonly options: PatchOptions;
  /** Every entity that has a key; where keys are handles, those that were added. */
  private readonly entities = new Map<Key, Entity>();
  private readonly added = new Map<Key, Entity>();
  /** References between entities, written when all are there. */
  private readonly references: (() => void)[] = [];

  constructor(world: World, patch: Patch, options: PatchOptions) {
    this.world = world;
    this.patch = patch;
    this.options = options;
    if (options.key === undefined) return;
    const reader = readerOf(world, options.trees ?? []);
    for (const entity of world.entities()) {
      const key = options.key(entity, reader);
      if (key !== undefined) setDistinct(this.entities, key, entity);
    }
  }

  run(): ReadonlyMap<Key, Entity> {
    const trees = this.treesUsed();
    this.remove(trees);
    this.create();
    for (const tree of trees) this.place(tree);
    for (const entry of this.patch) {
      if (entry.op === "set" && setsComponent(entry)) {
        this.setComponent(this.entity(entry.id), entry.component, entry.values);
      }
    }
    for (const write of this.references) write();
    return this.added;
  }

  /** The hierarchies that the patch speaks of. */
  private treesUsed(): AnyTree[] {
    const names = new Set<string>();
    for (const entry of this.patch) {
      if (entry.op === "add") for (const name of Object.keys(entry.places)) names.add(name);
      else if ("tree" in entry && entry.tree !== undefined) names.add(entry.tree);
    }
    return Array.from(names, (name) => {
      const tree = this.options.trees?.find((each) => each.name === name);
      if (tree !== undefined) return tree;
      throw new SnapshotMismatchError(
        `Cannot apply a patch: it refers to hierarchy ${name}, which was not given. Give it in trees.`,
      );
    });
  }

  private entity(key: Key): Entity {
    const entity = this.options.key === undefined ? (key as Entity) : this.entities.get(key);
    if (entity !== undefined && this.world.isAlive(entity)) return entity;
    const name = typeof key === "number" ? formatEntity(key) : JSON.stringify(key);
    throw new InvalidPatchError(
      `Cannot apply a patch: there is no entity ${name}. Apply it to the state it was made for.`,
    );
  }

  private remove(trees: readonly AnyTree[]): void {
    const { patch, world } = this;
    const removals = patch.filter((entry) => entry.op === "remove");
    if (removals.length === 0) return;
    const doomed = new Set<Entity>();
    /** By hierarchy: those that get another parent there. */
    const movedIn = new Map(
      trees.filter(hasChildren).map((tree) => {
        const moves = patch.filter((entry) => entry.op === "move" && entry.tree === tree.name);
        return [tree, new Set(moves.map(({ id }) => this.entity(id)))];
      }),
    );
    for (const { id, tree: name } of removals) {
      doomed.add(this.entity(id));
      for (const [tree, moved] of movedIn) {
        if (tree.name !== name) continue;
        const walk = tree.descendants(this.entity(id));
        for (const entity of walk) {
          if (moved.has(entity)) walk.skip();
          else doomed.add(entity);
        }
      }
    }
    for (const [tree, moved] of movedIn) {
      for (const entity of moved) {
        const parent = tree.parentOf(entity);
        if (parent !== null && doomed.has(parent)) moveUnchecked(tree, entity);
      }
    }
    for (const entity of [...doomed].reverse()) world.destroy(entity);
  }

  private create(): void {
    const { world, entities } = this;
    const hasKeys = this.options.key !== undefined;
    const additions = this.patch.filter((entry) => entry.op === "add");
    if (!hasKeys) {
      const made = additions.map(({ id }) => {
        if (isHandle(id) && !world.isAlive(id)) return id;
        throw cannotAdd(id);
      });
      dropStaleReferences(world, made);
      makePlaces(world, made);
    }
    for (const { id, components } of additions) {
      if (entities.has(id)) throw cannotAdd(id);
      const inits = Object.entries(components).map(([name, values]) =>
        this.initOf(name, values, () => entities.get(id) as Entity),
      );
      if (!hasKeys) revive(stateOf(world), id as Entity, inits);
      const entity = hasKeys ? world.spawn(...inits) : (id as Entity);
      this.added.set(id, entity);
      entities.set(id, entity);
    }
  }

  private place(tree: AnyTree): void {
    const { name } = tree;
    const placements: Placement[] = [];
    const names = new Map<Entity, string | null>();
    for (const entry of this.patch) {
      const child = entry.op === "remove" ? (0 as Entity) : this.entity(entry.id);
      if (entry.op === "add") {
        const place = ownOf(entry.places, name);
        if (place !== undefined) placements.push({ child, ...this.target(place) });
        if (place?.name !== undefined) names.set(child, place.name);
      } else if (entry.op === "move" && entry.tree === name) {
        placements.push({ child, ...this.target(entry) });
      } else if (entry.op === "reorder" && entry.tree === name) {
        const { after } = this.target({ parent: null, after: entry.after });
        placements.push({ child, parent: tree.parentOf(child), after });
      } else if (entry.op === "set" && !setsComponent(entry) && entry.tree === name) {
        names.set(child, entry.name);
      }
    }
    const ordered = inOrder(placements, tree, (entity) => this.label(entity));
    if (!hasChildren(tree)) {
      for (const { child } of ordered) tree.detach(child);
      for (const { child, parent } of ordered) tree.attach(child, parent);
      return;
    }
    takeNamesOff(tree, ordered, names);
    if (tree.limits.maxChildren !== undefined) makeRoom(tree, ordered);
    for (const { child, parent, after } of ordered) attachBehind(tree, child, parent, after);
    for (const [entity, own] of names) tree.setName(entity, own ?? undefined);
  }

  private target({ parent, after }: PatchPlace): Omit<Placement, "child"> {
    const optional = (key: Key | null) => (key === null ? null : this.entity(key));
    return { parent: optional(parent), after: after === undefined ? undefined : optional(after) };
  }

  /** An entity as the patch calls it. */
  private label(entity: Entity): string {
    if (this.options.key === undefined) return formatEntity(entity);
    for (const [key, other] of this.entities) if (other === entity) return JSON.stringify(key);
    return formatEntity(entity);
  }

  private setComponent(entity: Entity, name: string, values: FieldValues | null): void {
    const { world } = this;
    const component = findComponent(world, name, this.options.components);
    if (values === null) {
      world.remove(entity, component);
      return;
    }
    const init = this.initOf(name, values, () => entity);
    if (world.has(entity, component)) world.set(entity, component as Component<Schema>, init.values ?? {});
    else world.add(entity, init);
  }

  /** The component with its values; references to entities wait until all are there. */
  private initOf(name: string, values: FieldValues, entity: () => Entity): AnyInit {
    const component = findComponent(this.world, name, this.options.components);
    const decoded: [field: string, value: unknown][] = [];
    for (const [field, value] of Object.entries(values)) {
      const spec = ownOf(component.schema, field) as Field | undefined;
      const type = spec === undefined ? undefined : fieldTypeOf(spec);
      if (type?.valueKind === "entity") {
        this.references.push(() => {
          const target = value === null ? null : this.entity(value as Key);
          this.world.set(entity(), component as Component<Schema>, { [field]: target });
        });
      } else if (type?.valueKind === "object") {
        decoded.push([field, readValue(value, this.options.codecs?.[`${name}.${field}`])]);
      } else decoded.push([field, type?.fromPatch === undefined ? value : type.fromPatch(value)]);
    }
    return initOf(component, Object.fromEntries(decoded));
  }
}

/**
 * Who referred to an entity that died holds its handle still and reads nothing. When another one is made with that handle, it
 * must not become what they refer to: the patch says what refers to it.
 */
function dropStaleReferences(world: World, made: readonly Entity[]): void {
  const { generations } = readPlaces(stateOf(world).table);
  const before = new Set<number>();
  for (const entity of made) {
    if (generationOf(entity) < (generations[entity & INDEX_MASK] ?? 0)) before.add(entity);
  }
  forEachReferenceTo(stateOf(world), before, (entity, store, field) => {
    writeRaw(stateOf(world), entity, store, field, 0);
  });
}

/** Where names must be unique, they are taken off what changes and put on at the end: two may exchange theirs. */
function takeNamesOff(
  tree: Hierarchy,
  ordered: readonly Placement[],
  names: Map<Entity, string | null>,
): void {
  if (!treeOf(tree).names.unique) return;
  for (const { child } of ordered) {
    const name = tree.nameOf(child);
    if (name !== undefined && !names.has(child)) names.set(child, name);
  }
  for (const entity of names.keys()) tree.setName(entity, undefined);
}

/** Where the number of children is limited, those that go elsewhere leave before others come. */
function makeRoom(tree: Hierarchy, ordered: readonly Placement[]): void {
  for (const { child, parent } of ordered) {
    if (tree.parentOf(child) !== parent) moveUnchecked(tree, child);
  }
}

function cannotAdd(id: Key): InvalidPatchError {
  return new InvalidPatchError(
    `Cannot apply a patch: it adds ${JSON.stringify(id)}, which is there already or is not a handle. Apply it to the state it was made for, or give a key function.`,
  );
}

function readerOf(world: World, trees: readonly AnyTree[]): StateReader {
  return {
    get(entity, name) {
      const component = stateOf(world).componentNamed(name) as Component<Schema> | undefined;
      return component === undefined ? undefined : world.get(entity, component);
    },
    nameOf(entity, name) {
      const tree = trees.find((each) => each.name === name);
      return tree !== undefined && hasChildren(tree) ? tree.nameOf(entity) : undefined;
    },
  };
}
