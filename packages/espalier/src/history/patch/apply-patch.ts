/**
 * Applying a patch to a world: all of it, or nothing.
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
  asOneCallOrNone,
  type HeldRefs,
  INDEX_MASK,
  initOf,
  isHandle,
  overrule,
  readIndexState,
  revive as reviveAt,
  stateOf,
  withoutTargets,
  writeRaw,
} from "../../ecs/internal.ts";
import { type Hierarchy, limitsOf } from "../../hierarchy/index.ts";
import { moveUnchecked, treeOf } from "../../hierarchy/internal.ts";
import {
  findComponent,
  requireComponents,
  requireOptions,
  requireOwnTrees,
  requirePart,
  requireWorld,
} from "../arguments.ts";
import { InvalidHistoryError, InvalidPatchError, SnapshotMismatchError } from "../errors.ts";
import { attachBehind } from "../snapshot/minimal-moves.ts";
import { makeIndices } from "../snapshot/restore.ts";
import { readValue } from "../snapshot/state-codec.ts";
import { type AnyTree, hasChildren } from "../state.ts";
import { requireSettled } from "../undo/recording.ts";
import { transaction } from "../undo/transaction.ts";
import { countRestored } from "../undo/unrecorded.ts";
import { columnOf, forEachReferenceTo } from "../values/held.ts";
import { ownOf } from "../values/own-keys.ts";
import { fromJson, type Json, type ValueCodec } from "../values/value-codec.ts";
import { createIdMap, type IdMap, requireIdMap } from "./id-map.ts";
import { type KeyFunction, setDistinct } from "./keyed-state.ts";
import {
  type FieldValues,
  type Key,
  requireStreamPatch,
  type SetEntry,
  type StreamPatch,
  setsComponent,
} from "./patch.ts";
import { inOrder, type Placement } from "./placements.ts";
import { RuleReport, type Violation } from "./rule-report.ts";
import { worldReader } from "./world-reader.ts";
import { setsOf, writeColumns } from "./write-columns.ts";

/** Options of `applyPatch`. */
export interface PatchOptions {
  /** The hierarchies that the patch refers to. */
  readonly trees?: readonly AnyTree[];
  /** Which entity a key means, as for `diff`. Handles if left out: entities are then created with exactly theirs. */
  readonly key?: KeyFunction;
  /** Components that the patch names and the world does not know yet. */
  readonly components?: readonly AnyComponent[];
  /** How to read what was written by a codec, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /**
   * Which entity each key means here, instead of `key`. It is updated: added entities are created and registered, removed ones
   * dropped. The world may have entities of its own, and is never searched.
   */
  readonly ids?: IdMap;
  /**
   * `"refuse"` (the default): breaking a rule of the world is an error. `"report"`: the patch was decided elsewhere, so it is applied
   * anyway, and violations of rules are listed. The tree stays a tree in any case.
   */
  readonly rules?: "refuse" | "report";
}

/** The result of `applyPatch` with `rules: "report"`. */
export interface AppliedPatch {
  /** The entities that were added, by key. */
  readonly added: ReadonlyMap<Key, Entity>;
  /** Entries that break a rule of this world, or that were left out because the tree would no longer be a tree. */
  readonly violations: readonly Violation[];
}

/**
 * Applies what was decided elsewhere, by an authority or a merge: entries that break a rule of this world are applied and listed.
 * Otherwise all or nothing.
 */
export function applyPatch(
  world: World,
  patch: StreamPatch,
  options: PatchOptions & { readonly rules: "report" },
): AppliedPatch;
/**
 * Applies a patch of `diff`, or of any other source: entries in any order, even if they refer to entities added later. All or
 * nothing, in one transaction. The rules of the hierarchies apply.
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
 *     { op: "add", id: "gun", components: {}, positions: { tree: { parent: "tank" } } },
 *     { op: "add", id: "tank", components: { Health: { hp: 80 } }, positions: {} },
 *   ],
 *   { trees: [tree], components: [Health], key: (entity) => tree.nameOf(entity) },
 * );
 * tree.parentOf(added.get("gun")!) === added.get("tank"); // → true
 * ```
 */
export function applyPatch(
  world: World,
  patch: StreamPatch,
  options?: PatchOptions,
): ReadonlyMap<Key, Entity>;
export function applyPatch(
  world: World,
  patch: StreamPatch,
  options: PatchOptions = {},
): AppliedPatch | ReadonlyMap<Key, Entity> {
  requireWorld(world, "apply a patch");
  requireOptions(world.checks, options, "apply a patch", [
    "world",
    "trees",
    "key",
    "components",
    "codecs",
    "ids",
    "rules",
  ]);
  requireComponents(options.components, "apply a patch");
  requireOwnTrees(world, options.trees);
  requireIdMap(options.ids, "apply a patch");
  requireRules(options.rules, "apply a patch");
  const { rules, ids, key } = options;
  if (ids !== undefined && key !== undefined) {
    throw new InvalidHistoryError("Cannot apply a patch with both ids and key. Leave one of them out.", {
      option: "key",
    });
  }
  requireSettled(world, "apply a patch");
  countRestored(world);
  const checked = requireStreamPatch(patch);
  const run = () =>
    transaction(world, () =>
      rules === "report" ? applyWithReport(world, checked, options) : apply(world, checked, options),
    );
  return ids === undefined ? run() : ids.allOrNothing(run);
}

/** @throws InvalidHistoryError */
export function requireRules(rules: unknown, doing: string): void {
  requirePart(rules === "report" || rules === "refuse", doing, 'rules is "refuse" or "report"', rules);
}

function applyWithReport(world: World, patch: StreamPatch, options: PatchOptions): AppliedPatch {
  const report = new RuleReport(world, options.trees ?? []);
  // Observers run when the rules are enforced again.
  return asOneCallOrNone(stateOf(world), () => {
    const added = report.withoutRules(() => apply(world, patch, options, report));
    return { added, violations: report.violations() };
  });
}

type EntityOf = (key: Key) => Entity;
/** The component with its values, for the entity of a key. References to entities are set when all exist. */
type InitOf = (key: Key, component: string, values: FieldValues) => AnyInit;

function apply(
  world: World,
  patch: StreamPatch,
  { key, ids, trees: given = [], components, codecs }: PatchOptions,
  report?: RuleReport,
): ReadonlyMap<Key, Entity> {
  const trees = treesIn(patch, given);
  /** Every entity that has a key; only where keys are not handles. */
  const entities = ids ?? (key === undefined ? undefined : mapOf(entitiesByKey(world, key, given)));
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
  /** The name of an entity in the patch. */
  const label = (entity: Entity) => {
    const found = entities?.keyOf(entity);
    return found === undefined ? formatEntity(entity) : describeValue(found);
  };

  // The patch lists every removal: policies of relations were applied in the world where it was made.
  overrule(stateOf(world), () => remove(world, patch, trees, entityOf, entities));
  const added = create(world, patch, entities, initFor);
  for (const entity of added.values()) report?.changed(entity);
  for (const tree of trees) move(patch, tree, entityOf, label, report);
  for (const entry of patch) {
    if (entry.op === "columns") {
      const listed = entry.ids.map(entityOf);
      const component = findComponent(world, entry.component, components);
      if (!writeColumns(world, entry, listed, component)) {
        for (const set of setsOf(entry, component.schema)) setComponent(set);
      }
      if (report !== undefined) for (const entity of listed) report.changed(entity);
    } else if (entry.op === "set" && setsComponent(entry)) setComponent(entry);
  }
  for (const write of references) write();
  return added;

  function setComponent(entry: SetEntry): void {
    const entity = entityOf(entry.id);
    const component = findComponent(world, entry.component, components) as Component<Schema>;
    if (entry.values === null) world.remove(entity, component);
    else {
      const init = initFor(entry.id, entry.component, entry.values);
      if (world.has(entity, component)) world.set(entity, component, init.values ?? {});
      else world.add(entity, init);
    }
    report?.changed(entity);
  }
}

/** Keys that were found by searching, in the form of an id map. */
function mapOf(entities: ReadonlyMap<Key, Entity>): IdMap {
  const ids = createIdMap();
  for (const [key, entity] of entities) ids.set(key, entity);
  return ids;
}

/** The hierarchies that a patch refers to. */
function treesIn(patch: StreamPatch, given: readonly AnyTree[]): AnyTree[] {
  const names = patch.flatMap((entry) => {
    if (entry.op === "add") return Object.keys(entry.positions);
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
  const reader = worldReader(world, trees);
  for (const entity of world.entities()) {
    const key = keyOf(entity, reader);
    if (key !== undefined) setDistinct(entities, key, entity);
  }
  return entities;
}

function remove(
  world: World,
  patch: StreamPatch,
  trees: readonly AnyTree[],
  entityOf: EntityOf,
  ids: IdMap | undefined,
): void {
  const removals = patch.filter((entry) => entry.op === "remove");
  if (removals.length === 0) return;
  const doomed = new Set<Entity>();
  /** By hierarchy: the entities that get another parent there. */
  const movedIn = new Map(
    trees.filter(hasChildren).map((tree) => {
      const moves = patch.filter((entry) => entry.op === "move");
      const own = moves.filter((entry) => entry.tree === tree.name);
      return [tree, new Set(own.map(({ id }) => entityOf(id)))];
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
  for (const entity of [...doomed].reverse()) {
    if (world.isAlive(entity)) world.destroy(entity);
    ids?.drop(entity);
  }
}

/** @param entities - The existing entities by key; without it, keys are the handles of the new entities. */
function create(
  world: World,
  patch: StreamPatch,
  entities: IdMap | undefined,
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
    makeIndices(world, made);
  }
  for (const { id, components } of additions) {
    if (added.has(id) || entities?.has(id)) throw cannotAdd(id);
    const inits = Object.entries(components).map(([name, values]) => initFor(id, name, values));
    const entity = entities === undefined ? (id as Entity) : (entities.returning(id, world) ?? undefined);
    if (entity !== undefined) reviveAt(stateOf(world), entity, inits, entities !== undefined);
    const made = entity ?? world.spawn(...inits);
    added.set(id, made);
    entities?.set(id, made);
  }
  return added;
}

function move(
  patch: StreamPatch,
  tree: AnyTree,
  entityOf: EntityOf,
  label: (entity: Entity) => string,
  report: RuleReport | undefined,
): void {
  const placements: Placement[] = [];
  const names = new Map<Entity, string | null>();
  const optional = (key: Key | null) => (key === null ? null : entityOf(key));
  const add = (child: Entity, parent: Entity | null, after: Key | null | undefined) =>
    placements.push({ child, parent, after: after === undefined ? undefined : optional(after) });
  for (const entry of patch) {
    if (entry.op === "remove" || entry.op === "columns") continue;
    const child = entityOf(entry.id);
    if (entry.op === "add") {
      const own = ownOf(entry.positions, tree.name);
      if (own !== undefined) add(child, optional(own.parent), own.after);
      if (own?.name !== undefined) names.set(child, own.name);
    } else if (!("tree" in entry) || entry.tree !== tree.name) continue;
    else if (entry.op === "move") add(child, optional(entry.parent), entry.after);
    else if (entry.op === "reorder") add(child, tree.parentOf(child), entry.after);
    else if (!setsComponent(entry)) names.set(child, entry.name);
  }
  const ordered = inOrder(placements, tree, label, report !== undefined);
  if (report !== undefined) {
    report.put(tree, ordered, names);
    return;
  }
  if (!hasChildren(tree)) {
    for (const { child } of ordered) tree.detach(child);
    for (const { child, parent } of ordered) tree.attach(child, parent);
    return;
  }
  takeNamesOff(tree, ordered, names);
  if (limitsOf(tree).maxChildren !== undefined) {
    // Children that get another parent are detached before new ones are attached.
    for (const { child, parent } of ordered) if (tree.parentOf(child) !== parent) moveUnchecked(tree, child);
  }
  for (const { child, parent, after } of ordered) attachBehind(tree, child, parent, after);
  for (const [entity, own] of names) tree.setName(entity, own ?? undefined);
}

/**
 * References to a destroyed entity keep its handle and read as null. When a new entity is created with that handle,
 * they must not refer to it: the patch contains the references to it.
 */
function dropStaleReferences(world: World, made: readonly Entity[]): void {
  const { generations } = readIndexState(stateOf(world).table);
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

/** Where names must be unique, changed entities lose their names first and get the new ones at the end: two may swap names. */
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
    `Cannot apply a patch: it adds ${describeValue(id)}, which already exists or is not a handle. Apply it to the state it was made for, or give a key function.`,
    { value: id },
  );
}
