/**
 * Patch entries for what records are about, with the values that the world has now.
 */
import type { Entity } from "../../ecs/index.ts";
import { type Archetype, INDEX_MASK, type Store, type WorldState } from "../../ecs/internal.ts";
import { treeOf } from "../../hierarchy/internal.ts";
import type { AddEntry, FieldValues, PatchEntry, PatchPlace } from "../patch/patch.ts";
import { patchValues } from "../patch/patch-value.ts";
import { type AnyTree, hasChildren, parentsFirst } from "../state.ts";
import { columnOf, forEachReferenceTo } from "../values/held.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import type { Trace } from "./traces.ts";

export interface ChangeSource {
  readonly state: WorldState;
  readonly trees: readonly AnyTree[];
  readonly follows: (store: Store) => boolean;
  readonly codecs: { readonly [field: string]: ValueCodec } | undefined;
}

/** The entries that lead from the state before the changes to the state of now. */
export function writeChanges(source: ChangeSource, traces: ReadonlyMap<Entity | 0, Trace>): PatchEntry[] {
  const { state, trees } = source;
  const removals: PatchEntry[] = [];
  const added = new Set<Entity>();
  const moves: PatchEntry[] = [];
  const sets: PatchEntry[] = [];
  const sorted = sortedChildren(source, traces);
  for (const [entity, trace] of traces) {
    if (entity === 0) continue;
    const isThere = state.isAlive(entity);
    const { wasThere = isThere } = trace;
    if (!isThere) {
      if (wasThere) removals.push({ op: "remove", id: entity });
    } else if (!wasThere) added.add(entity);
    else {
      // One that went and is back may be anywhere and hold anything.
      const isBack = trace.wasThere !== undefined;
      trees.forEach((tree, k) => {
        if (isBack || trace.moved.has(k)) moves.push(moveOf(tree, entity));
        if ((isBack || trace.renamed.has(k)) && hasChildren(tree)) {
          sets.push({ op: "set", id: entity, tree: tree.name, name: tree.nameOf(entity) ?? null });
        }
      });
      sets.push(...componentSets(source, entity, trace, isBack));
    }
  }
  const revived = [...traces].filter(([entity, { isRevived }]) => isRevived && state.isAlive(entity));
  const placed = new Set(moves.map((entry) => `${entry.id} ${(entry as { tree?: string }).tree}`));
  const isPlaced = (tree: AnyTree, child: Entity) => added.has(child) || placed.has(`${child} ${tree.name}`);
  sets.push(...againTo(new Set(revived.map(([entity]) => entity)), source, isPlaced));
  for (const { tree, child } of sorted) {
    if (!added.has(child) && !traces.get(child)?.moved.has(trees.indexOf(tree)))
      moves.push(moveOf(tree, child));
  }
  const adds = parentsFirst(trees[0], added, (entity) => added.has(entity)).map((entity) =>
    addOf(source, entity),
  );
  return [...removals, ...adds, ...moves, ...sets];
}

/** The children of those whose children were sorted: each is told where it stands. */
function sortedChildren(
  { state, trees }: ChangeSource,
  traces: ReadonlyMap<Entity | 0, Trace>,
): { tree: AnyTree; child: Entity }[] {
  const found: { tree: AnyTree; child: Entity }[] = [];
  for (const [parent, trace] of traces) {
    for (const number of trace.sorted) {
      const tree = trees[number] as AnyTree;
      if (!hasChildren(tree) || (parent !== 0 && !state.isAlive(parent))) continue;
      const { links } = treeOf(tree);
      for (let node = links.first(parent & INDEX_MASK); node !== 0; node = links.next(node)) {
        found.push({ tree, child: state.handleAt(node) });
      }
    }
  }
  return found;
}

/**
 * The references to entities that are back, and in hierarchies that know nothing else their children. Nothing wrote these: they read
 * as null while their target was gone, and a follower that received that state has to be notified of them.
 */
function againTo(
  revived: ReadonlySet<unknown>,
  source: ChangeSource,
  isPlaced: (tree: AnyTree, child: Entity) => boolean,
): PatchEntry[] {
  const { state, trees, follows } = source;
  const found: PatchEntry[] = [];
  if (revived.size === 0) return found;
  for (const tree of trees) {
    if (hasChildren(tree)) continue;
    for (const id of tree.world.entities()) {
      if (revived.has(tree.parentOf(id)) && !isPlaced(tree, id)) found.push(moveOf(tree, id));
    }
  }
  forEachReferenceTo(state, revived, (id, store, field) => {
    if (!follows(store)) return;
    const values = valuesOf(source, id, store, new Set([field]));
    found.push({ op: "set", id, component: store.component.name, values });
  });
  return found;
}

function moveOf(tree: AnyTree, id: Entity): PatchEntry {
  return { op: "move", id, tree: tree.name, ...placeOf(tree, id) };
}

function placeOf(tree: AnyTree, entity: Entity): PatchPlace {
  const parent = tree.parentOf(entity);
  if (!hasChildren(tree)) return { parent };
  const t = treeOf(tree);
  const before = t.links.prev(entity & INDEX_MASK);
  return { parent, after: before === 0 ? null : t.ecs.handleAt(before) };
}

function addOf(source: ChangeSource, id: Entity): AddEntry {
  const { state, trees, follows } = source;
  const stores = (state.archetypeAt(id & INDEX_MASK) as Archetype).stores.filter(follows);
  const places = trees.flatMap((tree) => {
    const place = placeOf(tree, id);
    if (!hasChildren(tree)) return place.parent === null ? [] : [[tree.name, place]];
    const name = tree.nameOf(id);
    return [[tree.name, name === undefined ? place : { ...place, name }]];
  });
  return {
    op: "add",
    id,
    components: Object.fromEntries(
      stores.map((store) => [store.component.name, valuesOf(source, id, store)]),
    ),
    places: Object.fromEntries(places) as AddEntry["places"],
  };
}

function componentSets(source: ChangeSource, id: Entity, trace: Trace, isBack: boolean): PatchEntry[] {
  const { state, follows } = source;
  const index = id & INDEX_MASK;
  const touched = new Map(trace.fields);
  if (isBack) {
    for (const store of (state.archetypeAt(index) as Archetype).stores) touched.set(store, undefined);
  }
  return [...touched].flatMap(([store, fields]) => {
    if (!follows(store)) return [];
    const values = state.hasAt(index, store) ? valuesOf(source, id, store, fields) : null;
    return [{ op: "set", id, component: store.component.name, values } as const];
  });
}

function valuesOf(
  { state, codecs }: ChangeSource,
  entity: Entity,
  store: Store,
  only?: ReadonlySet<number>,
): FieldValues {
  const { names, fields } = store;
  const row = store.rowOf(entity & INDEX_MASK);
  const held = (field: number) => columnOf(store, field)[row];
  const keyOf = (other: number) => (state.isAlive(other) ? other : undefined);
  return patchValues({ component: store.component.name, entity, names, fields, held }, codecs, keyOf, only);
}
