/**
 * Whether the parts of a state fit together, asked before anything of it is used.
 */
import { type Entity, fieldTypeOf, generationOf } from "../../ecs/index.ts";
import { INDEX_MASK, isHandle } from "../../ecs/internal.ts";
import type { GroupState, TreeState, WorldState } from "../state.ts";
import { HandleSet } from "./handle-set.ts";

/** What in a state cannot be, in words; nothing when all is well. */
export function contradiction(state: WorldState): string | undefined {
  const known = new HandleSet();
  for (const entity of state.entities) {
    if (!isHandle(entity) || !known.add(entity)) return `entity ${entity} is there twice or is none`;
  }
  if (state.root !== undefined && !known.has(state.root)) return "its root is not among the entities";
  return (
    groupContradiction(state) ??
    valueContradiction(state, known) ??
    placeContradiction(state, known) ??
    treesContradiction(state, known)
  );
}

function groupContradiction(state: WorldState): string | undefined {
  let at = 0;
  const sets = new Set<string>();
  const lengths = new Float64Array(state.components.length);
  for (const { from, to, components } of state.groups as GroupState[]) {
    if (from !== at || to < from) return "groups overlap";
    at = to;
    const set = components.join();
    if (sets.has(set)) return "two groups have the same components";
    sets.add(set);
    for (const component of components) lengths[component] = (lengths[component] as number) + to - from;
  }
  if (at !== state.entities.length) return "entities without a group";
  for (const [c, { columns }] of state.components.entries()) {
    if (columns.some((column) => column.length !== lengths[c])) return "a column of wrong length";
  }
  return undefined;
}

/** Columns hold what their kinds allow, and references lead to those who live or lived. Of a subtree they may lead out of it. */
function valueContradiction(state: WorldState, known: HandleSet): string | undefined {
  const generations = state.places?.generations;
  const isReference = (value: number) =>
    value === 0 ||
    (isHandle(value) &&
      (generations === undefined ||
        known.has(value) ||
        generationOf(value) < (generations[value & INDEX_MASK] ?? 0)));
  for (const { name, fields, columns } of state.components) {
    for (const [k, field] of fields.entries()) {
      const column = columns[k] as ArrayLike<number>;
      const { valueKind, holds } = fieldTypeOf(field);
      const isRight = valueKind === "entity" ? isReference : holds;
      if (isRight === undefined) continue;
      for (let row = 0; row < column.length; row++) {
        const value = column[row] as number;
        if (!isRight(value, field.names)) return `${name}.${field.name} holds ${value}`;
      }
    }
  }
  return undefined;
}

/** Every place that was given out is lived in, free, or at rest, and counted as often as its handle says. */
function placeContradiction({ places, entities }: WorldState, known: HandleSet): string | undefined {
  if (places === undefined) return undefined;
  const { used, generations, free } = places;
  if (used > INDEX_MASK || generations.length !== used + 1) return "its places are not those that were used";
  if (generations.some((generation) => generation < 0)) return "a place was used less than never";
  for (const entity of entities as unknown as Iterable<Entity>) {
    const index = entity & INDEX_MASK;
    if (index > used || generations[index] !== generationOf(entity)) return `entity ${entity} has no place`;
  }
  const isTaken = new Uint8Array(used + 1);
  for (const entity of known.list) isTaken[entity & INDEX_MASK] = 1;
  for (const index of free) {
    if (index < 1 || index > used || isTaken[index] === 1) return `place ${index} is not free`;
    isTaken[index] = 1;
  }
  return undefined;
}

function treesContradiction(state: WorldState, known: HandleSet): string | undefined {
  for (const tree of state.trees) {
    const wrong =
      familyContradiction(tree, known, state.root === undefined) ?? nameContradiction(tree, known);
    if (wrong !== undefined) return `${tree.name}: ${wrong}`;
  }
  return undefined;
}

function familyContradiction(tree: TreeState, known: HandleSet, isWhole: boolean): string | undefined {
  const { parents, counts, children } = tree;
  if (parents.length !== counts.length) return "families of unknown size";
  const listed = new HandleSet();
  const listedParents = new HandleSet();
  // Where parents come first there is no circle.
  const parentOf = isWhole && !tree.isUp ? undefined : new Map<number, number>();
  let at = 0;
  for (let k = 0; k < parents.length; k++) {
    const parent = parents[k] as number;
    const size = counts[k] as number;
    if (size < 0 || at + size > children.length || (tree.isUp && size !== 1))
      return "families of unknown size";
    if (parent !== 0 && !isHandle(parent)) return `parent ${parent} is not an entity`;
    if (isWhole && parent !== 0 && !known.has(parent)) return `parent ${parent} is not an entity`;
    if (isWhole && !tree.isUp && parent !== 0 && !listed.has(parent)) return "a parent before its own parent";
    if (!tree.isUp && parent !== 0 && !listedParents.add(parent as Entity)) {
      return `the children of ${parent} are there twice`;
    }
    if (!tree.isUp && parent === 0 && k > 0) return "the roots are there twice";
    for (const end = at + size; at < end; at++) {
      const child = children[at] as number;
      if (!isHandle(child) || !listed.add(child) || (isWhole && !known.has(child)))
        return `child ${child} is there twice or is not an entity`;
      parentOf?.set(child, parent);
    }
  }
  if (at !== children.length) return "children without a parent";
  if (isWhole && !tree.isUp && listed.size !== known.size) return "entities without a place";
  return parentOf !== undefined && hasCircle(parentOf) ? "an entity is its own ancestor" : undefined;
}

function hasCircle(parentOf: ReadonlyMap<number, number>): boolean {
  const clear = new Set<number>();
  for (const start of parentOf.keys()) {
    const way = new Set<number>();
    let at: number | undefined = start;
    while (at !== undefined && at !== 0 && !clear.has(at)) {
      if (way.has(at)) return true;
      way.add(at);
      at = parentOf.get(at);
    }
    for (const entity of way) clear.add(entity);
  }
  return false;
}

function nameContradiction({ names, isUp }: TreeState, known: HandleSet): string | undefined {
  if (isUp && names.size > 0) return "names where there are none";
  for (const [entity, name] of names) {
    if (!known.has(entity)) return `the name ${JSON.stringify(name)} belongs to no entity`;
    if (name === "" || name === "." || name === "..") return `${JSON.stringify(name)} is not a name`;
  }
  return undefined;
}
