/**
 * Walks that write each list down when they enter it: post-order and level order.
 */
import { isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import { type Entry, entryOf, isStillThere } from "./entry.ts";

/** Post-order: children before their parent. Lists are written down from the start. */
export class PostorderWalk {
  private readonly t: TreeState;
  private readonly stack: { entry: Entry; entered: boolean }[] = [];
  private readonly top: number;

  constructor(t: TreeState, top: number, includeTop: boolean) {
    this.t = t;
    this.top = top;
    if (includeTop) this.push(top);
    else this.pushChildren(top);
  }

  next(): number {
    for (;;) {
      const frame = this.stack.at(-1);
      if (frame === undefined) return 0;
      const { node, entity } = frame.entry;
      const here = node === this.top ? isEntityAt(this.t, node, entity) : isStillThere(this.t, frame.entry);
      if (!here) {
        this.stack.pop();
      } else if (frame.entered) {
        this.stack.pop();
        return node;
      } else {
        frame.entered = true;
        this.pushChildren(node);
      }
    }
  }

  /** A node comes after everything below it, so there is nothing left to skip. */
  skip(): void {}

  close(): void {
    this.stack.length = 0;
  }

  private push(node: number): void {
    this.stack.push({ entry: entryOf(this.t, node), entered: false });
  }

  private pushChildren(node: number): void {
    const { links } = this.t;
    for (let child = links.last(node); child !== 0; child = links.prev(child)) this.push(child);
  }
}

/** Level order: all of one depth before the next. A list is written down when its parent is given out. */
export class LevelWalk {
  private readonly t: TreeState;
  private queue: Entry[] = [];
  private at = 0;
  private readonly top: number;
  private entered: Entry[] = [];

  constructor(t: TreeState, top: number, includeTop: boolean) {
    this.t = t;
    this.top = top;
    if (includeTop) this.queue.push(entryOf(t, top));
    else this.list(top, this.queue);
  }

  next(): number {
    for (const entry of this.entered) this.queue.push(entry);
    this.entered = [];
    while (this.at < this.queue.length) {
      const entry = this.queue[this.at++];
      const { node } = entry;
      if (this.at > 4096 && this.at * 2 > this.queue.length) {
        this.queue = this.queue.slice(this.at);
        this.at = 0;
      }
      if (node === this.top ? !isEntityAt(this.t, node, entry.entity) : !isStillThere(this.t, entry))
        continue;
      this.list(node, this.entered);
      return node;
    }
    return 0;
  }

  skip(): void {
    this.entered = [];
  }

  close(): void {
    this.queue = [];
    this.at = 0;
  }

  private list(node: number, to: Entry[]): void {
    const { links } = this.t;
    for (let child = links.first(node); child !== 0; child = links.next(child)) {
      to.push(entryOf(this.t, child));
    }
  }
}
