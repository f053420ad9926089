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
  const { links, options, names } = t;
  const broken: Error[] = [];
  const families = new Set<number>();
  for (const entity of entities) {
    const node = entity & INDEX_MASK;
    if (links.parent(node) < 0) continue;
    const parent = links.parent(node);
    families.add(parent);
    const error = constrained(t, node, parent);
    if (error !== undefined) broken.push(error);
    const depth = t.depths?.depthOf(node) ?? 0;
    const max = options.limits?.max;
    if (max !== undefined && depth > max) broken.push(tooDeepError(t, node, parent, depth));
  }
  for (const parent of families) {
    const error = tooMany(t, parent, 1, links.count(parent) - 1);
    if (error !== undefined) broken.push(error);
    if (names.unique) broken.push(...sharedNames(t, parent));
  }
  return broken;
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
