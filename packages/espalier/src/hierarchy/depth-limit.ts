/**
 * A limit of how deep trees get, as a value: programs without one do not carry what keeps it.
 */
import { describeValue, requireObject } from "../ecs/internal.ts";
import { warnIfDeep } from "./edit/warn-depth.ts";
import { InvalidHierarchyError } from "./errors.ts";
import { Depths } from "./links/depths.ts";
import type { DepthLimit } from "./links/forms.ts";
import type { TreeState } from "./state.ts";

/**
 * For `createHierarchy(world, { limits: depthLimit({ max: 100, warn: 8 }) })`: `max` refuses trees with more levels below the root than this, `warn`
 * warns of them, once per root. Every edit then asks how deep it is, in O(log n).
 *
 * @throws InvalidHierarchyError
 *
 * @example
 * ```ts
 * const tree = createHierarchy(world, { name: "flat", limits: depthLimit({ max: 1 }) });
 * const child = tree.attachNew(world.spawn());
 * tree.attachNew(child); // throws HierarchyTooDeepError
 * ```
 */
export function depthLimit(levels: { readonly max?: number; readonly warn?: number }): DepthLimit {
  requireObject(levels, "limit the depth of a hierarchy", "the limit");
  const { max, warn } = levels;
  if (max === undefined && warn === undefined) {
    throw new InvalidHierarchyError(
      "Cannot limit the depth of a hierarchy by nothing. Give max, warn, or both.",
      {
        option: "limits",
      },
    );
  }
  requireLevels("max", max);
  requireLevels("warn", warn);
  return {
    max,
    warn,
    createDepths: (links) => new Depths(links),
    warnIfDeep: (tree, depths, child, parent) => warnIfDeep(tree as TreeState, depths, child, parent),
  };
}

function requireLevels(option: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return;
  throw new InvalidHierarchyError(
    `Cannot limit the depth of a hierarchy with ${option} ${describeValue(value)}. Give an integer of at least 0.`,
    { option, value },
  );
}
