/**
 * Making a world match a state by changing only differences: entities in both stay alive, equal values
 * are not written, and listeners are called only for the differences.
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
  ARCHETYPE,
  type Archetype,
  addRaw,
  type WorldState as EcsState,
  type HeldRefs,
  INDEX_MASK,
  letGo,
  type RawValues,
  readIndexState,
  removeRaw,
  reviveRaw,
  runDestroyingOf,
  runRemoving,
  type Store,
  setArchetypeOrder,
  setIndexState,
  setRows,
  stateOf,
  withoutTargets,
  writeRaw,
} from "../../ecs/internal.ts";
import { type Hierarchy, limitsOf } from "../../hierarchy/index.ts";
import { keptParent, moveUnchecked, treeOf, treesOf } from "../../hierarchy/internal.ts";
import { findComponent } from "../arguments.ts";
import { DamagedSnapshotError, HistoryConflictError, SnapshotMismatchError } from "../errors.ts";
import {
  type AnyTree,
  type FieldState,
  fieldState,
  fieldText,
  forEachFamily,
  hasChildren,
  partOf,
  type StateOptions,
  startsOf,
  type TreeState,
  type WorldState,
} from "../state.ts";
import { deepEqual } from "../values/deep-equal.ts";
import { columnOf } from "../values/held.ts";
import { HandleSet } from "./handle-set.ts";
import { restoreTree } from "./restore-tree.ts";

/** Options of `restoreSnapshot`. */
export interface RestoreOptions extends StateOptions {
  /** Components that the snapshot has and the world does not know yet. */
  readonly components?: readonly AnyComponent[];
}

/** A restore that was checked. */
export interface PreparedRestore {
  /** Runs the observers before removals. They may change the world: prepare again unless it returns `false`, for none. */
  runBefore(): boolean;
  /** Changes the world; can no longer fail. */
  restore(): void;
}

/**
 * Checks everything before anything changes.
 * @throws SnapshotMismatchError, HistoryConflictError, and what the world throws when it is too small.
 */
export function prepareRestore(world: World, state: WorldState, options: RestoreOptions): PreparedRestore {
  const ecs = stateOf(world);
  const { table } = ecs;
  const isWhole = state.root === undefined;
  const stores = findStores(world, state, options.components);
  const trees = matchTrees(world, state.trees, options.trees ?? []);
  const resources = state.resources.map(({ name }) => findResource(name, options.resources));
  requireValues(state, stores);
  requireTrees(state, trees);
  const wanted = new HandleSet(state.entities);
  /** Living entities that must be destroyed. */
  const doomed = new HandleSet();
  for (const entity of membersNow(world, state.root, trees)) if (!wanted.has(entity)) doomed.add(entity);
  if (!isWhole)
    dropReferences(state, (target) => !wanted.has(target) && (!world.isAlive(target) || doomed.has(target)));
  /** Entities that must be revived. */
  const missing = new HandleSet();
  let highest = 0;
  for (const entity of wanted.list) {
    if (world.isAlive(entity)) continue;
    missing.add(entity);
    highest = Math.max(highest, entity & INDEX_MASK);
    requireRoom(table, entity, doomed);
  }
  if (highest > table.used) table.reserve(highest - table.used);

  const runBefore = () => {
    const losses = lossesOf(ecs, state, stores);
    const runs = doomed.size > 0 && runDestroyingOf(ecs, doomed.list);
    for (const [entity, store] of losses) runRemoving(ecs, entity, store);
    return runs || losses.length > 0;
  };
  const restore = () => {
    // A change without effect: undoing ends with the indices as they are now.
    if (ecs.recorder.wanted) setIndexState(ecs, readIndexState(table));
    freeSurvivors(world, doomed);
    if (doomed.size > 0) letGo(ecs, doomed.list);
    const all = groupsOf(ecs, state, stores);
    if (isWhole) {
      setArchetypeOrder(
        ecs,
        all.map(({ archetype }) => archetype),
      );
    }
    const groups = all.filter(({ entities }) => entities.length > 0);
    if (missing.size > 0) {
      makeIndices(world, missing.list);
      for (const group of groups) revive(ecs, group, missing);
    }
    for (const group of groups) setComponents(ecs, group, missing);
    for (const group of groups) setValues(ecs, group, missing);
    state.trees.forEach((tree, k) => {
      restoreTree(trees[k] as AnyTree, tree, wanted, isWhole);
    });
    if (isWhole) for (const group of groups) setOrder(ecs, group);
    if (state.indices !== undefined) setIndexState(ecs, state.indices);
    state.resources.forEach(({ value }, k) => {
      const resource = resources[k] as Resource<unknown>;
      if (!world.hasResource(resource) || !deepEqual(world.resource(resource), value))
        world.setResource(resource, value);
    });
  };
  return { runBefore, restore };
}

/** The entities that a snapshot replaces: all, or those currently below its root. */
function membersNow(world: World, root: Entity | undefined, trees: readonly AnyTree[]): Iterable<Entity> {
  if (root === undefined) return world.entities();
  return world.isAlive(root) ? (trees[0] as Hierarchy).descendants(root, { includeSelf: true }) : [];
}

/** Clears references out of a subtree to entities that died meanwhile, or are about to. */
function dropReferences({ components }: WorldState, isLost: (target: Entity) => boolean): void {
  for (const { fields, columns } of components) {
    fields.forEach((field, k) => {
      const { valueKind } = fieldTypeOf(field);
      if (valueKind === "entities") {
        const lists = columns[k] as HeldRefs[];
        for (let row = 0; row < lists.length; row++)
          lists[row] = withoutTargets(lists[row] as HeldRefs, isLost);
      }
      if (valueKind !== "entity") return;
      const column = columns[k] as Float64Array;
      column.forEach((target, row) => {
        if (target !== 0 && isLost(target as Entity)) column[row] = 0;
      });
    });
  }
}

/** Throws unless the index of an entity to revive is free, or will be. */
function requireRoom(table: EcsState["table"], entity: Entity, doomed: HandleSet): void {
  const index = entity & INDEX_MASK;
  if (index > table.used) return;
  const archetype = table.info[(index << 2) | ARCHETYPE] as number;
  if (archetype === -1 || (archetype >= 0 && doomed.has(table.handleAt(index)))) return;
  const why =
    archetype >= 0
      ? `its index is taken by #${index}, which is not part of the snapshot`
      : "its index is reserved by a command buffer; flush or discard that first";
  throw new HistoryConflictError(`Cannot bring back #${index}: ${why}.`, { entities: [entity] });
}

/** Detaches entities that stay from those to be destroyed, even in hierarchies that are not part of the snapshot. */
function freeSurvivors(world: World, doomed: HandleSet): void {
  for (const tree of treesOf(stateOf(world)) as readonly AnyTree[]) {
    if (hasChildren(tree)) {
      for (const parent of doomed.list) {
        for (const child of tree.childrenOf(parent)) if (!doomed.has(child)) moveUnchecked(tree, child);
      }
      continue;
    }
    for (const child of world.entities()) {
      const parent = keptParent(tree, child) as Entity;
      if (parent !== 0 && !doomed.has(child) && doomed.has(parent)) moveUnchecked(tree, child);
    }
  }
}

/** The components that living entities will lose, where observers run before the removal. */
function lossesOf(
  ecs: EcsState,
  state: WorldState,
  stores: readonly (Store | undefined)[],
): [Entity, Store][] {
  const observed = ecs.stores.filter(({ observers }) => (observers?.onRemoving.length ?? 0) !== 0);
  if (observed.length === 0) return [];
  return state.groups.flatMap(({ components, from, to }) => {
    const lost = observed.filter((store) => !components.some((k) => stores[k] === store));
    const living = Array.from(state.entities.subarray(from, to) as Iterable<Entity>).filter((entity) =>
      ecs.isAlive(entity),
    );
    return lost.flatMap((store) =>
      living
        .filter((entity) => ecs.hasAt(entity & INDEX_MASK, store))
        .map((entity): [Entity, Store] => [entity, store]),
    );
  });
}

/** A group of a state, with the columns of this world. */
interface Group {
  readonly entities: Float64Array;
  readonly archetype: Archetype;
  /** By component and field: the values of `entities`. */
  readonly columns: ReadonlyMap<Store, readonly Column[]>;
}

/** Skips groups with components that this world does not know: they are empty. */
function groupsOf({ graph }: EcsState, state: WorldState, stores: readonly (Store | undefined)[]): Group[] {
  const starts = startsOf(state.groups);
  return state.groups.flatMap(({ components, from, to }, g) => {
    const columns = new Map<Store, Column[]>();
    for (const k of components) {
      const store = stores[k];
      if (store === undefined) return [];
      const start = starts[g]?.get(k) as number;
      const own = state.components[k]?.columns ?? [];
      columns.set(
        store,
        own.map((column) => partOf(column, start, start + to - from)),
      );
    }
    // At once, not one component after the other: archetypes created in between would be visited before it.
    const archetype = graph.find([...columns.keys()].sort((a, b) => a.id - b.id));
    return { entities: state.entities.subarray(from, to), archetype, columns };
  });
}

/** Reads the values of a group, entity by entity. */
function valuesOf({ columns }: Group): RawValues & { at: number } {
  return {
    at: 0,
    load(store, row) {
      const own = columns.get(store) as readonly Column[];
      for (let k = 0; k < own.length; k++) {
        (columnOf(store, k) as unknown[])[row] = own[k]?.[this.at];
      }
    },
  };
}

function revive(ecs: EcsState, group: Group, missing: HandleSet): void {
  const { archetype } = group;
  const values = valuesOf(group);
  group.entities.forEach((entity, at) => {
    values.at = at;
    if (missing.has(entity)) reviveRaw(ecs, entity as Entity, archetype, archetype.count, values, true);
  });
}

/** Sets the components of entities that already exist. */
function setComponents(ecs: EcsState, group: Group, missing: HandleSet): void {
  const { archetype, columns } = group;
  const values = valuesOf(group);
  group.entities.forEach((entity, at) => {
    if (missing.has(entity)) return;
    const now = ecs.archetypeAt(entity & INDEX_MASK) as Archetype;
    if (now === archetype) return;
    values.at = at;
    for (const store of now.stores)
      if (!columns.has(store)) removeRaw(ecs, entity as Entity, store, Infinity);
    for (const store of columns.keys())
      if (now.has[store.id] !== 1) addRaw(ecs, entity as Entity, store, Infinity, values);
  });
}

/** Sets the values of entities that already exist. */
function setValues(ecs: EcsState, { entities, columns }: Group, missing: HandleSet): void {
  for (const [store, own] of columns) {
    own.forEach((values, field) => {
      const column = columnOf(store, field);
      const isPlain = store.isDense && !store.watched && !Array.isArray(column);
      // Writing may make the columns of shared values longer.
      const held = (index: number) => columnOf(store, field)[store.rowOf(index)];
      for (let at = 0; at < entities.length; at++) {
        const entity = entities[at] as Entity;
        const index = entity & INDEX_MASK;
        const value = values[at];
        if (isPlain) column[index] = value as number;
        else if (!missing.has(entity) && !deepEqual(held(index), value)) {
          writeRaw(ecs, entity, store, field, value);
        }
      }
    });
  }
}

function setOrder(ecs: EcsState, { entities, archetype }: Group): void {
  // The numbers differ when an observer interfered.
  if (archetype.count !== entities.length) return;
  setRows(
    ecs,
    archetype,
    new Int32Array(entities).map((entity) => entity & INDEX_MASK),
  );
}

/** Checks that every value is valid for its field. */
function requireValues({ components }: WorldState, stores: readonly (Store | undefined)[]): void {
  components.forEach(({ name, columns }, c) => {
    const { fields, names } = stores[c] ?? { fields: [], names: [] };
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
          { component: name, field: names[k], value },
        );
      }
    });
  });
}

/** Checks that the hierarchies allow the names and the numbers of children in the snapshot. */
function requireTrees({ trees: states }: WorldState, trees: readonly AnyTree[]): void {
  states.forEach((state, k) => {
    const tree = trees[k] as AnyTree;
    if (!hasChildren(tree)) return;
    const { maxChildren = Infinity } = limitsOf(tree);
    const { unique } = treeOf(tree).names;
    forEachFamily(state, (parent, children) => {
      if (parent !== 0 && children.length > maxChildren) {
        throw mismatch(
          state,
          `${formatEntity(parent)} has ${children.length} children in the snapshot, and ${state.name} allows ${maxChildren}.`,
        );
      }
      const seen = new Set<string>();
      for (let at = 0; unique && at < children.length; at++) {
        const name = state.names.get(children[at] as number);
        if (name === undefined) continue;
        if (seen.has(name)) {
          throw mismatch(
            state,
            `two siblings have the name ${describeValue(name)} in the snapshot, and their names must differ.`,
          );
        }
        seen.add(name);
      }
    });
  });
}

function mismatch({ name }: { readonly name: string }, why: string): SnapshotMismatchError {
  return new SnapshotMismatchError(`Cannot restore hierarchy ${name}: ${why}`, { subject: name });
}

/** Moves the indices of entities to be restored to the top of the free list, so that each is found at once. */
export function makeIndices(world: World, entities: readonly Entity[]): void {
  const { used, generations, free } = readIndexState(stateOf(world).table);
  const indices = entities.map((entity) => entity & INDEX_MASK);
  const last = indices.reduce((most, index) => Math.max(most, index), used);
  const grown = new Int32Array(last + 1);
  grown.set(generations);
  setIndexState(stateOf(world), {
    used: last,
    generations: grown,
    free: new Int32Array([...indices, ...free]),
  });
}

/** By component of the state; `undefined` for unknown ones that no entity has. */
function findStores(
  world: World,
  { components, groups }: WorldState,
  given: readonly AnyComponent[] | undefined,
): (Store | undefined)[] {
  const used = new Set(groups.flatMap((group) => (group.to > group.from ? group.components : [])));
  return components.map((component, k) => {
    try {
      return findStore(world, component, given);
    } catch (error) {
      if (used.has(k)) throw error;
      return undefined;
    }
  });
}

function findStore(
  world: World,
  { name, fields }: WorldState["components"][number],
  given: readonly AnyComponent[] | undefined,
): Store {
  const state = stateOf(world);
  const component = findComponent(world, name, given);
  const list = (of: readonly FieldState[]) => of.map(fieldText).join(", ") || "no fields";
  // A room may keep numbers in another kind than the definition says.
  const isKnown = state.componentNamed(name) !== undefined;
  const kept = isKnown ? state.store(component).fields : Object.values(component.schema);
  const own = list(Object.keys(component.schema).map((field, k) => fieldState(field, kept[k])));
  if (own !== list(fields)) {
    throw new SnapshotMismatchError(
      `Cannot use component ${name}: it was written with ${list(fields)} and has ${own} now. Use the same definition, or take a new snapshot.`,
      { component: name },
    );
  }
  return state.store(component);
}

function matchTrees(world: World, states: readonly TreeState[], trees: readonly AnyTree[]): AnyTree[] {
  for (const tree of trees) {
    if (tree.world === world && states.some((state) => state.name === tree.name)) continue;
    const why = tree.world === world ? "it is not in the snapshot" : "it belongs to another world";
    throw mismatch(tree, `${why}. Give the hierarchies that were given to takeSnapshot().`);
  }
  return states.map((state) => {
    const tree = trees.find((each) => each.name === state.name);
    if (tree !== undefined && hasChildren(tree) !== state.isUp) return tree;
    const form = state.isUp ? "of parents only" : "with children";
    throw mismatch(
      state,
      `the snapshot has a hierarchy ${form} of that name, and none was given. Give it in trees.`,
    );
  });
}

function findResource(name: string, resources: readonly Resource<unknown>[] = []): Resource<unknown> {
  const resource = resources.find((each) => each.name === name);
  if (resource !== undefined) return resource;
  throw new SnapshotMismatchError(
    `Cannot restore resource ${name}: it was not given. Give it in resources, as to takeSnapshot().`,
    { subject: name },
  );
}
