/**
 * Patch entries for recorded changes, with the current values of the world.
 */
import type { Entity } from "../../ecs/index.ts";
import { type Archetype, INDEX_MASK, type Store } from "../../ecs/internal.ts";
import { treeOf } from "../../hierarchy/internal.ts";
import type { AddEntry, FieldValues, Key, PatchEntry, StreamPatch, TreePosition } from "../patch/patch.ts";
import { patchValues } from "../patch/patch-value.ts";
import { type AnyTree, hasChildren, parentsFirst } from "../state.ts";
import { columnOf, forEachReferenceTo } from "../values/held.ts";
import type { ChangeSource } from "./change-source.ts";
import { ALL, type ChangedRows, fieldsIn } from "./changed-rows.ts";
import { areColumns, LEAST_ROWS, readColumns } from "./column-entries.ts";
import type { Part } from "./part.ts";
import { removals } from "./removals.ts";
import type { Traces } from "./traces.ts";

type StreamEntry = StreamPatch[number];

/** The entries that lead from the state before the changes to the current state. */
export function writeChanges(source: ChangeSource, traces: Traces, part: Part): StreamEntry[] {
  const { trees } = source;
  const added = new Set<Entity>();
  const moves = new Moves(source, part);
  const names: PatchEntry[] = [];
  const revived = new Set<Entity>();
  for (const entity of part.touched) {
    const isThere = part.now(entity) !== undefined;
    const wasThere = part.before(entity) !== undefined;
    if (!isThere) continue;
    if (!wasThere) added.add(entity);
    const trace = traces.entities.get(entity);
    if (trace?.isRevived) revived.add(entity);
    if (!wasThere || trace === undefined) continue;
    // An entity that was destroyed and revived may be anywhere and have any values.
    const isBack = trace.wasThere !== undefined;
    if (isBack) markAll(source, traces, entity);
    trees.forEach((tree, k) => {
      if (isBack || trace.moved.has(k)) moves.add(tree, entity);
      if ((isBack || trace.renamed.has(k)) && hasChildren(tree)) {
        const id = part.now(entity) as Key;
        names.push({ op: "set", id, tree: tree.name, name: tree.nameOf(entity) ?? null });
      }
    });
  }
  for (const entity of added) moves.skip(entity);
  for (const { tree, child } of sortedChildren(source, traces)) moves.add(tree, child);
  // Children of an entity that entered or left have another parent at the follower.
  for (const entity of part.flipped) {
    for (const tree of trees)
      if (hasChildren(tree)) for (const child of tree.childrenOf(entity)) moves.add(tree, child);
    if (traces.entities.get(entity)?.wasThere !== false && added.has(entity)) revived.add(entity);
  }
  const again = againTo(revived, source, part, added, moves);
  const adds = parentsFirst(trees[0], added, (entity) => added.has(entity)).map((entity) =>
    addOf(source, entity, part),
  );
  const gone = removals(source, traces, part);
  return [
    ...gone,
    ...adds,
    ...moves.entries,
    ...names,
    ...valueEntries(source, traces, part, added),
    ...again,
  ];
}

/** Everything that exists now, as entries that add it, parents first. */
export function writeAll(source: ChangeSource, part: Part, entities: Iterable<Entity>): PatchEntry[] {
  const all = new Set(entities);
  return parentsFirst(source.trees[0], all, (entity) => all.has(entity)).map((entity) =>
    addOf(source, entity, part),
  );
}

/** Entries that place entities, each once per hierarchy. */
class Moves {
  readonly entries: PatchEntry[] = [];
  private readonly source: ChangeSource;
  private readonly part: Part;
  private readonly placed: Set<Entity>[];
  private readonly skipped = new Set<Entity>();

  constructor(source: ChangeSource, part: Part) {
    this.source = source;
    this.part = part;
    this.placed = source.trees.map(() => new Set());
  }

  /** Skips an entity that another entry places. */
  skip(entity: Entity): void {
    this.skipped.add(entity);
  }

  add(tree: AnyTree, entity: Entity): void {
    const { part, skipped } = this;
    const id = part.now(entity);
    const placed = this.placed[this.source.trees.indexOf(tree)] as Set<Entity>;
    if (id === undefined || part.before(entity) === undefined || skipped.has(entity) || placed.has(entity))
      return;
    placed.add(entity);
    this.entries.push({ op: "move", id, tree: tree.name, ...positionOf(tree, entity, part) });
  }
}

/** The children of those whose children were sorted: each gets an entry with its position. */
function sortedChildren({ state, trees }: ChangeSource, traces: Traces): { tree: AnyTree; child: Entity }[] {
  const found: { tree: AnyTree; child: Entity }[] = [];
  for (const [parent, trace] of traces.entities) {
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
 * The references to revived entities and, in hierarchies of parents only, their children. No write is recorded for these: they read
 * as null while their target was dead, and a follower that received that state must be updated.
 */
function againTo(
  revived: ReadonlySet<Entity>,
  source: ChangeSource,
  part: Part,
  added: ReadonlySet<Entity>,
  moves: Moves,
): PatchEntry[] {
  const { state, trees, follows } = source;
  const found: PatchEntry[] = [];
  if (revived.size === 0) return found;
  for (const tree of trees) {
    if (hasChildren(tree)) continue;
    for (const entity of tree.world.entities()) {
      if (revived.has(tree.parentOf(entity) as Entity)) moves.add(tree, entity);
    }
  }
  forEachReferenceTo(state, revived, (entity, store, field) => {
    const id = part.now(entity);
    if (id === undefined || added.has(entity) || !follows(store)) return;
    const values = valuesOf(source, part, entity, store, [field]);
    if (Object.keys(values).length > 0)
      found.push({ op: "set", id, component: store.component.name, values });
  });
  return found;
}

/** The position of an entity among the entities that the follower knows. */
function positionOf(tree: AnyTree, entity: Entity, part: Part): TreePosition {
  const above = tree.parentOf(entity);
  const parent = above === null ? null : part.now(above);
  if (!hasChildren(tree)) return { parent: parent ?? null };
  // Its parent is not included: a root at the follower, in no order.
  if (parent === undefined) return { parent: null };
  const { links, ecs } = treeOf(tree);
  for (let node = links.prev(entity & INDEX_MASK); node !== 0; node = links.prev(node)) {
    const after = part.now(ecs.handleAt(node));
    if (after === undefined) continue;
    // The follower may have other roots, which have a parent here.
    return { parent, after };
  }
  return { parent, after: null };
}

function addOf(source: ChangeSource, entity: Entity, part: Part): AddEntry {
  const { state, trees, follows } = source;
  const stores = (state.archetypeAt(entity & INDEX_MASK) as Archetype).stores.filter(follows);
  const positions = trees.flatMap((tree) => {
    const position = positionOf(tree, entity, part);
    if (!hasChildren(tree)) return position.parent === null ? [] : [[tree.name, position]];
    const name = tree.nameOf(entity);
    return [[tree.name, name === undefined ? position : { ...position, name }]];
  });
  return {
    op: "add",
    id: part.now(entity) as Key,
    components: Object.fromEntries(
      stores.map((store) => [store.component.name, valuesOf(source, part, entity, store)]),
    ),
    positions: Object.fromEntries(positions) as AddEntry["positions"],
  };
}

/** Marks all components that an entity has. */
function markAll({ state }: ChangeSource, traces: Traces, entity: Entity): void {
  const index = entity & INDEX_MASK;
  for (const store of (state.archetypeAt(index) as Archetype).stores) traces.rowsOf(store).mark(index, ALL);
}

/** Written values, component by component. */
function valueEntries(
  source: ChangeSource,
  traces: Traces,
  part: Part,
  added: ReadonlySet<Entity>,
): StreamEntry[] {
  const entries: StreamEntry[] = [];
  for (const [store, rows] of traces.rows) {
    if (source.follows(store)) entries.push(...entriesOf(source, store, rows, part, added));
  }
  return entries;
}

function entriesOf(
  source: ChangeSource,
  store: Store,
  { indices, bits }: ChangedRows,
  part: Part,
  added: ReadonlySet<Entity>,
): StreamEntry[] {
  const { state } = source;
  const component = store.component.name;
  const entries: StreamEntry[] = [];
  /** Grouped by the written fields: mostly the same ones, written by a loop. */
  const groups = new Map<number, { entities: Entity[]; ids: Key[] }>();
  let group: { entities: Entity[]; ids: Key[] } | undefined;
  let groupKey: number | undefined;
  for (const index of indices) {
    const entity = state.handleAt(index);
    const id = part.now(entity);
    if (id === undefined || added.has(entity)) continue;
    if (!state.hasAt(index, store)) {
      entries.push({ op: "set", id, component, values: null });
      continue;
    }
    const key = bits[index] as number;
    if (group === undefined || key !== groupKey) {
      groupKey = key;
      group = groups.get(key) ?? { entities: [], ids: [] };
      groups.set(key, group);
    }
    group.entities.push(entity);
    group.ids.push(id);
  }
  for (const [key, { entities, ids }] of groups) {
    const fields = fieldsIn(store, key).filter(
      (k) => source.followsField?.(component, store.names[k] as string) ?? true,
    );
    // Only fields that are not followed were written; adding the component is followed.
    if (fields.length === 0 && (key & ALL) === 0) continue;
    if (entities.length >= LEAST_ROWS && areColumns(store, fields)) {
      entries.push(readColumns(store, fields, entities, ids));
      continue;
    }
    entities.forEach((entity, k) => {
      const values = valuesOf(source, part, entity, store, fields);
      entries.push({ op: "set", id: ids[k] as Key, component, values });
    });
  }
  return entries;
}

function valuesOf(
  { codecs, followsField }: ChangeSource,
  part: Part,
  entity: Entity,
  store: Store,
  only?: readonly number[],
): FieldValues {
  const { names, fields } = store;
  const component = store.component.name;
  const row = store.rowOf(entity & INDEX_MASK);
  const held = (field: number) => columnOf(store, field)[row];
  let chosen = only === undefined ? undefined : new Set(only);
  if (followsField !== undefined) {
    const all = only ?? names.map((_, k) => k);
    chosen = new Set(all.filter((k) => followsField(component, names[k] as string)));
  }
  return patchValues({ component, entity, names, fields, held }, codecs, (other) => part.now(other), chosen);
}
