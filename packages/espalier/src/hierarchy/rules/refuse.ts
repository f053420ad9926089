/**
 * What a hierarchy refuses, and why: cycles, limits, constraints, names used twice.
 *
 * Nothing here changes anything. A refusal is the error that the editing call throws before it begins.
 */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { shortText } from "../../ecs/internal.ts";
import {
  type CircularHierarchyError,
  ConstraintError,
  cycleError,
  DuplicateNameError,
  HierarchyTooDeepError,
  InvalidEditError,
  TooManyChildrenError,
} from "../errors.ts";
import type { Depths } from "../links/depths.ts";
import { isInside, nodesUpTo } from "../links/measure.ts";
import { pathOf } from "../names/find.ts";
import { entityAt, entityOrNull, labelAt, labelOf } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import type { Constraint } from "./constraints.ts";

/** Why `child` cannot go under `parent`, as the error that would be thrown; nothing if it can. */
export function refusal(t: TreeState, child: number, parent: number): Error | undefined {
  if (t.ecs.doomed.size !== 0 && t.links.parent(child) !== parent) {
    const error = certainlyDoomed(t, child);
    if (error !== undefined) return error;
  }
  if (parent !== 0) {
    // Usually there is nothing to check: a leaf is not an ancestor, and nothing is being destroyed.
    if (child === parent || t.links.first(child) !== 0 || t.ecs.doomed.size !== 0) {
      const error = cycle(t, child, parent) ?? doomedParent(t, parent, child);
      if (error !== undefined) return error;
    }
  }
  if (t.isPlain || t.links.parent(child) === parent) return undefined;
  return (
    tooMany(t, parent, 1) ??
    tooDeep(t, child, parent) ??
    constrained(t, child, parent) ??
    nameTaken(t, child, parent)
  );
}

/** Why no new entity can be created under `parent`, whatever its components are. */
export function refusalOfNew(t: TreeState, parent: number): Error | undefined {
  return (
    doomedParent(t, parent) ??
    (parent === 0 || t.isPlain ? undefined : (tooMany(t, parent, 1) ?? tooDeep(t, 0, parent)))
  );
}

/** Whether the rules let a child of a dying parent go under `parent`, which has `count` children by then. */
export function mayGo(t: TreeState, child: number, parent: number, count = 0): boolean {
  return (
    doomedParent(t, parent, child) === undefined &&
    tooMany(t, parent, 1, count) === undefined &&
    constrained(t, child, parent) === undefined
  );
}

/** A parent that is being destroyed accepts no children, except those that are destroyed with it. */
export function doomedParent(t: TreeState, parent: number, child = 0): Error | undefined {
  return t.ecs.doomed.size === 0 ? undefined : refusalOfDoomed(t, parent, child);
}

/** An entity whose observers of its end have run can no longer be saved. */
export function certainlyDoomed(t: TreeState, child: number): Error | undefined {
  if (!t.ecs.doomed.isCertain(child)) return undefined;
  return new InvalidEditError(
    `Cannot move ${labelAt(t, child)}: it is being destroyed, and its observers have run. Move it before its turn, in onDestroying().`,
    { entities: [entityAt(t, child)] },
  );
}

function refusalOfDoomed(t: TreeState, parent: number, child: number): Error | undefined {
  const { doomed } = t.ecs;
  if (!doomed.has(parent)) return undefined;
  if (child !== 0 && (doomed.has(child) || t.links.parent(child) === parent)) return undefined;
  const what = child === 0 ? "a new entity" : labelAt(t, child);
  return new InvalidEditError(
    `Cannot attach ${what} to ${labelAt(t, parent)}: it is being destroyed and accepts no children. Attach it to another parent, or leave it a root.`,
    { entities: [entityAt(t, parent)] },
  );
}

export function cycle(t: TreeState, child: number, parent: number): CircularHierarchyError | undefined {
  // A leaf is not an ancestor; only attaching it to itself is left.
  if (child !== parent && t.links.first(child) === 0) return undefined;
  if (parent === 0 || !isInside(t, parent, child)) return undefined;
  const chain = [child, ...nodesUpTo(t, parent, child).reverse()].map((node) => entityAt(t, node));
  return cycleError(chain, (entity) => labelOf(t, entity));
}

/** @param joining How many children come to `parent` in this call; `count` are there when they do. */
export function tooMany(
  t: TreeState,
  parent: number,
  joining: number,
  count: number = t.links.count(parent),
): Error | undefined {
  const max = t.options.maxChildren;
  if (max === undefined || parent === 0 || joining <= 0 || count + joining <= max) return undefined;
  return new TooManyChildrenError(
    `Cannot give ${labelAt(t, parent)} ${joining === 1 ? "another child" : `${joining} further children`}: it has ${count} and ${t.name} allows ${max}. Detach one first, or raise maxChildren.`,
    { entities: [entityAt(t, parent)], limit: max },
  );
}

/** @param child 0 for an entity that is to be created. */
function tooDeep(t: TreeState, child: number, parent: number): Error | undefined {
  const maxDepth = t.options.limits?.max;
  // No tree has more levels than there are entities.
  if (maxDepth === undefined || parent === 0 || t.ecs.table.alive < maxDepth) return undefined;
  const depths = t.depths as Depths;
  const deepest = depths.depthOf(parent) + 1 + (child === 0 ? 0 : depths.heightOf(child));
  return deepest <= maxDepth ? undefined : tooDeepError(t, child, parent, deepest);
}

export function tooDeepError(t: TreeState, child: number, parent: number, depth: number): Error {
  return new HierarchyTooDeepError(
    `Cannot ${child === 0 ? "create an entity" : `move ${labelAt(t, child)}`} under ${labelAt(t, parent)}: the tree would get ${depth} levels below its root and ${t.name} allows ${t.options.limits?.max}. Attach it higher up, or raise max of its depthLimit().`,
    { entities: entitiesAt(t, child, parent), limit: t.options.limits?.max, depth },
  );
}

export function constrained(t: TreeState, child: number, parent: number): Error | undefined {
  const label = (entity: Entity) => labelOf(t, entity);
  for (const constraint of t.constraints) {
    const why = t.ecs.ask(() => constraint.attach?.(entityAt(t, child), entityOrNull(t, parent), label));
    if (why === undefined) continue;
    const name = labelAt(t, child);
    const doing = parent === 0 ? `detach ${name}` : `attach ${name} to ${labelAt(t, parent)}`;
    return constraintError(t, constraint, doing, why, entitiesAt(t, child, parent));
  }
  return undefined;
}

/** The entities of those nodes that are none of the top. */
function entitiesAt(t: TreeState, ...nodes: readonly number[]): Entity[] {
  return nodes.filter((node) => node !== 0).map((node) => entityAt(t, node));
}

export function constraintError(
  t: TreeState,
  { name }: Constraint,
  doing: string,
  why: string,
  entities: readonly Entity[],
): ConstraintError {
  return new ConstraintError(`Cannot ${doing}: ${why} (constraint ${name} of ${t.name}).`, {
    entities,
    constraint: name,
    reason: why,
  });
}

/** Why a child of `parent` cannot have the name; only where names are unique. */
export function nameTaken(
  t: TreeState,
  node: number,
  parent: number,
  name = t.names.of(node),
): DuplicateNameError | undefined {
  if (!t.names.unique || name === undefined) return undefined;
  const other = t.names.find(parent, name);
  return other === 0 || other === node ? undefined : duplicateName(t, node, parent, other, name);
}

/** @param other A child of `parent`, or one that would become so in the same call, with that name. */
export function duplicateName(
  t: TreeState,
  node: number,
  parent: number,
  other: number,
  name: string,
): DuplicateNameError {
  return new DuplicateNameError(
    `Cannot have two ${parent === 0 ? "roots" : "siblings"} named ${describeValue(name)}${parent === 0 ? "" : ` under ${labelAt(t, parent)}`}: ${labelAt(t, other)} at ${shortText(pathOf(t, entityAt(t, other)))} has that name already. Rename one, or leave out uniqueNames.`,
    { entities: entitiesAt(t, node, other), value: name },
  );
}
