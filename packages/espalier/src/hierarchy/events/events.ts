/**
 * What a hierarchy reports: one ordered stream, exactly one event per effective change, none for what changes nothing.
 */
import type { Entity } from "../../ecs/index.ts";

/** A root was attached to a parent. */
export interface ChildAdded {
  /** The kind of event. */
  readonly type: "added";
  /** The entity that was a root. */
  readonly child: Entity;
  /** Its parent now. */
  readonly parent: Entity;
  /** Its index among the children of `parent` now. */
  readonly index: number;
}

/** A child became a root, or was destroyed. */
export interface ChildRemoved {
  /** The kind of event. */
  readonly type: "removed";
  /** The entity that left. */
  readonly child: Entity;
  /** Its parent before. */
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
  /** The kind of event. */
  readonly type: "moved";
  /** The entity that moved, with everything below it. */
  readonly child: Entity;
  /** Its parent before. */
  readonly previousParent: Entity;
  /** Its parent now. */
  readonly newParent: Entity;
  /** Its index among the children of `previousParent`. */
  readonly previousIndex: number;
  /** Its index among the children of `newParent`. */
  readonly index: number;
}

/**
 * The order of the children of one parent changed (`null`: of the roots). Either one child moved from `previousIndex`
 * to `index`, or, for sorting, `child` is null and `order` lists all children in their new order.
 */
export interface ChildrenReordered {
  /** The kind of event. */
  readonly type: "reordered";
  /** The parent whose children changed their order; `null` for the roots. */
  readonly parent: Entity | null;
  /** The one child that moved; `null` when all were sorted. */
  readonly child: Entity | null;
  /** The index the child had, if one moved. */
  readonly previousIndex: number;
  /** The index the child has now, if one moved. */
  readonly index: number;
  /** All children in their new order; `null` when one moved. */
  readonly order: readonly Entity[] | null;
}

/** What can happen to the tree, in the order it happened. */
export type HierarchyEvent = ChildAdded | ChildRemoved | ChildMoved | ChildrenReordered;

/** Called when a whole subtree comes under, or goes from under, a watched entity. */
export interface SubtreeWatcher {
  /** `top` and everything below it is now below the watched entity. */
  readonly joined?: (top: Entity) => void;
  /** `top` and everything below it is no longer below the watched entity. */
  readonly left?: (top: Entity, cause: "detach" | "destroy") => void;
}
