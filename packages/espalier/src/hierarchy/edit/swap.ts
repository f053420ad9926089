/**
 * Changing positions: of one among its siblings, or of two with each other.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import { describeValue } from "../../ecs/internal.ts";
import { CircularHierarchyError, InvalidEditError } from "../errors.ts";
import { isInside, nodesUpTo } from "../links/measure.ts";
import { entityAt, labelAt, labelOf, nodeOf } from "../nodes.ts";
import type { AttachOptions } from "../options.ts";
import { requirePlan } from "../rules/plan.ts";
import { doomedParent } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { keeping } from "./keep.ts";
import { orderingTogether, place, together } from "./place.ts";
import { beforeNode } from "./position.ts";

/** A position among the siblings. */
export type SiblingPosition =
  | number
  | "first"
  | "last"
  | {
      /** The sibling that it goes before. */
      readonly before: EntityLike;
    }
  | {
      /** The sibling that it goes behind. */
      readonly after: EntityLike;
    };

/** Moves a child to another position among its siblings. `false` when it is there already. */
export function moveChild(t: TreeState, child: Entity, to: SiblingPosition): boolean {
  const node = nodeOf(t, child, "move a child");
  if (to === null || (typeof to !== "object" && typeof to !== "number" && typeof to !== "string")) {
    throw new InvalidEditError(
      `Cannot move ${labelOf(t, child)} to ${describeValue(to)}: that is not a position. Give an index, "first", "last", { before } or { after }; to make it a root, use detach().`,
      { entities: [child], value: to },
    );
  }
  const options: AttachOptions = typeof to === "object" ? to : { at: to };
  const parent = t.links.parent(node);
  return place(t, node, parent, beforeNode(t, node, parent, options));
}

/** Exchanges the positions of two entities, each with everything below it. `false` for an entity with itself. */
export function swap(t: TreeState, a: Entity, b: Entity, keep: string | undefined): boolean {
  const { links } = t;
  t.ecs.requireUnasked("swap");
  const left = nodeOf(t, a, "swap");
  const right = nodeOf(t, b, "swap");
  if (left === right) return false;
  const leftParent = links.parent(left);
  const rightParent = links.parent(right);
  const error =
    below(t, left, right) ??
    below(t, right, left) ??
    doomedParent(t, rightParent, left) ??
    doomedParent(t, leftParent, right);
  if (error !== undefined) throw error;
  const afterLeft = links.next(left);
  const afterRight = links.next(right);
  // The position of one neighbour is described by the other.
  if (afterLeft === right) return place(t, right, leftParent, left);
  if (afterRight === left) return place(t, left, leftParent, right);
  if (leftParent === rightParent) {
    together(t, () =>
      orderingTogether(t, () => {
        place(t, left, leftParent, right);
        place(t, right, leftParent, afterLeft);
      }),
    );
    return true;
  }
  const plan = new Map([
    [left, rightParent],
    [right, leftParent],
  ]);
  requirePlan(t, plan);
  const finish = keeping(t, keep, plan);
  return together(t, () => {
    // A full array holds one more on the way, as it does when this is undone.
    place(t, left, rightParent, right);
    place(t, right, leftParent, afterLeft);
    place(t, left, rightParent, afterRight);
    finish();
    return true;
  });
}

function below(t: TreeState, top: number, node: number): CircularHierarchyError | undefined {
  if (t.links.first(top) === 0 || !isInside(t, node, top)) return undefined;
  const chain = [top, ...nodesUpTo(t, node, top).reverse()].map((each) => entityAt(t, each));
  return new CircularHierarchyError(
    `Cannot swap ${labelAt(t, top)} and ${labelAt(t, node)}: the second is below the first. Swap entities of different branches, or detach ${labelAt(t, node)} first.`,
    { chain },
  );
}
