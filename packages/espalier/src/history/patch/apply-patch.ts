/**
 * Changing a world as a patch says: all of it, or nothing.
 */

import {
  type AnyComponent,
  type AnyInit,
  type Component,
  describeValue,
  type Entity,
  type Field,
  fieldTypeOf,
  formatEntity,
  generationOf,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import {
  type HeldRefs,
  INDEX_MASK,
  initOf,
  isHandle,
  overrule,
  readPlaces,
  revive,
  stateOf,
  withoutTargets,
  writeRaw,
} from "../../ecs/internal.ts";
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
import { columnOf, forEachReferenceTo } from "../values/held.ts";
import { ownOf } from "../values/own-keys.ts";
import { fromJson, type Json, type ValueCodec } from "../values/value-codec.ts";
import { type KeyFunction, type StateReader, setDistinct } from "./keyed-state.ts";
import { type FieldValues, type Key, type Patch, requirePatch, setsComponent } from "./patch.ts";
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
  return transaction(world, () => apply(world, requirePatch(patch), options));
}

type EntityOf = (key: Key) => Entity;
/** The component with its values, for the entity of a key. References to entities wait until all are there. */
type InitOf = (key: Key, component: string, values: FieldValues) => AnyInit;

function apply(world: World, patch: Patch, { key, trees: given = [], components, codecs }: PatchOptions) {
  const trees = treesIn(patch, given);
  /** Every entity that has a key; only where keys are not handles. */
  const entities = key === undefined ? undefined : entitiesByKey(world, key, given);
  const references: (() => void)[] = [];
  const entityOf: EntityOf = (id) => {
    const entity = entities === undefined ? (id as Entity) : entities.get(id);
    if (entity !== undefined && world.isAlive(entity)) return entity;
    const name = typeof id === "number" ? formatEntity(id) : describeValue(id);
    throw new InvalidPatchError(
      `Cannot apply a patch: there is no entity ${name}. Apply it to the state it was made for.`,
      { subject: name },
    );
  };
  const initFor: InitOf = (id, name, values) => {
    const component = findComponent(world, name, components);
    const decoded: [field: string, value: unknown][] = [];
    for (const [field, value] of Object.entries(values)) {
      const spec = ownOf(component.schema, field) as Field | undefined;
      if (spec === undefined) {
        throw new SnapshotMismatchError(
          `Cannot apply a patch: it sets ${name}.${field}, and ${name} has no such field. Use the same definition on both sides.`,
          { component: name, field },
        );
      }
      const type = fieldTypeOf(spec);
      if (type.valueKind === "entity") {
        references.push(() => {
          const target = value === null ? null : entityOf(value as Key);
          world.set(entityOf(id), component as Component<Schema>, { [field]: target });
        });
      } else if (type.valueKind === "entities") {
        references.push(() => {
          const items = requirePairs(value, `${name}.${field}`).map((item) =>
            isPair(item) ? { ...(fromJson(item) as object), target: entityOf(item.target) } : entityOf(item),
          );
          world.set(entityOf(id), component as Component<Schema>, { [field]: items });
        });
      } else if (type.valueKind === "object") {
        decoded.push([field, readValue(value, codecs?.[`${name}.${field}`])]);
      } else decoded.push([field, type.fromPatch === undefined ? value : type.fromPatch(value)]);
    }
    return initOf(component, Object.fromEntries(decoded));
  };
  /** An entity as the patch calls it. */
  const label = (entity: Entity) => {
    const found = [...(entities ?? [])].find(([, other]) => other === entity);
    return found === undefined ? formatEntity(entity) : describeValue(found[0]);
  };

  // The patch lists everything that goes: policies of relations are those of the world it was made in.
  overrule(stateOf(world), () => remove(world, patch, trees, entityOf));
  const added = create(world, patch, entities, initFor);
  for (const tree of trees) place(patch, tree, entityOf, label);
  for (const entry of patch) {
    if (entry.op !== "set" || !setsComponent(entry)) continue;
    const entity = entityOf(entry.id);
    const component = findComponent(world, entry.component, components) as Component<Schema>;
    if (entry.values === null) world.remove(entity, component);
    else {
      const init = initFor(entry.id, entry.component, entry.values);
      if (world.has(entity, component)) world.set(entity, component, init.values ?? {});
      else world.add(entity, init);
    }
  }
  for (const write of references) write();
  return added;
}

/** The hierarchies that a patch speaks of. */
function treesIn(patch: Patch, given: readonly AnyTree[]): AnyTree[] {
  const names = patch.flatMap((entry) => {
    if (entry.op === "add") return Object.keys(entry.places);
    return "tree" in entry && entry.tree !== undefined ? [entry.tree] : [];
  });
  return Array.from(new Set(names), (name) => {
    const tree = given.find((each) => each.name === name);
    if (tree !== undefined) return tree;
    throw new SnapshotMismatchError(
      `Cannot apply a patch: it refers to hierarchy ${name}, which was not given. Give it in trees.`,
      { subject: name },
    );
  });
}

function entitiesByKey(world: World, keyOf: KeyFunction, trees: readonly AnyTree[]): Map<Key, Entity> {
  const entities = new Map<Key, Entity>();
  const reader: StateReader = {
    get(entity, name) {
      const component = stateOf(world).componentNamed(name) as Component<Schema> | undefined;
      return component === undefined ? undefined : world.get(entity, component);
    },
    nameOf(entity, name) {
      const tree = trees.find((each) => each.name === name);
      return tree !== undefined && hasChildren(tree) ? tree.nameOf(entity) : undefined;
    },
  };
  for (const entity of world.entities()) {
    const key = keyOf(entity, reader);
    if (key !== undefined) setDistinct(entities, key, entity);
  }
  return entities;
}

function remove(world: World, patch: Patch, trees: readonly AnyTree[], entityOf: EntityOf): void {
  const removals = patch.filter((entry) => entry.op === "remove");
  if (removals.length === 0) return;
  const doomed = new Set<Entity>();
  /** By hierarchy: those that get another parent there. */
  const movedIn = new Map(
    trees.filter(hasChildren).map((tree) => {
      const moves = patch.filter((entry) => entry.op === "move" && entry.tree === tree.name);
      return [tree, new Set(moves.map(({ id }) => entityOf(id)))];
    }),
  );
  for (const { id, tree: name } of removals) {
    doomed.add(entityOf(id));
    for (const [tree, moved] of movedIn) {
      if (tree.name !== name) continue;
      const walk = tree.descendants(entityOf(id));
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

/** @param entities - Those that are there, by key; without, keys are the handles that they shall have. */
function create(
  world: World,
  patch: Patch,
  entities: Map<Key, Entity> | undefined,
  initFor: InitOf,
): Map<Key, Entity> {
  const additions = patch.filter((entry) => entry.op === "add");
  const added = new Map<Key, Entity>();
  if (entities === undefined) {
    const made = additions.map(({ id }) => {
      if (isHandle(id) && !world.isAlive(id)) return id;
      throw cannotAdd(id);
    });
    dropStaleReferences(world, made);
    makePlaces(world, made);
  }
  for (const { id, components } of additions) {
    if (added.has(id) || entities?.has(id)) throw cannotAdd(id);
    const inits = Object.entries(components).map(([name, values]) => initFor(id, name, values));
    if (entities === undefined) revive(stateOf(world), id as Entity, inits);
    const entity = entities === undefined ? (id as Entity) : world.spawn(...inits);
    added.set(id, entity);
    entities?.set(id, entity);
  }
  return added;
}

function place(patch: Patch, tree: AnyTree, entityOf: EntityOf, label: (entity: Entity) => string): void {
  const placements: Placement[] = [];
  const names = new Map<Entity, string | null>();
  const optional = (key: Key | null) => (key === null ? null : entityOf(key));
  const add = (child: Entity, parent: Entity | null, after: Key | null | undefined) =>
    placements.push({ child, parent, after: after === undefined ? undefined : optional(after) });
  for (const entry of patch) {
    if (entry.op === "remove") continue;
    const child = entityOf(entry.id);
    if (entry.op === "add") {
      const own = ownOf(entry.places, tree.name);
      if (own !== undefined) add(child, optional(own.parent), own.after);
      if (own?.name !== undefined) names.set(child, own.name);
    } else if (!("tree" in entry) || entry.tree !== tree.name) continue;
    else if (entry.op === "move") add(child, optional(entry.parent), entry.after);
    else if (entry.op === "reorder") add(child, tree.parentOf(child), entry.after);
    else if (!setsComponent(entry)) names.set(child, entry.name);
  }
  const ordered = inOrder(placements, tree, label);
  if (!hasChildren(tree)) {
    for (const { child } of ordered) tree.detach(child);
    for (const { child, parent } of ordered) tree.attach(child, parent);
    return;
  }
  takeNamesOff(tree, ordered, names);
  if (tree.limits.maxChildren !== undefined) {
    // Those that go elsewhere leave before others come.
    for (const { child, parent } of ordered) if (tree.parentOf(child) !== parent) moveUnchecked(tree, child);
  }
  for (const { child, parent, after } of ordered) attachBehind(tree, child, parent, after);
  for (const [entity, own] of names) tree.setName(entity, own ?? undefined);
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
    const held = columnOf(store, field)[store.rowOf(entity & INDEX_MASK)];
    const isGone = (target: Entity) => before.has(target);
    const rest = typeof held === "object" ? withoutTargets(held as HeldRefs, isGone) : 0;
    writeRaw(stateOf(world), entity, store, field, rest);
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

/** A target with the data of its pair, as patches hold it. */
type PatchPair = { readonly target: Key } & { readonly [name: string]: Json };

function isPair(item: Key | PatchPair): item is PatchPair {
  return typeof item === "object";
}

function requirePairs(value: unknown, what: string): readonly (Key | PatchPair)[] {
  const isKey = (key: unknown) => typeof key === "number" || typeof key === "string";
  const isItem = (item: unknown) => isKey(item) || isKey((Object(item) as { target?: unknown }).target);
  if (Array.isArray(value) && value.every(isItem)) return value as (Key | PatchPair)[];
  throw new InvalidPatchError(
    `Cannot apply a patch: it sets ${what} to ${describeValue(value)}. Give an array of keys, or of pairs with a target.`,
    { value },
  );
}

function cannotAdd(id: Key): InvalidPatchError {
  return new InvalidPatchError(
    `Cannot apply a patch: it adds ${describeValue(id)}, which is there already or is not a handle. Apply it to the state it was made for, or give a key function.`,
    { value: id },
  );
}
