/**
 * Giving several entities a parent in one call: all of them, or, if one is refused, none.
 */

import type { Entity } from "../../ecs/index.ts";
import { describeValue, requireFunction, requireList } from "../../ecs/internal.ts";
import { cycleError, InvalidEditError } from "../errors.ts";
import { childNodes } from "../links/measure.ts";
import { entityAt, labelOf, nodeOf, parentNodeOf } from "../nodes.ts";
import type { AttachOptions } from "../options.ts";
import { distinctNodes, requireAttachable, requirePlan } from "../rules/plan.ts";
import { cycle, doomedParent, tooMany } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { keeping } from "./keep.ts";
import { orderingTogether, place, reorder, together } from "./place.ts";
import { beforeNode } from "./position.ts";

/** Puts several under one parent, next to each other and in the given order. */
export function attachMany(
  t: TreeState,
  children: readonly Entity[],
  parent: Entity | null,
  options?: AttachOptions,
): void {
  const { links } = t;
  t.ecs.requireUnasked("attach");
  const to = parentNodeOf(t, parent, "attach");
  const nodes = distinctNodes(t, children, "attach");
  requireAttachable(t, nodes, to);
  const moving = new Set(nodes);
  // The sibling that marks the position may itself be among those that move.
  const before = options === undefined ? 0 : beforeNode(t, 0, to, options, moving);
  // Each goes behind the one before it; the first behind the last of those that stay before the position.
  let previous = before === 0 ? links.last(to) : links.prev(before);
  while (previous !== 0 && moving.has(previous)) previous = links.prev(previous);
  const finish = keeping(
    t,
    options?.keep,
    nodes.map((node) => [node, to]),
  );
  together(t, () => {
    orderingTogether(t, () => {
      for (const node of nodes) {
        place(t, node, to, previous === 0 ? links.first(to) : links.next(previous));
        previous = node;
      }
    });
    finish();
  });
}

/** Carries out several attachments to different parents, in order. */
export function attachAll(
  t: TreeState,
  pairs: readonly (readonly [child: Entity, parent: Entity | null])[],
  keep: string | undefined,
): void {
  const { links } = t;
  t.ecs.requireUnasked("attach");
  const plan = new Map<number, number>();
  const counts = new Map<number, number>();
  const countOf = (node: number) => counts.get(node) ?? links.count(node);
  const parentOf = (node: number) => plan.get(node) ?? links.parent(node);
  requireList(pairs, "attach", "the list of pairs");
  const steps = pairs.map((pair) => {
    requireList(pair, "attach", "a pair of child and parent");
    const [child, parent] = pair;
    const node = nodeOf(t, child, "attach");
    const to = parentNodeOf(t, parent, "attach");
    // An entity that has no children by then cannot be an ancestor.
    const top = countOf(node) === 0 && to !== node ? 0 : to;
    for (let up = top; up > 0; up = parentOf(up)) {
      if (up !== node) continue;
      const chain: Entity[] = [];
      for (let n = to; n !== node; n = parentOf(n)) chain.push(entityAt(t, n));
      chain.push(child);
      throw cycleError(
        chain.reverse(),
        (entity) => labelOf(t, entity),
        "together with the attachments before it, ",
        "Leave one of them out.",
      );
    }
    const from = parentOf(node);
    if (from !== to) {
      const error = doomedParent(t, to, node) ?? tooMany(t, to, 1, countOf(to));
      if (error !== undefined) throw error;
      counts.set(to, countOf(to) + 1);
      counts.set(from, countOf(from) - 1);
    }
    plan.set(node, to);
    return [node, to] as const;
  });
  requirePlan(t, plan, 0, plan.size > 1);
  const finish = keeping(t, keep, plan);
  together(t, () => {
    // What is a root and stays one keeps its position among the roots.
    for (const [node, to] of steps) if (to !== 0 || links.parent(node) !== 0) place(t, node, to, 0);
    finish();
  });
}

/** Makes `children` the children of `parent`, in that order; the others become roots. */
export function replaceChildren(
  t: TreeState,
  parent: Entity,
  children: readonly Entity[],
  keep: string | undefined,
): void {
  const { links } = t;
  t.ecs.requireUnasked("replace the children");
  const to = nodeOf(t, parent, "replace the children");
  const nodes = distinctNodes(t, children, "attach");
  const wanted = new Set(nodes);
  const out = childNodes(t, to).filter((node) => !wanted.has(node));
  for (const node of nodes) {
    const error = cycle(t, node, to) ?? doomedParent(t, to, node);
    if (error !== undefined) throw error;
  }
  const error = tooMany(t, to, nodes.length - links.count(to));
  if (error !== undefined) throw error;
  const plan = new Map(out.map((node) => [node, 0]));
  for (const node of nodes) if (links.parent(node) !== to) plan.set(node, to);
  requirePlan(t, plan);
  const finish = keeping(t, keep, plan);
  together(t, () => {
    for (const node of out) place(t, node, 0, 0);
    nodes.forEach((node, k) => {
      if (links.parent(node) === to) return;
      place(t, node, to, k === 0 ? links.first(to) : links.next(nodes[k - 1]));
    });
    reorder(t, to, nodes);
    finish();
  });
}

/** Sorts the children by keys, each read once. `false` when they are in order already. */
export function sortChildrenBy(
  t: TreeState,
  parent: Entity | null,
  keyOf: (child: Entity) => number | string,
): boolean {
  requireFunction(keyOf, "sort the children", "what gives the key of a child");
  const keys = new Map<Entity, number | string>();
  for (const node of childNodes(t, parentNodeOf(t, parent, "sort the children"))) {
    const child = entityAt(t, node);
    keys.set(child, sortable(t, child, keyOf(child)));
  }
  return sortChildren(t, parent, (a, b) => compareKeys(keys.get(a), keys.get(b)));
}

/** The key of a child, if it is one. @throws InvalidEditError */
export function sortable(t: TreeState, child: Entity, key: number | string): number | string {
  if (typeof key === "string" || (typeof key === "number" && !Number.isNaN(key))) return key;
  throw new InvalidEditError(
    `Cannot sort the children: the key of ${labelOf(t, child)} is ${describeValue(key)}. Give a number or a string for each.`,
    { entities: [child], value: key },
  );
}

/** Numbers before strings; children that came after the keys were read last. */
export function compareKeys(a: number | string | undefined, b: number | string | undefined): number {
  if (a === undefined || b === undefined || typeof a !== typeof b) return rankOf(a) - rankOf(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function rankOf(key: number | string | undefined): number {
  return ["number", "string", "undefined"].indexOf(typeof key);
}

/** Sorts the children. `false` when they are in order already. */
export function sortChildren(
  t: TreeState,
  parent: Entity | null,
  compare: (a: Entity, b: Entity) => number,
): boolean {
  requireFunction(compare, "sort the children", "what compares them");
  t.ecs.requireUnasked("sort the children");
  const { links } = t;
  const node = parentNodeOf(t, parent, "sort the children");
  const sorted = childNodes(t, node)
    .map((child) => entityAt(t, child))
    .sort(compare)
    .map((child) => nodeOf(t, child, "sort the children"));
  if (sorted.length !== links.count(node) || sorted.some((child) => links.parent(child) !== node)) {
    throw new InvalidEditError(
      "Cannot sort the children: the comparison changed them. Compare without changing the tree.",
    );
  }
  return reorder(t, node, sorted);
}
