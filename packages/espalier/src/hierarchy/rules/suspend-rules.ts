/**
 * Applying what was decided elsewhere: the rules are set aside, and what breaks them is listed afterwards. That the tree is a tree is
 * checked as always.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { hasNoRules, type TreeState } from "../state.ts";
import { constrained, duplicateName, tooDeepError, tooMany } from "./refuse.ts";

/** Sets limits, constraints and unique names aside until the function that it gives is called. */
export function suspendRules(t: TreeState): () => void {
  const { constraints } = t;
  t.constraints = [];
  t.isPlain = true;
  return () => {
    t.constraints = constraints;
    t.isPlain = hasNoRules(t);
  };
}

/** The rules that these entities break where they are now, as the errors that would have refused it. */
export function brokenRules(t: TreeState, entities: Iterable<Entity>): Error[] {
  const { links, names } = t;
  const nodes = Array.from(entities, (entity) => entity & INDEX_MASK).filter(
    (node) => links.parent(node) >= 0,
  );
  const families = [...new Set(nodes.map((node) => links.parent(node)))];
  return [
    ...nodes.map((node) => constrained(t, node, links.parent(node))),
    ...untraced(() => [
      ...tooDeep(t, nodes),
      ...families.map((parent) => tooMany(t, parent, 1, links.count(parent) - 1)),
      ...(names.unique ? families.flatMap((parent) => sharedNames(t, parent)) : []),
    ]),
  ].filter((error) => error !== undefined);
}

/** Errors that are listed and never thrown need no stack, making it takes most of the time. */
function untraced<Result>(make: () => Result): Result {
  const { stackTraceLimit } = Error as { readonly stackTraceLimit?: number };
  if (stackTraceLimit === undefined) return make();
  // Where `Error` is frozen, this has no effect.
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    return make();
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}

/** Nodes that are too deep, and those that brought descendants along which are. */
function tooDeep(t: TreeState, nodes: readonly number[]): Error[] {
  const { links, depths } = t;
  const max = t.options.limits?.max;
  if (depths === undefined || max === undefined) return [];
  const deep = nodes
    .map((node) => ({ node, depth: depths.depthOf(node), height: depths.heightOf(node) }))
    .filter(({ depth, height }) => depth + height > max);
  // What one of its own listed children explains is not said of a node a second time.
  const explained = new Set(deep.map(({ node }) => links.parent(node)));
  return deep
    .filter(({ node, depth }) => links.parent(node) > 0 && (depth > max || !explained.has(node)))
    .map(({ node, depth, height }) =>
      tooDeepError(t, node, links.parent(node), depth > max ? depth : depth + height),
    );
}

function sharedNames(t: TreeState, parent: number): Error[] {
  const { links, names } = t;
  const seen = new Map<string, number>();
  const broken: Error[] = [];
  for (let node = links.first(parent); node !== 0; node = links.next(node)) {
    const name = names.of(node);
    if (name === undefined) continue;
    const other = seen.get(name);
    if (other === undefined) seen.set(name, node);
    else broken.push(duplicateName(t, node, parent, other, name));
  }
  return broken;
}
