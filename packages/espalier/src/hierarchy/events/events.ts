/**
 * What a hierarchy tells: one ordered stream, exactly one event per effective change, none for what changes nothing.
 */
import type { Entity } from "../../ecs/index.ts";

/** A root was attached to a parent. */
export interface ChildAdded {
  readonly type: "added";
  readonly child: Entity;
  readonly parent: Entity;
  readonly index: number;
}

/** A child became a root, or was destroyed. */
export interface ChildRemoved {
  readonly type: "removed";
  readonly child: Entity;
  readonly parent: Entity;
  /** Where it was. */
  readonly index: number;
  /** Where it is among the roots now; -1 when it was destroyed. */
  readonly rootIndex: number;
  /** `destroy` when the child itself was destroyed; one that its parent's end made a root was detached. */
  readonly cause: "detach" | "destroy";
}

/** A child went from one parent to another, in one step. */
export interface ChildMoved {
  readonly type: "moved";
  readonly child: Entity;
  readonly previousParent: Entity;
  readonly newParent: Entity;
  readonly previousIndex: number;
  readonly index: number;
}

/**
 * The order of the children of one parent changed (`null`: of the roots). Either one child moved from `previousIndex`
 * to `index`, or, for sorting, `child` is null and `order` lists all children in their new order.
 */
export interface ChildrenReordered {
  readonly type: "reordered";
  readonly parent: Entity | null;
  readonly child: Entity | null;
  readonly previousIndex: number;
  readonly index: number;
  readonly order: readonly Entity[] | null;
}

/** What can happen to the tree, in the order it happened. */
export type HierarchyEvent = ChildAdded | ChildRemoved | ChildMoved | ChildrenReordered;

/** Told when a whole subtree comes under, or goes from under, a watched entity. */
export interface SubtreeWatcher {
  /** `top` and everything below it is now below the watched entity. */
  readonly joined?: (top: Entity) => void;
  /** `top` and everything below it is no longer below the watched entity. */
  readonly left?: (top: Entity, cause: "detach" | "destroy") => void;
}
