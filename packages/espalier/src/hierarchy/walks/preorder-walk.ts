/**
 * The walk that goes from a parent to its children.
 */
import { isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import { type Entry, entryOf, isStillThere } from "./entry.ts";
import type { Freezable } from "./walk-list.ts";

/** Pre-order below `top`; `top` itself first if `includeTop`. */
export class PreorderWalk implements Freezable {
  private readonly t: TreeState;
  private readonly top: number;
  /** The node last given out; -1 before the first. Whoever walks on without `next` says where it is. */
  current = -1;
  private descend = true;
  private readonly includeTop: boolean;
  /** Once frozen: what is left to visit, next one last. */
  private rest: Entry[] | undefined;
  /** Once frozen: the children of the node last given out, as they were when it was given out. */
  private entered: Entry[] = [];

  constructor(t: TreeState, top: number, includeTop: boolean) {
    this.t = t;
    this.top = top;
    this.includeTop = includeTop;
    t.walks.add(this);
  }

  get isFrozen(): boolean {
    return this.rest !== undefined;
  }

  /** The next node, or 0 at the end. */
  next(): number {
    const node = this.rest === undefined ? this.nextByLinks() : this.nextFrozen();
    this.current = node;
    this.descend = true;
    if (node === 0) this.close();
    return node;
  }

  /** Do not go below the node last given out. */
  skip(): void {
    this.descend = false;
  }

  close(): void {
    if (this.rest === undefined) this.t.walks.remove(this);
  }

  isAffected(): boolean {
    return true;
  }

  freeze(): void {
    const { links } = this.t;
    this.rest = [];
    if (this.current === 0) return;
    if (this.current === -1) {
      if (this.includeTop) this.rest.push(entryOf(this.t, this.top));
      else this.pushChildren(this.rest, this.top);
      return;
    }
    // From the top down the later siblings of each node on the way, so that the deepest are taken first.
    const way: number[] = [];
    for (let node = this.current; node !== this.top; node = links.parent(node)) way.push(node);
    for (let k = way.length - 1; k >= 0; k--) {
      const siblings: Entry[] = [];
      const node = way[k];
      for (let s = links.next(node); s !== 0; s = links.next(s)) siblings.push(entryOf(this.t, s));
      while (siblings.length > 0) this.rest.push(siblings.pop() as Entry);
    }
    this.entered = [];
    this.pushChildren(this.entered, this.current);
  }

  private nextByLinks(): number {
    const { links } = this.t;
    let node = this.current;
    if (node === -1) return this.includeTop ? this.top : links.first(this.top);
    if (node === 0) return 0;
    if (this.descend) {
      const first = links.first(node);
      if (first !== 0) return first;
    }
    while (node !== this.top) {
      const next = links.next(node);
      if (next !== 0) return next;
      node = links.parent(node);
    }
    return 0;
  }

  private nextFrozen(): number {
    const rest = this.rest as Entry[];
    if (this.descend) for (const entry of this.entered) rest.push(entry);
    this.entered = [];
    for (;;) {
      const entry = rest.pop();
      if (entry === undefined) return 0;
      const { node } = entry;
      if (node === this.top ? !isEntityAt(this.t, node, entry.entity) : !isStillThere(this.t, entry))
        continue;
      this.pushChildren(this.entered, node);
      return node;
    }
  }

  /** Appends the children of `node`, last one first. */
  private pushChildren(to: Entry[], node: number): void {
    const { links } = this.t;
    for (let child = links.last(node); child !== 0; child = links.prev(child))
      to.push(entryOf(this.t, child));
  }
}
