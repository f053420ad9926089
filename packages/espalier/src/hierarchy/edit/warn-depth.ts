/**
 * `depthLimit({ warn })`: a warning, once per root, when a tree gets too many levels.
 */
import type { Depths } from "../links/depths.ts";
import { entityAt, labelAt, labelOf } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** `child` came under `parent`, in a tree of limited depth. */
export function warnIfDeep(t: TreeState, depths: Depths, child: number, parent: number): void {
  const limit = t.options.limits?.warn;
  // No tree has more levels than there are entities.
  if (limit === undefined || parent === 0 || t.ecs.table.alive < limit) return;
  const depth = depths.depthOf(parent) + 1;
  // The tree was too deep before this child came, and the warning came then.
  if (depth > limit + 1 || depth + depths.heightOf(child) <= limit) return;
  const root = entityAt(t, depths.rootOf(parent));
  if (t.warnedRoots.has(root)) return;
  t.warnedRoots.add(root);
  const warn = t.options.onWarn ?? ((message: string) => console.warn(message));
  const message = `The tree of ${labelOf(t, root)} got more than ${limit} levels when ${labelAt(t, child)} came under ${labelAt(t, parent)} (depthLimit of ${t.name}). Consider a flatter one.`;
  t.notices.later(() => warn(message));
}
