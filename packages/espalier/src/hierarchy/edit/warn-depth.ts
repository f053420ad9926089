/**
 * `warnDepth`: a warning, once per root, when a tree gets too many levels.
 */
import { heightAt } from "../links/measure.ts";
import { entityAt, labelAt, labelOf } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** `child` came under `parent`. */
export function warnIfDeep(t: TreeState, child: number, parent: number): void {
  const limit = t.options.warnDepth as number;
  let depth = 1;
  let root = parent;
  for (let up = t.links.parent(root); up > 0; up = t.links.parent(up)) {
    root = up;
    // The tree was too deep before this child came, and that was told then.
    if (++depth > limit + 1) return;
  }
  const entity = entityAt(t, root);
  if (depth + heightAt(t, child, limit - depth) <= limit || t.warnedRoots.has(entity)) return;
  t.warnedRoots.add(entity);
  const warn = t.options.onWarn ?? ((message: string) => console.warn(message));
  const message = `The tree of ${labelOf(t, entity)} got more than ${limit} levels when ${labelAt(t, child)} came under ${labelAt(t, parent)} (warnDepth of ${t.name}). Consider a flatter one.`;
  t.notices.later(() => warn(message));
}
