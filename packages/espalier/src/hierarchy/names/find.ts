/**
 * Following paths: `find("../hull/turret")`.
 */
import { describeValue, type Entity, generationOf, indexOf } from "../../ecs/index.ts";
import { InvalidPathError } from "../errors.ts";
import { childNodes, commonAncestorAt, nodesUpTo, subtreeNodes } from "../links/measure.ts";
import { entityAt, entityOrNull, isEntityAt, nodeOf, parentNodeOf } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import { isPlain, type PathStep, parsePath, quoteSegment } from "./paths.ts";

const SLASH = 47;

/** The entity at the end of a path, or `null`. */
export function find(t: TreeState, path: string, from: Entity | null): Entity | null {
  if (isPlain(path)) return findPlain(t, path, from);
  const parsed = parsePath(path);
  if (parsed.steps.some((step) => step.kind === "glob" || step.kind === "any")) {
    throw new InvalidPathError(
      `Cannot find ${describeValue(path)}: it has wildcards. Use findAll(), or escape them with \\.`,
      { path, value: path },
    );
  }
  return findAll(t, path, from)[0] ?? null;
}

/** All entities that match a pattern, in tree order, each once. */
export function findAll(t: TreeState, pattern: string, from: Entity | null): Entity[] {
  const { absolute, steps } = parsePath(pattern);
  const start = parentNodeOf(t, absolute ? null : from, "find by path");
  let current = new Set([start]);
  for (const step of steps) {
    const next = new Set<number>();
    for (const node of current) for (const found of matches(t, node, step)) next.add(found);
    current = next;
  }
  current.delete(0);
  // Going down one level after the other finds them in tree order already.
  const goesUp = steps.some(({ kind }) => kind === "up");
  const isOrdered = !goesUp && !steps.some(({ kind }) => kind === "any");
  if (current.size < 2 || isOrdered) return Array.from(current, (node) => entityAt(t, node));
  const found: Entity[] = [];
  for (const node of subtreeNodes(t, goesUp ? 0 : start))
    if (current.has(node)) found.push(entityAt(t, node));
  return found;
}

/** A path that leads to the entity from the roots. */
export function pathOf(t: TreeState, entity: Entity): string {
  const nodes = nodesUpTo(t, nodeOf(t, entity, "read the path"), 0);
  return `/${segments(t, nodes)}`;
}

/** A path that leads to `entity` from `from`; through the roots when they are in different trees. */
export function relativePath(t: TreeState, from: Entity, entity: Entity): string {
  const start = nodeOf(t, from, "read the path");
  const goal = nodeOf(t, entity, "read the path");
  const top = commonAncestorAt(t, start, goal);
  if (top === 0) return pathOf(t, entity);
  const ups = nodesUpTo(t, start, top).map(() => "..");
  const down = segments(t, nodesUpTo(t, goal, top));
  return [...ups, ...(down === "" ? [] : [down])].join("/") || ".";
}

/** A path without wildcards, escapes, numbers and dots: names and nothing else. */
function findPlain(t: TreeState, path: string, from: Entity | null): Entity | null {
  let start = path.charCodeAt(0) === SLASH ? 1 : 0;
  let node = parentNodeOf(t, start === 1 ? null : from, "find by path");
  for (;;) {
    const end = path.indexOf("/", start);
    const name = end < 0 ? path.slice(start) : path.slice(start, end);
    if (end < 0) return entityOrNull(t, t.names.find(node, name));
    const found = t.names.findEvery(node, name);
    if (found.length === 0) return null;
    // The first of several may not lead on, where another does.
    if (found.length > 1) return findAll(t, path, from)[0] ?? null;
    node = found[0];
    start = end + 1;
  }
}

/** Segments that lead down to the first of `nodes`, each the parent of the one before it. */
function segments(t: TreeState, nodes: readonly number[]): string {
  return nodes
    .map((node) => segment(t, node))
    .reverse()
    .join("/");
}

function segment(t: TreeState, node: number): string {
  const name = t.names.of(node);
  if (name !== undefined && t.names.find(t.links.parent(node), name) === node) return quoteSegment(name);
  const generation = generationOf(entityAt(t, node));
  return generation === 0 ? `#${node}` : `#${node}v${generation}`;
}

/** All nodes that one step leads to. */
function matches(t: TreeState, node: number, step: PathStep): Iterable<number> {
  const { links, names } = t;
  switch (step.kind) {
    case "self":
      return [node];
    case "up":
      // Above the roots there is nothing to stand on.
      return node === 0 ? [] : [links.parent(node)];
    case "any":
      return subtreeNodes(t, node);
    case "id": {
      const child = indexOf(step.entity);
      return isEntityAt(t, child, step.entity) && links.parent(child) === node ? [child] : [];
    }
    case "name":
      return names.findEvery(node, step.name);
    default:
      return childNodes(t, node).filter((child) => {
        const name = names.of(child);
        return name !== undefined && step.pattern.test(name);
      });
  }
}
