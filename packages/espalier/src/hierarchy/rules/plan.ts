/**
 * Several changes that are made together are judged by what all of them lead to.
 */

import type { Entity } from "../../ecs/index.ts";
import { requireList } from "../../ecs/internal.ts";
import { InvalidEditError } from "../errors.ts";
import type { Depths } from "../links/depths.ts";
import { labelOf, nodeOf } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import {
  certainlyDoomed,
  constrained,
  cycle,
  doomedParent,
  duplicateName,
  tooDeepError,
  tooMany,
} from "./refuse.ts";

/** Changes that are meant to be made together: node → parent. */
export type Plan = ReadonlyMap<number, number>;

/** The nodes of a list in which each entity may stand once. */
export function distinctNodes(t: TreeState, entities: readonly Entity[], doing: string): number[] {
  requireList(entities, doing, "the list of entities");
  const seen = new Set<number>();
  for (const entity of entities) {
    const node = nodeOf(t, entity, doing);
    if (seen.has(node)) {
      throw new InvalidEditError(
        `Cannot ${doing} ${labelOf(t, entity)} twice in one call. List each entity once.`,
        { entities: [entity] },
      );
    }
    seen.add(node);
  }
  return [...seen];
}

/** Throws when one of `nodes` cannot go under `to` together with the others. */
export function requireAttachable(t: TreeState, nodes: readonly number[], to: number): void {
  if (t.ecs.doomed.size !== 0) requireNotDoomed(t, nodes, () => to);
  if (to !== 0) {
    for (const node of nodes) {
      const error = cycle(t, node, to) ?? doomedParent(t, to, node);
      if (error !== undefined) throw error;
    }
  }
  if (t.isPlain) return;
  const joining = nodes.filter((node) => t.links.parent(node) !== to);
  const error = tooMany(t, to, joining.length);
  if (error !== undefined) throw error;
  requirePlan(t, new Map(joining.map((node) => [node, to])));
}

/**
 * Throws when a constraint, a limit of depth or a name stands against the outcome of a plan.
 * @param leaving A node whose name does not count, because it is about to be destroyed.
 * @param targetsMove Whether the plan also moves the parents that it names, or what is above them.
 */
export function requirePlan(t: TreeState, plan: Plan, leaving = 0, targetsMove = false): void {
  if (t.ecs.doomed.size !== 0) requireNotDoomed(t, [...plan.keys()], (node) => plan.get(node) as number);
  if (t.isPlain) return;
  for (const [node, to] of plan) {
    const error = t.links.parent(node) === to ? undefined : constrained(t, node, to);
    if (error !== undefined) throw error;
  }
  requireDepths(t, plan, targetsMove);
  requireNames(t, plan, leaving);
}

/** Throws when one of those that get another parent is being destroyed and can no longer be saved. */
function requireNotDoomed(t: TreeState, nodes: readonly number[], to: (node: number) => number): void {
  for (const node of nodes) {
    const error = t.links.parent(node) === to(node) ? undefined : certainlyDoomed(t, node);
    if (error !== undefined) throw error;
  }
}

/** The deepest level that a plan leads to, by each of its changes. */
function requireDepths(t: TreeState, plan: Plan, targetsMove: boolean): void {
  const maxDepth = t.options.limits?.max;
  if (maxDepth === undefined) return;
  const depths = t.depths as Depths;
  const planned = new Map<number, number>();
  for (const [top, to] of plan) {
    if (to === 0) continue;
    const above = (targetsMove ? plannedDepth(t, to, plan, planned) : depths.depthOf(to)) + 1;
    // Without what the plan moves it may be less: that is judged by itself, by a walk.
    if (above + depths.heightOf(top) <= maxDepth) continue;
    const deepest = above + heightWithout(t, top, plan);
    if (deepest > maxDepth) throw tooDeepError(t, top, to, deepest);
  }
}

/** How many ancestors a node has once the plan is carried out. Each node is asked once: `depths` keeps the answers. */
function plannedDepth(t: TreeState, node: number, plan: Plan, depths: Map<number, number>): number {
  const way: number[] = [];
  let up = node;
  while (up > 0 && !depths.has(up)) {
    way.push(up);
    up = plan.get(up) ?? t.links.parent(up);
  }
  let depth = up > 0 ? (depths.get(up) as number) : -1;
  for (let k = way.length - 1; k >= 0; k--) depths.set(way[k], ++depth);
  return depth;
}

/** Levels below `top`, without what the plan moves. */
function heightWithout({ links }: TreeState, top: number, plan: Plan): number {
  let height = 0;
  const stack: number[] = [top, 0];
  while (stack.length > 0) {
    const depth = stack.pop() as number;
    const node = stack.pop() as number;
    height = Math.max(height, depth);
    for (let child = links.first(node); child !== 0; child = links.next(child)) {
      if (!plan.has(child)) stack.push(child, depth + 1);
    }
  }
  return height;
}

function requireNames(t: TreeState, plan: Plan, leaving: number): void {
  const { names } = t;
  if (!names.unique) return;
  const taken = new Map<string, number>();
  for (const [node, parent] of plan) {
    const name = names.of(node);
    if (name === undefined) continue;
    const path = `${parent}/${name}`;
    const there = names.find(parent, name);
    const isStaying = there !== 0 && there !== node && there !== leaving && !plan.has(there);
    const other = taken.get(path) ?? (isStaying ? there : undefined);
    if (other !== undefined) throw duplicateName(t, node, parent, other, name);
    taken.set(path, node);
  }
}
