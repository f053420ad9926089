/**
 * The difference between two states, with as few entries as possible.
 */
import { type Column, describeValue, type Entity, fieldTypeOf } from "../../ecs/index.ts";
import type { HeldRefs } from "../../ecs/internal.ts";
import { requireFilter, requireOptions } from "../arguments.ts";
import { InvalidPatchError, SnapshotMismatchError } from "../errors.ts";
import { longestIncreasing } from "../snapshot/longest-increasing.ts";
import { type ComponentState, type FieldState, fieldText, type TreeState } from "../state.ts";
import { deepEqual } from "../values/deep-equal.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import { KeyedState, type KeyFunction, type StateSource } from "./keyed-state.ts";
import type { AddEntry, Key, Patch, PatchEntry, TreePosition } from "./patch.ts";
import { patchValues } from "./patch-value.ts";

/** Options of `diff`. */
export interface DiffOptions {
  /** Which entities are the same in both. Their handles if left out: for two states of one world. */
  readonly key?: KeyFunction;
  /** Which components to compare, by name. All but reserved ones, which their owners compute, if left out. */
  readonly components?: (name: string) => boolean;
  /** Codecs for values that cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
}

/**
 * The entries that make `a` equal to `b`: entities added, removed, moved to another parent, reordered among their
 * siblings, and values set. A moved entity is moved, whatever its new parent; of reordered siblings as few as possible
 * move. Both are snapshots or worlds in their current state, with the same hierarchies.
 *
 * @throws DuplicateKeyError, UnsupportedValueError, SnapshotMismatchError, and the errors of reading a snapshot.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health);
 * const before = takeSnapshot(world, { trees: [tree] });
 * const crate = world.spawn();
 * tree.attach(tank, crate);
 * world.set(tank, Health, { hp: 50 });
 * diff(before, { world, trees: [tree] });
 * // → [
 * //     { op: "add", id: crate, components: {}, positions: { tree: { parent: null, after: null } } },
 * //     { op: "move", id: tank, tree: "tree", parent: crate, after: null },
 * //     { op: "set", id: tank, component: "Health", values: { hp: 50 } },
 * //   ]
 * ```
 */
export function diff(a: StateSource, b: StateSource, options: DiffOptions = {}): Patch {
  requireOptions(isChecked(a) && isChecked(b), options, "compare states", ["key", "components", "codecs"]);
  requireFilter(options.components, "compare states");
  const { codecs = {}, key } = options;
  const states = {
    before: new KeyedState(a, key, codecs),
    after: new KeyedState(b, key, codecs),
    alike: new Set<ComponentState>(),
  };
  requireSameTrees(states.before.state.trees, states.after.state.trees);
  return compare(states, options);
}

/** Whether a state is from a development build, as far as known: a buffer does not say. */
function isChecked(source: StateSource): boolean {
  const { world } = Object(source) as { readonly world?: { readonly checks?: boolean } };
  return world?.checks !== false;
}

interface States {
  readonly before: KeyedState;
  readonly after: KeyedState;
  /** The components known to have the same fields in both. */
  readonly alike: Set<ComponentState>;
}

/** The position of a new entity, by hierarchy. */
type Positions = [tree: string, position: TreePosition & { name?: string }][];

function compare(states: States, { components: chosen, codecs }: DiffOptions): PatchEntry[] {
  const { before, after } = states;
  const compares = ({ name, isReserved }: ComponentState) => chosen?.(name) ?? !isReserved;
  const keyOf = (entity: number) => after.keyOf(entity);
  const valuesOf = (
    { name, fields, columns }: ComponentState,
    entity: Entity,
    only?: ReadonlySet<number>,
  ) => {
    const row = after.rowOf(entity, name);
    const names = fields.map((field) => field.name);
    const held = (k: number) => (columns[k] as Column)[row];
    return patchValues({ component: name, entity, names, fields, held }, codecs, keyOf, only);
  };

  const moves: PatchEntry[] = [];
  // Parents first, as the first hierarchy lists them; entities outside all hierarchies in the order of the state.
  const added = new Map<Key, Positions>();
  for (const tree of after.state.trees) compareTree(states, tree, moves, added);
  const sets: PatchEntry[] = [];
  for (const [id, entity] of after.entities) {
    const former = before.entities.get(id);
    if (former === undefined) {
      if (!added.has(id)) added.set(id, []);
      continue;
    }
    for (const component of after.componentsOf(entity)) {
      if (!compares(component)) continue;
      const changed = changedFields(states, component, former, entity);
      if (changed?.size === 0) continue;
      sets.push({ op: "set", id, component: component.name, values: valuesOf(component, entity, changed) });
    }
    for (const component of before.componentsOf(former)) {
      const { name } = component;
      if (!compares(component) || after.rowOf(entity, name) >= 0) continue;
      sets.push({ op: "set", id, component: name, values: null });
    }
    for (const { name: tree, isUp } of after.state.trees) {
      const name = after.nameOf(entity, tree);
      if (isUp || before.nameOf(former, tree) === name) continue;
      sets.push({ op: "set", id, tree, name: name ?? null });
    }
  }
  const adds = Array.from(added, ([id, positions]): AddEntry => {
    const entity = after.entities.get(id) as Entity;
    const components = after.componentsOf(entity).filter(compares);
    return {
      op: "add",
      id,
      components: Object.fromEntries(components.map((each) => [each.name, valuesOf(each, entity)])),
      positions: Object.fromEntries(positions),
    };
  });
  return [...removals(states), ...adds, ...moves, ...sets];
}

/** Only the topmost removed entities: their descendants are removed with them. */
function removals({ before, after }: States): PatchEntry[] {
  const gone = [...before.entities.keys()].filter((key) => !after.entities.has(key));
  const tree = before.state.trees[0];
  if (tree === undefined || tree.isUp) return gone.map((id) => ({ op: "remove", id }));
  if (gone.length === 0) return [];
  const below = new Set<Key>();
  before.forEachFamilyIn(tree.name, (parent, children) => {
    if (parent === null || parent === undefined || after.entities.has(parent)) return;
    for (const child of children) below.add(child);
  });
  return gone.filter((id) => !below.has(id)).map((id) => ({ op: "remove", id, tree: tree.name }));
}

interface FormerPosition {
  readonly parent: Key | null | undefined;
  readonly at: number;
}

/** Entries for entities whose parent or position changed, and the positions of new entities. */
function compareTree(
  { before, after }: States,
  { name: tree, isUp, names }: TreeState,
  moves: PatchEntry[],
  added: Map<Key, Positions>,
): void {
  const former = new Map<Key, FormerPosition>();
  before.forEachFamilyIn(tree, (parent, children) => {
    children.forEach((child, at) => {
      former.set(child, { parent, at });
    });
  });
  const listed = new Set<Key>();
  after.forEachFamilyIn(tree, (parent, children) => {
    const stays = longestIncreasing(
      children.map((key) => {
        const position = former.get(key);
        return position !== undefined && position.parent === parent ? position.at : -1;
      }),
    );
    children.forEach((id, k) => {
      if (parent === undefined) throw lostParent(id, tree);
      if (isUp) listed.add(id);
      const position: TreePosition = isUp ? { parent } : { parent, after: children[k - 1] ?? null };
      if (!before.entities.has(id)) {
        const name = names.get(after.entities.get(id) as Entity);
        const positions = added.get(id) ?? [];
        added.set(id, positions);
        // Without a parent and without an order there is nothing to write.
        if (!isUp || parent !== null)
          positions.push([tree, name === undefined ? position : { ...position, name }]);
        return;
      }
      const was = former.get(id);
      // Parents only: an entity that is not listed has none.
      const from = was === undefined && isUp ? null : was?.parent;
      if (from !== parent) moves.push({ op: "move", id, tree, ...position });
      else if (position.after !== undefined && stays[k] === 0)
        moves.push({ op: "reorder", id, tree, after: position.after });
    });
  });
  if (!isUp) return;
  for (const id of former.keys()) {
    if (after.entities.has(id) && !listed.has(id)) moves.push({ op: "move", id, tree, parent: null });
  }
}

/** The fields with another value than before; `undefined` when the component is new. */
function changedFields(
  { before, after, alike }: States,
  component: ComponentState,
  former: Entity,
  entity: Entity,
): ReadonlySet<number> | undefined {
  const { name, fields, columns } = component;
  const formerRow = before.rowOf(former, name);
  if (formerRow < 0) return undefined;
  const old = before.component(name);
  if (!alike.has(component)) requireSameFields(old, component);
  alike.add(component);
  const row = after.rowOf(entity, name);
  let changed: Set<number> | undefined;
  for (let k = 0; k < fields.length; k++) {
    const field = fields[k] as FieldState;
    const was = (old.columns[k] as Column)[formerRow];
    const is = (columns[k] as Column)[row];
    const { valueKind } = fieldTypeOf(field);
    const isSame =
      valueKind === "entity"
        ? before.keyOf(was as number) === after.keyOf(is as number)
        : valueKind === "entities"
          ? deepEqual(
              keyed(was as unknown as HeldRefs, (target) => before.keyOf(target)),
              keyed(is as unknown as HeldRefs, (target) => after.keyOf(target)),
            )
          : deepEqual(was, is);
    if (!isSame) changed = (changed ?? new Set()).add(k);
  }
  return changed ?? nothing;
}

/** References by the keys of their targets. */
function keyed({ targets, data }: HeldRefs, keyOf: (target: number) => unknown): unknown {
  const keys = targets.map(keyOf);
  return { keys, data: data?.map((pair, k) => ({ ...pair, target: keys[k] })) };
}

const nothing: ReadonlySet<number> = /* @__PURE__ */ new Set();

function lostParent(id: Key, tree: string): InvalidPatchError {
  return new InvalidPatchError(
    `Cannot say where ${describeValue(id)} belongs in ${tree}: its parent has no key. Give the parent one, or leave both out.`,
    { subject: tree, value: id },
  );
}

function requireSameTrees(before: readonly TreeState[], after: readonly TreeState[]): void {
  const list = (trees: readonly TreeState[]) => trees.map(({ name }) => name).join(", ") || "none";
  if (before.length === after.length && before.every(({ name }) => after.some((tree) => tree.name === name)))
    return;
  throw new SnapshotMismatchError(
    `Cannot compare states with different hierarchies: one has ${list(before)}, the other ${list(after)}. Include the same in both.`,
  );
}

function requireSameFields(before: ComponentState, after: ComponentState): void {
  const list = ({ fields }: ComponentState) => fields.map(fieldText).join(", ");
  if (list(before) === list(after)) return;
  throw new SnapshotMismatchError(
    `Cannot compare component ${after.name}: one state has ${list(before)}, the other ${list(after)}. Use the same definition in both.`,
    { component: after.name },
  );
}
