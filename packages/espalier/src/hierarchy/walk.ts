/**
 * Walking a tree while it may change under the walker.
 *
 * The rule: each child list is fixed when its parent is entered. Entries that died or left that parent are passed
 * over when their turn comes; ones added later are not visited. So every walk ends.
 *
 * As long as nothing changes, a walk follows the links and keeps no list at all. The first change that happens while
 * it is under way makes it write down the lists it has entered (`freeze`), and it goes on with those.
 */
import type { Entity } from "../ecs/index.ts";
import type { Links } from "./links.ts";

/** What a walk needs from its hierarchy. */
export interface WalkHost {
  readonly links: Links;
  /** Walks that must be told before links change. */
  readonly walks: Set<Freezable>;
  handleAt(node: number): Entity;
  isAliveAt(node: number, entity: Entity): boolean;
}

export interface Freezable {
  freeze(): void;
}

/** One entry of a fixed list: the node, its handle then, and the parent it had then. */
interface Entry {
  readonly node: number;
  readonly entity: Entity;
  readonly parent: number;
}

/** Pre-order below `top`; `top` itself first if `includeTop`. */
export class PreorderWalk implements Freezable {
  private readonly host: WalkHost;
  private readonly top: number;
  /** The node last given out; -1 before the first. */
  private current = -1;
  private descend = true;
  private readonly includeTop: boolean;
  /** Once frozen: what is left to visit, next one last. */
  private rest: Entry[] | undefined;
  /** Once frozen: the children of the node last given out, as they were when it was given out. */
  private entered: Entry[] = [];

  constructor(host: WalkHost, top: number, includeTop: boolean) {
    this.host = host;
    this.top = top;
    this.includeTop = includeTop;
    host.walks.add(this);
  }

  /** A walk that has given out `current` already and holds its lists, for one that went on without a walk so far. */
  static frozenAt(host: WalkHost, top: number, current: number): PreorderWalk {
    const walk = new PreorderWalk(host, top, false);
    walk.current = current;
    walk.freeze();
    return walk;
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
    this.host.walks.delete(this);
  }

  freeze(): void {
    const { links } = this.host;
    this.rest = [];
    this.close();
    if (this.current === 0) return;
    if (this.current === -1) {
      if (this.includeTop) this.rest.push(this.entry(this.top, links.parent(this.top)));
      else this.pushChildren(this.rest, this.top);
      return;
    }
    // From the top down the later siblings of each node on the way, so that the deepest are taken first.
    const way: number[] = [];
    for (let node = this.current; node !== this.top; node = links.parent(node)) way.push(node);
    for (let k = way.length - 1; k >= 0; k--) {
      const siblings: Entry[] = [];
      const node = way[k];
      for (let s = links.next(node); s !== 0; s = links.next(s))
        siblings.push(this.entry(s, links.parent(node)));
      while (siblings.length > 0) this.rest.push(siblings.pop() as Entry);
    }
    this.entered = [];
    this.pushChildren(this.entered, this.current);
  }

  private nextByLinks(): number {
    const { links } = this.host;
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
      if (!this.host.isAliveAt(node, entry.entity) || this.host.links.parent(node) !== entry.parent) continue;
      this.pushChildren(this.entered, node);
      return node;
    }
  }

  /** Appends the children of `node`, last one first. */
  private pushChildren(to: Entry[], node: number): void {
    const { links } = this.host;
    for (let child = links.last(node); child !== 0; child = links.prev(child))
      to.push(this.entry(child, node));
  }

  private entry(node: number, parent: number): Entry {
    return { node, entity: this.host.handleAt(node), parent };
  }
}

/** The children of one node, in order. */
export class ChildrenWalk implements Freezable {
  private readonly host: WalkHost;
  private readonly parent: number;
  private readonly backwards: boolean;
  private upcoming: number;
  private rest: Entry[] | undefined;

  constructor(host: WalkHost, parent: number, backwards = false) {
    this.host = host;
    this.parent = parent;
    this.backwards = backwards;
    this.upcoming = backwards ? host.links.last(parent) : host.links.first(parent);
    host.walks.add(this);
  }

  next(): number {
    const { links } = this.host;
    if (this.rest === undefined) {
      const node = this.upcoming;
      if (node === 0) this.close();
      else this.upcoming = this.backwards ? links.prev(node) : links.next(node);
      return node;
    }
    for (;;) {
      const entry = this.rest.pop();
      if (entry === undefined) return 0;
      if (this.host.isAliveAt(entry.node, entry.entity) && links.parent(entry.node) === this.parent)
        return entry.node;
    }
  }

  close(): void {
    this.host.walks.delete(this);
  }

  freeze(): void {
    const { links } = this.host;
    this.close();
    const rest: Entry[] = [];
    for (let node = this.upcoming; node !== 0; node = this.backwards ? links.prev(node) : links.next(node)) {
      rest.push({ node, entity: this.host.handleAt(node), parent: this.parent });
    }
    this.rest = rest.reverse();
  }
}

/** Post-order: children before their parent. Lists are written down from the start. */
export class PostorderWalk {
  private readonly host: WalkHost;
  private readonly stack: { entry: Entry; entered: boolean }[] = [];
  private readonly top: number;

  constructor(host: WalkHost, top: number, includeTop: boolean) {
    this.host = host;
    this.top = top;
    if (includeTop) this.push(top, host.links.parent(top));
    else this.pushChildren(top);
  }

  next(): number {
    for (;;) {
      const frame = this.stack.at(-1);
      if (frame === undefined) return 0;
      const { node, entity, parent } = frame.entry;
      const here =
        this.host.isAliveAt(node, entity) && (node === this.top || this.host.links.parent(node) === parent);
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

  private push(node: number, parent: number): void {
    this.stack.push({ entry: { node, entity: this.host.handleAt(node), parent }, entered: false });
  }

  private pushChildren(node: number): void {
    const { links } = this.host;
    for (let child = links.last(node); child !== 0; child = links.prev(child)) this.push(child, node);
  }
}

/** Level order: all of one depth before the next. A list is written down when its parent is given out. */
export class LevelWalk {
  private readonly host: WalkHost;
  private queue: Entry[] = [];
  private at = 0;
  private readonly top: number;
  private entered: Entry[] = [];

  constructor(host: WalkHost, top: number, includeTop: boolean) {
    this.host = host;
    this.top = top;
    if (includeTop)
      this.queue.push({ node: top, entity: host.handleAt(top), parent: host.links.parent(top) });
    else this.list(top, this.queue);
  }

  next(): number {
    for (const entry of this.entered) this.queue.push(entry);
    this.entered = [];
    while (this.at < this.queue.length) {
      const { node, entity, parent } = this.queue[this.at++];
      if (this.at > 4096 && this.at * 2 > this.queue.length) {
        this.queue = this.queue.slice(this.at);
        this.at = 0;
      }
      if (!this.host.isAliveAt(node, entity)) continue;
      if (node !== this.top && this.host.links.parent(node) !== parent) continue;
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
    const { links } = this.host;
    for (let child = links.first(node); child !== 0; child = links.next(child)) {
      to.push({ node: child, entity: this.host.handleAt(child), parent: node });
    }
  }
}

export type Order = "pre" | "post" | "level";
export type Walk = PreorderWalk | PostorderWalk | LevelWalk;

export function createWalk(host: WalkHost, top: number, order: Order, includeTop: boolean): Walk {
  if (order === "post") return new PostorderWalk(host, top, includeTop);
  if (order === "level") return new LevelWalk(host, top, includeTop);
  return new PreorderWalk(host, top, includeTop);
}
