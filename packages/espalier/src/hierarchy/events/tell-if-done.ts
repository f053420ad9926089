/**
 * Listeners of a tree and calls that may be taken back.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";

/**
 * Runs `work` and tells the listeners of the tree when it is done. When it throws, they do not hear of what was taken back.
 *
 * @param takenBack - The entities that were; nothing for all that happened.
 */
export function tellIfDone<Result>(
  tree: Hierarchy,
  takenBack: () => ReadonlySet<Entity> | undefined,
  work: () => Result,
): Result {
  const { notices } = treeOf(tree);
  const { mark } = notices;
  notices.hold();
  try {
    return work();
  } catch (error) {
    notices.cut(mark, takenBack());
    throw error;
  } finally {
    notices.release();
  }
}
