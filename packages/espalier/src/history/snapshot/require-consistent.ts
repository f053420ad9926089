/**
 * Checks that the parts of a state fit together, before any of it is used.
 */
import { type Entity, fieldTypeOf, generationOf } from "../../ecs/index.ts";
import { type HeldRefs, INDEX_MASK, isHandle } from "../../ecs/internal.ts";
import type { TreeState, WorldState } from "../state.ts";
import { requireFit } from "./form.ts";
import { HandleSet } from "./handle-set.ts";

/** Throws for contradictions in a state. */
export function requireConsistent(state: WorldState): void {
  const known = new HandleSet();
  for (const entity of state.entities)
    requireFit(isHandle(entity) && known.add(entity), "not an entity, or listed twice", entity);
  requireFit(state.root === undefined || known.has(state.root), "its root is not among the entities");
  requireGroups(state);
  requireValues(state, known);
  requireIndices(state, known);
  for (const tree of state.trees) requireTree(tree, known, state.root === undefined);
}

function requireGroups({ groups, components, entities }: WorldState): void {
  let at = 0;
  const sets = new Set<string>();
  const lengths = components.map(() => 0);
  for (const { from, to, components: own } of groups) {
    requireFit(from === at && to >= from, "groups overlap");
    at = to;
    sets.add(own.join());
    for (const component of own) (lengths[component] as number) += to - from;
  }
  requireFit(sets.size === groups.length, "two groups have the same components");
  requireFit(at === entities.length, "entities without a group");
  components.forEach(({ name, columns }, c) => {
    requireFit(
      columns.every((column) => column.length === lengths[c]),
      "a column of wrong length",
      name,
    );
  });
}

/**
 * Columns hold values of their kinds, and references refer to living or former entities. In a subtree they may refer to
 * entities outside.
 */
function requireValues({ components, indices }: WorldState, known: HandleSet): void {
  const isReference = (value: number) =>
    value === 0 ||
    (isHandle(value) &&
      (indices === undefined ||
        known.has(value) ||
        generationOf(value) < (indices.generations[value & INDEX_MASK] ?? 0)));
  for (const { fields, columns } of components) {
    fields.forEach((field, k) => {
      const { valueKind, holds } = fieldTypeOf(field);
      if (valueKind === "entities") {
        for (const held of columns[k] as unknown[])
          requireFit(areReferences(held, isReference), "not a value of that field", field.name);
        return;
      }
      const isRight = valueKind === "entity" ? isReference : holds;
      if (isRight === undefined) return;
      for (const value of columns[k] as ArrayLike<number> & Iterable<number>)
        requireFit(isRight(value, field.names), "not a value of that field", value);
    });
  }
}

/** Whether it is the value of a field of several references: each target once, with its data. */
function areReferences(held: unknown, isReference: (value: number) => boolean): held is HeldRefs {
  const { targets, data } = Object(held) as { readonly [part in keyof HeldRefs]?: unknown };
  if (!Array.isArray(targets) || new Set(targets).size !== targets.length) return false;
  if (!targets.every((target) => isHandle(target) && isReference(target))) return false;
  if (data === null) return true;
  const isPairOf = (pair: unknown, k: number) => (Object(pair) as { target?: unknown }).target === targets[k];
  return Array.isArray(data) && data.length === targets.length && data.every(isPairOf);
}

/** Every allocated index is in use, free or retired, and its generation is that of its handle. */
function requireIndices({ indices }: WorldState, known: HandleSet): void {
  if (indices === undefined) return;
  const { used, generations, free } = indices;
  requireFit(
    used <= INDEX_MASK && generations.length === used + 1,
    "its generations are not one for each index",
  );
  requireFit(
    generations.every((generation) => generation >= 0),
    "a generation is negative",
  );
  const isTaken = new Uint8Array(used + 1);
  for (const entity of known.list) {
    const index = entity & INDEX_MASK;
    requireFit(
      generations[index] === generationOf(entity),
      "an entity has another generation than its index",
      entity,
    );
    isTaken[index] = 1;
  }
  for (const index of free) {
    requireFit(index > 0 && isTaken[index] === 0, "not a free index", index);
    isTaken[index] = 1;
  }
}

function requireTree(tree: TreeState, known: HandleSet, isWhole: boolean): void {
  const { name, isUp, parents, counts, children, names } = tree;
  const fit = (fits: boolean, why: string) => requireFit(fits, why, name);
  fit(parents.length === counts.length, "families of unknown size");
  const listed = new HandleSet();
  const listedParents = new HandleSet();
  // Where parents come first there is no cycle.
  const areParentsFirst = isWhole && !isUp;
  const parentOf = new Map<number, number>();
  let at = 0;
  for (let k = 0; k < parents.length; k++) {
    const parent = parents[k] as number;
    const end = at + (counts[k] as number);
    fit(end >= at && end <= children.length && (!isUp || end === at + 1), "families of unknown size");
    if (parent !== 0) {
      fit(isHandle(parent) && (!isWhole || known.has(parent)), "a parent is not an entity");
      fit(!areParentsFirst || listed.has(parent), "a parent before its own parent");
    }
    if (!isUp) fit(parent === 0 ? k === 0 : listedParents.add(parent as Entity), "a parent is listed twice");
    for (; at < end; at++) {
      const child = children[at] as number;
      fit(
        isHandle(child) && listed.add(child) && (!isWhole || known.has(child)),
        "a child is listed twice or is not an entity",
      );
      if (!areParentsFirst) parentOf.set(child, parent);
    }
  }
  fit(at === children.length, "children without a parent");
  fit(!areParentsFirst || listed.size === known.size, "entities are in no family");
  fit(!hasCircle(parentOf), "an entity is its own ancestor");
  fit(!isUp || names.size === 0, "names in a hierarchy without names");
  for (const [entity, text] of names) {
    fit(known.has(entity), "a name belongs to no entity");
    fit(!["", ".", ".."].includes(text), "a name that no entity can have");
  }
}

function hasCircle(parentOf: ReadonlyMap<number, number>): boolean {
  const clear = new Set<number | undefined>([0, undefined]);
  for (const start of parentOf.keys()) {
    const way = new Set<number | undefined>();
    for (let at: number | undefined = start; !clear.has(at); at = parentOf.get(at as number)) {
      if (way.has(at)) return true;
      way.add(at);
    }
    for (const entity of way) clear.add(entity);
  }
  return false;
}
