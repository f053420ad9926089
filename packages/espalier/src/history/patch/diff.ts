/**
 * What leads from one state to another, with as few entries as possible.
 */
import { type Column, describeValue, type Entity, fieldTypeOf } from "../../ecs/index.ts";
import { requireKnown, requireParts } from "../arguments.ts";
import { InvalidHistoryError, InvalidPatchError, SnapshotMismatchError } from "../errors.ts";
import { longestIncreasing } from "../snapshot/increasing.ts";
import { type ComponentState, fieldText, type TreeState } from "../state.ts";
import { setOwn } from "../values/own-keys.ts";
import { same } from "../values/same.ts";
import type { Json, ValueCodec } from "../values/value-codec.ts";
import { type KeyedPlace, KeyedState, type KeyFunction, type StateSource } from "./keyed-state.ts";
import type { AddEntry, FieldValues, Key, Patch, PatchEntry, PatchPlace, SetEntry } from "./patch.ts";
import { patchValue } from "./patch-value.ts";

/** Options of `diff`. */
export interface DiffOptions {
  /** Which entities are the same in both. Their handles if left out: for two states of one world. */
  readonly key?: KeyFunction;
  /** Compare only these components, by name. All but reserved ones, which their owners compute, if left out. */
  readonly components?: (name: string) => boolean;
  /** How to write what cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
}

/**
 * The entries that make `a` equal to `b`: entities added, removed, moved to another parent, reordered among their
 * siblings, and values set. A moved entity is moved, whatever its new parent; of reordered siblings as few as possible
 * move. Both are snapshots or worlds as they are now, with the same hierarchies.
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
 * //     { op: "add", id: crate, components: {}, places: { tree: { parent: null, after: null } } },
 * //     { op: "move", id: tank, tree: "tree", parent: crate, after: null },
 * //     { op: "set", id: tank, component: "Health", values: { hp: 50 } },
 * //   ]
 * ```
 */
export function diff(a: StateSource, b: StateSource, options: DiffOptions = {}): Patch {
  const { codecs = {}, components } = requireParts(options, "compare states");
  requireKnown({ checks: isChecked(a) && isChecked(b) }, options, "compare states");
  if (components !== undefined && typeof components !== "function") {
    throw new InvalidHistoryError(
      `Cannot compare states: components is a function that gets a name, got ${describeValue(components)}.`,
    );
  }
  return new Diff(
    new KeyedState(a, options.key, codecs),
    new KeyedState(b, options.key, codecs),
    options,
  ).entries();
}

/** Whether a state is of a development build, as far as it says: bytes do not. */
function isChecked(source: StateSource): boolean {
  const { world } = Object(source) as { readonly world?: { readonly checks?: boolean } };
  return world?.checks !== false;
}

class Diff {
  private readonly before: KeyedState;
  private readonly after: KeyedState;
  private readonly options: DiffOptions;
  private readonly compares: (component: ComponentState) => boolean;

  constructor(before: KeyedState, after: KeyedState, options: DiffOptions) {
    this.before = before;
    this.after = after;
    this.options = options;
    this.compares = ({ name, isReserved }) => options.components?.(name) ?? !isReserved;
    requireSameTrees(before.state.trees, after.state.trees);
  }

  entries(): PatchEntry[] {
    const { before, after } = this;
    const moves: PatchEntry[] = [];
    const places = new Map<Key, { [tree: string]: PatchPlace & { name?: string } }>();
    const order: Key[] = [];
    after.state.trees.forEach((tree, k) => {
      this.compareTree(tree, k, moves, places, order);
    });
    // Parents first, as the first hierarchy lists them; those without a place as the state does.
    const added = new Set(order);
    for (const key of after.entities.keys()) if (!before.entities.has(key)) added.add(key);
    const adds = [...added].map((key) => this.addition(key, places.get(key) ?? {}));
    return [...this.removals(), ...adds, ...moves, ...this.sets()];
  }

  /** Only the topmost of those that go: what is below them goes with them. */
  private removals(): PatchEntry[] {
    const { before, after } = this;
    const places = before.placesIn(0);
    const tree = before.state.trees[0];
    const below = tree === undefined || tree.isUp ? {} : { tree: tree.name };
    const goes = (key: Key | null | undefined) =>
      key !== null && key !== undefined && before.entities.has(key) && !after.entities.has(key);
    return [...before.entities.keys()]
      .filter((key) => goes(key) && !(tree?.isUp === false && goes(places.get(key)?.parent)))
      .map((id) => ({ op: "remove", id, ...below }));
  }

  private addition(id: Key, places: AddEntry["places"]): AddEntry {
    const { after } = this;
    const entity = after.entities.get(id) as Entity;
    const components: { [name: string]: FieldValues } = {};
    for (const number of after.componentsOf(entity)) {
      const component = after.state.components[number] as ComponentState;
      if (this.compares(component))
        setOwn(components, component.name, this.valuesOf(component, number, entity));
    }
    return { op: "add", id, components, places };
  }

  /** Entries for those that have another place, and the places of those that are new. */
  private compareTree(
    tree: TreeState,
    number: number,
    moves: PatchEntry[],
    places: Map<Key, { [tree: string]: PatchPlace & { name?: string } }>,
    order: Key[],
  ): void {
    const { before, after } = this;
    const former = before.placesIn(before.state.trees.findIndex(({ name }) => name === tree.name));
    for (const [parent, children] of familiesOf(after.placesIn(number))) {
      const stays = longestIncreasing(
        children.map((key) => {
          const place = former.get(key);
          return place !== undefined && place.parent === parent ? place.at : -1;
        }),
      );
      children.forEach((id, k) => {
        if (parent === undefined) throw lostParent(id, tree.name);
        const beside = children[k - 1] ?? null;
        const place = former.get(id);
        if (!before.entities.has(id)) {
          const name = tree.names.get(after.entities.get(id) as Entity);
          const own = {
            parent,
            ...(tree.isUp ? {} : { after: beside }),
            ...(name === undefined ? {} : { name }),
          };
          // Without a parent and without an order there is nothing to say.
          if (!tree.isUp || parent !== null) places.set(id, { ...places.get(id), [tree.name]: own });
          order.push(id);
        } else if (place === undefined ? !tree.isUp || parent !== null : place.parent !== parent) {
          moves.push({ op: "move", id, tree: tree.name, parent, ...(tree.isUp ? {} : { after: beside }) });
        } else if (!tree.isUp && place !== undefined && stays[k] === 0) {
          moves.push({ op: "reorder", id, tree: tree.name, after: beside });
        }
      });
    }
    if (tree.isUp) this.compareRoots(tree.name, former, after.placesIn(number), moves);
  }

  /** Parents only: one that is not listed has none. */
  private compareRoots(
    tree: string,
    former: ReadonlyMap<Key, KeyedPlace>,
    now: ReadonlyMap<Key, KeyedPlace>,
    moves: PatchEntry[],
  ): void {
    for (const id of former.keys()) {
      if (this.after.entities.has(id) && !now.has(id)) moves.push({ op: "move", id, tree, parent: null });
    }
  }

  private sets(): PatchEntry[] {
    const { before, after } = this;
    const entries: PatchEntry[] = [];
    for (const [id, entity] of after.entities) {
      const former = before.entities.get(id);
      if (former === undefined) continue;
      for (const number of after.componentsOf(entity)) {
        const entry = this.compareComponent(id, former, entity, number);
        if (entry !== undefined) entries.push(entry);
      }
      for (const number of before.componentsOf(former)) {
        const component = before.state.components[number] as ComponentState;
        const now = after.componentNumber(component.name);
        if (!this.compares(component) || (now !== undefined && after.rowOf(entity, now) >= 0)) continue;
        entries.push({ op: "set", id, component: component.name, values: null });
      }
      for (const { name: tree, isUp } of after.state.trees) {
        const name = after.nameOf(entity, tree);
        if (isUp || before.nameOf(former, tree) === name) continue;
        entries.push({ op: "set", id, tree, name: name ?? null });
      }
    }
    return entries;
  }

  private compareComponent(id: Key, former: Entity, entity: Entity, number: number): SetEntry | undefined {
    const { before, after } = this;
    const component = after.state.components[number] as ComponentState;
    if (!this.compares(component)) return undefined;
    const { name } = component;
    const formerNumber = before.componentNumber(name);
    const formerRow = formerNumber === undefined ? -1 : before.rowOf(former, formerNumber);
    if (formerNumber === undefined || formerRow < 0) {
      return { op: "set", id, component: name, values: this.valuesOf(component, number, entity) };
    }
    const old = before.state.components[formerNumber] as ComponentState;
    requireSameFields(old, component);
    const row = after.rowOf(entity, number);
    const changed = component.fields.filter((field, k) => {
      const was = (old.columns[k] as Column)[formerRow];
      const is = (component.columns[k] as Column)[row];
      if (fieldTypeOf(field).valueKind === "entity")
        return before.keyOf(was as number) !== after.keyOf(is as number);
      return !same(was, is);
    });
    if (changed.length === 0) return undefined;
    const values = this.valuesOf(component, number, entity, new Set(changed.map((field) => field.name)));
    return { op: "set", id, component: name, values };
  }

  private valuesOf(
    component: ComponentState,
    number: number,
    entity: Entity,
    only?: ReadonlySet<string>,
  ): FieldValues {
    const row = this.after.rowOf(entity, number);
    const owner = { component: component.name, entity };
    const values: { [field: string]: Json } = {};
    component.fields.forEach((field, k) => {
      const { name } = field;
      if (only !== undefined && !only.has(name)) return;
      const held = (component.columns[k] as Column)[row];
      setOwn(
        values,
        name,
        patchValue(held, field, owner, this.options.codecs, (other) => this.after.keyOf(other)),
      );
    });
    return values;
  }
}

/** The children of each parent, in order; parents first. */
function familiesOf(places: ReadonlyMap<Key, KeyedPlace>): Map<Key | null | undefined, Key[]> {
  const families = new Map<Key | null | undefined, Key[]>();
  for (const [key, { parent }] of places) {
    const family = families.get(parent);
    if (family === undefined) families.set(parent, [key]);
    else family.push(key);
  }
  return families;
}

function lostParent(id: Key, tree: string): InvalidPatchError {
  return new InvalidPatchError(
    `Cannot tell where ${JSON.stringify(id)} belongs in ${tree}: its parent has no key. Give the parent one, or leave both out.`,
  );
}

function requireSameTrees(before: readonly TreeState[], after: readonly TreeState[]): void {
  const list = (trees: readonly TreeState[]) => trees.map(({ name }) => name).join(", ") || "none";
  if (list([...before].sort(byName)) === list([...after].sort(byName))) return;
  throw new SnapshotMismatchError(
    `Cannot compare states with different hierarchies: one has ${list(before)}, the other ${list(after)}. Include the same in both.`,
  );
}

function byName(a: TreeState, b: TreeState): number {
  return a.name < b.name ? -1 : 1;
}

function requireSameFields(before: ComponentState, after: ComponentState): void {
  const list = ({ fields }: ComponentState) => fields.map(fieldText).join(", ");
  if (list(before) === list(after)) return;
  throw new SnapshotMismatchError(
    `Cannot compare component ${after.name}: one state has ${list(before)}, the other ${list(after)}. Use the same definition in both.`,
  );
}
