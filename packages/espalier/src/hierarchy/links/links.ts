/**
 * The parent of each node, and the order of its children. Everything else in this room is derived from it.
 *
 * Nodes are entity indices. Node 0 is the parent of all roots, so that roots form a list like the children of any other node; it
 * is never shown to users. The methods check nothing: `edit/` does, and is the only code that writes.
 */
import type { IndexList } from "../../ecs/internal.ts";

export interface Links extends RawLinks {
  /** Links an unlinked node under `parent`, before its child `before`, or last if that is 0. */
  insert(node: number, parent: number, before: number): void;
  /** `insert` as last child, and `setHandle`. */
  append(node: number, parent: number, handle: number): void;
  /** Unlinks a node from its parent; its own children stay with it. */
  remove(node: number): void;
  /** `remove` and `insert` in one; `before` is neither the node nor what follows it. */
  move(node: number, parent: number, before: number): void;
  /**
   * Adds a node and everything below it to a list, children before their parents. What is marked in `met` is in the list with
   * everything below it; marks what it adds.
   */
  collect(top: number, list: IndexList, met: Uint8Array | undefined): void;
  grow(capacity: number): void;
  readonly bytesPerNode: number;
  /** The child at `index`, where that is one look-up; -1 where it is not. */
  directAt(node: number, index: number): number;
  /**
   * The handle of the entity that a node stands for, kept beside its links so that a look at one record both finds the
   * parent and proves that the entity lives. 0 for nodes that are not linked, and for handles beyond 32 bits.
   */
  handle(node: number): number;
  setHandle(node: number, handle: number): void;
  /** The handle of the parent; 0 or less where there is none or it is not kept. */
  parentHandle(node: number): number;
  /** Forgets all handles: the world is gone. */
  forgetHandles(): void;
}

/** Reading the links by index. */
export interface RawLinks {
  /** The parent; 0 for roots, -1 for an index that no living entity has. */
  parent(node: number): number;
  /** The first child; 0 if there is none. */
  first(node: number): number;
  /** The last child; 0 if there is none. */
  last(node: number): number;
  /** The previous sibling; 0 for the first one. */
  prev(node: number): number;
  /** The next sibling; 0 for the last one. */
  next(node: number): number;
  /** How many children it has; of 0, how many roots there are. */
  count(node: number): number;
}

/**
 * How many listeners, walks and derived structures must be notified of changes. While it is 0, an edit writes the links, the flat
 * order and the event, if events are read.
 */
export interface Dependents {
  count: number;
}
