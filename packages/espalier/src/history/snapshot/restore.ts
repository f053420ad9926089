/**
 * Making a world what a state says, by changing only what differs: entities that are in both keep living, values that
 * are equal are not written, and listeners are called for the differences and nothing else.
 */

import {
  type AnyComponent,
  type Column,
  describeValue,
  type Entity,
  fieldTypeOf,
  formatEntity,
  type Resource,
  type World,
} from "../../ecs/index.ts";
import {
  type Archetype,
  addRaw,
  INDEX_MASK,
  type RawValues,
  readPlaces,
  removeRaw,
  reviveRaw,
  type Store,
  setPlaces,
  setRows,
  stateOf,
  writeRaw,
} from "../../ecs/internal.ts";
import type { Hierarchy, UpHierarchy } from "../../hierarchy/index.ts";
import { keptParent, moveUnchecked, treeOf, treesOf } from "../../hierarchy/internal.ts";
import { DamagedSnapshotError, HistoryConflictError, SnapshotMismatchError } from "../errors.ts";
import {
  type AnyTree,
  type FieldState,
  fieldState,
  fieldText,
  forEachFamily,
  type GroupState,
  hasChildren,
  type StateOptions,
  type TreeState,
  type WorldState,
} from "../state.ts";
import { same } from "../values/same.ts";
import { HandleSet } from "./handle-set.ts";
import { restoreTree } from "./restore-tree.ts";

/** Options of `restoreSnapshot`. */
export interface RestoreOptions extends StateOptions {
  /** Components that the snapshot has and the world has not met yet. */
  readonly components?: readonly AnyComponent[];
}

/** Everything is checked here; `run` then changes the world and no longer refuses. */
export class Restore {
  private readonly world: World;
  private readonly state: WorldState;
  private readonly stores: readonly Store[];
  private readonly trees: readonly AnyTree[];
  private readonly resources: readonly Resource<unknown>[];
  private readonly wanted: HandleSet;
  /** Those that live and must go. */
  private readonly doomed: HandleSet;
  /** Those that must live again. */
  private readonly missing = new HandleSet();

  /** @throws SnapshotMismatchError, HistoryConflictError, and what the world throws when it is too small. */
  constructor(world: World, state: WorldState, options: RestoreOptions) {
    this.world = world;
    this.state = state;
    this.stores = state.components.map((component) => findStore(world, component, options.components ?? []));
    this.trees = matchTrees(world, state.trees, options.trees ?? []);
    this.resources = state.resources.map(({ name }) => findResource(name, options.resources ?? []));
    requireValues(state, this.stores);
    requireTrees(state, this.trees);
    this.wanted = new HandleSet(state.entities);
    this.doomed = this.findDoomed();
    if (state.root !== undefined) this.dropLostReferences();
    let highest = 0;
    for (const entity of this.wanted.list) {
      if (world.isAlive(entity)) continue;
      this.missing.add(entity);
      highest = Math.max(highest, entity & INDEX_MASK);
      this.requireRoom(entity);
    }
    const { table } = stateOf(world);
    if (highest > table.used) table.reserve(highest - table.used);
  }

  run(): void {
    const { world, state } = this;
    const isWhole = state.root === undefined;
    // A change without effect: undoing ends with the places as they are now.
    if (stateOf(world).recorder.wanted) setPlaces(stateOf(world), readPlaces(stateOf(world).table));
    this.freeSurvivors();
    this.destroyDoomed();
    this.revive();
    this.setComponents();
    state.trees.forEach((tree, k) => {
      restoreTree(this.trees[k] as AnyTree, tree, this.wanted, isWhole);
    });
    if (isWhole) {
      this.setRows();
      if (state.places !== undefined) setPlaces(stateOf(world), state.places);
    }
    state.resources.forEach(({ value }, k) => {
      const resource = this.resources[k] as Resource<unknown>;
      if (!world.hasResource(resource) || !same(world.resource(resource), value))
        world.setResource(resource, value);
    });
  }

  /** References out of a subtree to what died meanwhile, or is about to, lead nowhere. */
  private dropLostReferences(): void {
    const { world, state, wanted, doomed } = this;
    for (const { fields, columns } of state.components) {
      fields.forEach((field, k) => {
        const column = columns[k] as Float64Array;
        const isReference = fieldTypeOf(field).valueKind === "entity";
        for (let row = 0; isReference && row < column.length; row++) {
          const target = column[row] as Entity;
          if (target === 0 || wanted.has(target)) continue;
          if (!world.isAlive(target) || doomed.has(target)) column[row] = 0;
        }
      });
    }
  }

  private findDoomed(): HandleSet {
    const { world, state, wanted } = this;
    const { root } = state;
    let present: Iterable<Entity> = [];
    if (root === undefined) present = world.entities();
    else if (world.isAlive(root))
      present = (this.trees[0] as Hierarchy).descendants(root, { includeSelf: true });
    const doomed = new HandleSet();
    for (const entity of present) if (!wanted.has(entity)) doomed.add(entity);
    return doomed;
  }

  /** That the place of an entity that must come back is empty, or will be. */
  private requireRoom(entity: Entity): void {
    const { table } = stateOf(this.world);
    const index = entity & INDEX_MASK;
    if (index > table.used) return;
    const archetype = table.info[(index << 2) | 1] as number;
    if (archetype === -1) return;
    const other = table.handleAt(index);
    if (archetype >= 0 && this.doomed.has(other)) return;
    const why =
      archetype >= 0
        ? `its place is taken by #${index}, which is not part of the snapshot`
        : "its place is promised by a command buffer; flush or discard that first";
    throw new HistoryConflictError(`Cannot bring back #${index}: ${why}.`, [entity]);
  }

  /** A parent that is dead reads as none, until the places are restored and another entity gets the same handle. */
  private freeOfDead(tree: UpHierarchy): void {
    const { world, doomed } = this;
    for (const child of world.entities()) {
      const parent = keptParent(tree, child) as Entity;
      if (parent !== 0 && !doomed.has(child) && (doomed.has(parent) || !world.isAlive(parent)))
        moveUnchecked(tree, child);
    }
  }

  /** Takes those that stay from under those that go, also in hierarchies that are not part of the snapshot. */
  private freeSurvivors(): void {
    const { world } = this;
    const trees = treesOf(stateOf(world)) as readonly AnyTree[];
    for (const tree of trees) {
      if (!hasChildren(tree)) {
        this.freeOfDead(tree);
        continue;
      }
      for (const parent of this.doomed.list) {
        for (const child of tree.childrenOf(parent)) {
          if (!this.doomed.has(child)) moveUnchecked(tree, child);
        }
      }
    }
  }

  private destroyDoomed(): void {
    const { world, doomed, missing } = this;
    if (doomed.size === 0) return;
    for (const entity of doomed.list) world.destroy(entity);
    // Observers may have destroyed others.
    for (const entity of this.wanted.list) if (!world.isAlive(entity)) missing.add(entity);
  }

  private revive(): void {
    const { world, state, missing } = this;
    if (missing.size === 0) return;
    makePlaces(world, missing.list);
    const values = new StateValues(state, this.stores);
    for (const group of state.groups) {
      const archetype = this.archetypeOf(group);
      for (let at = group.from; at < group.to; at++) {
        const entity = state.entities[at] as Entity;
        if (!missing.has(entity)) continue;
        values.from(group, at);
        reviveRaw(stateOf(world), entity, archetype, archetype.count, values, true);
      }
    }
  }

  private archetypeOf(group: GroupState): Archetype {
    const { graph } = stateOf(this.world);
    return group.components.reduce((to, k) => graph.with(to, this.stores[k] as Store), graph.empty);
  }

  /** Components and values of those that were there before. */
  private setComponents(): void {
    const { world, state, stores, missing } = this;
    const values = new StateValues(state, stores);
    for (const group of state.groups) {
      const archetype = this.archetypeOf(group);
      const own = group.components.map((k) => stores[k] as Store);
      for (let at = group.from; at < group.to; at++) {
        const entity = state.entities[at] as Entity;
        if (missing.has(entity)) continue;
        const now = stateOf(world).archetypeAt(entity & INDEX_MASK) as Archetype;
        if (now === archetype) continue;
        for (const store of now.stores)
          if (!own.includes(store)) removeRaw(stateOf(world), entity, store, Infinity);
        for (const store of own) {
          if (now.has[store.id] === 1) continue;
          values.from(group, at);
          addRaw(stateOf(world), entity, store, Infinity, values);
        }
      }
    }
    for (const group of state.groups) for (const k of group.components) this.setValues(group, k);
  }

  private setValues(group: GroupState, component: number): void {
    const { world, state, missing } = this;
    const store = this.stores[component] as Store;
    const start = offsetOf(state, group, component);
    store.names.forEach((name, field) => {
      const column = store.columns[name] as Column;
      const values = (state.components[component]?.columns[field] as Column) ?? [];
      const isPlain = store.isDense && !store.watched && !Array.isArray(column);
      for (let at = group.from; at < group.to; at++) {
        const entity = state.entities[at] as Entity;
        const index = entity & INDEX_MASK;
        const value = values[start + at - group.from];
        if (isPlain) column[index] = value as number;
        else if (!missing.has(entity) && !same(column[store.rowOf(index)], value)) {
          writeRaw(stateOf(world), entity, store, field, value);
        }
      }
    });
  }

  private setRows(): void {
    const { world, state } = this;
    for (const group of state.groups) {
      const archetype = this.archetypeOf(group);
      // Not the same number when an observer interfered.
      if (archetype.count !== group.to - group.from) continue;
      const ids = new Int32Array(archetype.count);
      for (let row = 0; row < ids.length; row++)
        ids[row] = (state.entities[group.from + row] as number) & INDEX_MASK;
      setRows(stateOf(world), archetype, ids);
    }
  }
}

/** That every value is one that its field could have got in the usual ways. */
function requireValues({ components }: WorldState, stores: readonly Store[]): void {
  components.forEach(({ name, columns }, c) => {
    const { fields, names } = stores[c] as Store;
    fields.forEach((field, k) => {
      const { names: words, finite, validate } = field;
      if (words === undefined && finite !== true && validate === undefined) return;
      for (const value of columns[k] as ArrayLike<unknown> & Iterable<unknown>) {
        const wrong =
          words !== undefined
            ? (value as number) >= words.length || (value as number) < 0
            : finite === true
              ? !Number.isFinite(value)
              : validate?.(value) !== undefined;
        if (!wrong) continue;
        throw new DamagedSnapshotError(
          `Cannot restore a snapshot: ${name}.${names[k]} holds ${describeValue(value)}, which that field cannot hold.`,
        );
      }
    });
  });
}

/** That the hierarchies allow what the snapshot says of names and numbers of children. */
function requireTrees({ trees: states }: WorldState, trees: readonly AnyTree[]): void {
  states.forEach((state, k) => {
    const tree = trees[k] as AnyTree;
    if (!hasChildren(tree)) return;
    const { maxChildren = Number.POSITIVE_INFINITY } = tree.limits;
    const { unique } = treeOf(tree).names;
    forEachFamily(state, (parent, children) => {
      if (parent !== 0 && children.length > maxChildren) {
        throw new SnapshotMismatchError(
          `Cannot restore hierarchy ${state.name}: ${formatEntity(parent)} has ${children.length} children in the snapshot, and ${state.name} allows ${maxChildren}.`,
        );
      }
      if (!unique) return;
      const seen = new Set<string>();
      for (const child of Array.from(children)) {
        const name = state.names.get(child);
        if (name === undefined) continue;
        if (seen.has(name)) {
          throw new SnapshotMismatchError(
            `Cannot restore hierarchy ${state.name}: two siblings have the name ${JSON.stringify(name)} in the snapshot, and their names must differ.`,
          );
        }
        seen.add(name);
      }
    });
  });
}

/** Puts the places of entities that will be restored on top of the free ones, so that each is found at once. */
export function makePlaces(world: World, entities: readonly Entity[]): void {
  const { used, generations, free } = readPlaces(stateOf(world).table);
  let last = used;
  for (const entity of entities) last = Math.max(last, entity & INDEX_MASK);
  const grown = new Int32Array(last + 1);
  grown.set(generations);
  const order = new Int32Array(entities.length + free.length);
  entities.forEach((entity, k) => {
    order[k] = entity & INDEX_MASK;
  });
  order.set(free, entities.length);
  setPlaces(stateOf(world), { used: last, generations: grown, free: order });
}

/** Where the values of the first entity of a group stand in the columns of a component. */
function offsetOf({ groups }: WorldState, group: GroupState, component: number): number {
  let offset = 0;
  for (const other of groups) {
    if (other === group) break;
    if (other.components.includes(component)) offset += other.to - other.from;
  }
  return offset;
}

/** Gives out the values of one entity of a state. */
class StateValues implements RawValues {
  private readonly state: WorldState;
  private readonly numbers: ReadonlyMap<Store, number>;
  private readonly offsets = new Map<Store, number>();
  private group: GroupState | undefined;
  private at = 0;

  constructor(state: WorldState, stores: readonly Store[]) {
    this.state = state;
    this.numbers = new Map(stores.map((store, k) => [store, k]));
  }

  from(group: GroupState, at: number): void {
    if (group !== this.group) {
      this.group = group;
      this.offsets.clear();
      for (const [store, k] of this.numbers) {
        if (group.components.includes(k)) this.offsets.set(store, offsetOf(this.state, group, k));
      }
    }
    this.at = at - group.from;
  }

  load(store: Store, row: number): void {
    const { columns } = this.state.components[this.numbers.get(store) as number] as {
      columns: readonly Column[];
    };
    const at = (this.offsets.get(store) as number) + this.at;
    for (let k = 0; k < store.names.length; k++) {
      (store.columns[store.names[k] as string] as unknown[])[row] = (columns[k] as Column)[at];
    }
  }
}

function findStore(
  world: World,
  { name, fields }: WorldState["components"][number],
  given: readonly AnyComponent[],
): Store {
  const state = stateOf(world);
  const known = state.componentNamed(name);
  const component = known ?? given.find((each) => each.name === name);
  if (component === undefined) {
    throw new SnapshotMismatchError(
      `Cannot use component ${name}: this world does not know it. Give it in components, or use it in the world first.`,
    );
  }
  const list = (of: readonly FieldState[]) => of.map(fieldText).join(", ") || "no fields";
  // A room may keep numbers in another kind than the definition says.
  const kept = known === undefined ? Object.values(component.schema) : state.store(known).fields;
  const own = list(Object.keys(component.schema).map((field, k) => fieldState(field, kept[k])));
  if (own !== list(fields)) {
    throw new SnapshotMismatchError(
      `Cannot use component ${name}: it was written with ${list(fields)} and has ${own} now. Use the same definition, or take a new snapshot.`,
    );
  }
  return state.store(component);
}

function matchTrees(world: World, states: readonly TreeState[], trees: readonly AnyTree[]): AnyTree[] {
  for (const tree of trees) {
    if (tree.world === world && states.some((state) => state.name === tree.name)) continue;
    throw new SnapshotMismatchError(
      `Cannot restore hierarchy ${tree.name}: ${tree.world === world ? "it is not in the snapshot" : "it belongs to another world"}. Give the hierarchies that were given to takeSnapshot().`,
    );
  }
  return states.map((state) => {
    const tree = trees.find((each) => each.name === state.name);
    if (tree === undefined || hasChildren(tree) === state.isUp) {
      const form = state.isUp ? "a hierarchy of parents only" : "a hierarchy with children";
      throw new SnapshotMismatchError(
        `Cannot restore hierarchy ${state.name}: the snapshot has ${form} of that name, and none was given. Give it in trees.`,
      );
    }
    return tree;
  });
}

function findResource(name: string, resources: readonly Resource<unknown>[]): Resource<unknown> {
  const resource = resources.find((each) => each.name === name);
  if (resource !== undefined) return resource;
  throw new SnapshotMismatchError(
    `Cannot restore resource ${name}: it was not given. Give it in resources, as to takeSnapshot().`,
  );
}
