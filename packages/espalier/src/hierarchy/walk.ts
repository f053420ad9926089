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
import type { Extras, Links } from "./links.ts";

/** What a walk needs from its hierarchy. */
export interface WalkHost {
  readonly links: Links;
  readonly walks: WalkList;
  handleAt(node: number): Entity;
  isAliveAt(node: number, entity: Entity): boolean;
}

export interface Freezable {
  freeze(): void;
}

/** Walks that were begun and dropped are written down when there are this many. */
const MOST_WALKS = 1024;

/** The walks under way that must be told before links change. Usually none or one; the last begun ends first. */
export class WalkList {
  private list: Freezable[] = [];
  private readonly extras: Extras;

  constructor(extras: Extras) {
    this.extras = extras;
  }

  add(walk: Freezable): void {
    if (this.list.length === MOST_WALKS) this.freeze();
    this.list.push(walk);
    this.extras.count++;
  }

  remove(walk: Freezable): void {
    const { list } = this;
    const at = list[list.length - 1] === walk ? list.length - 1 : list.lastIndexOf(walk);
    if (at < 0) return;
    if (at === list.length - 1) list.pop();
    else list.splice(at, 1);
    this.extras.count--;
  }

  /** Links are about to change. */
  freeze(): void {
    if (this.list.length === 0) return;
    const { list } = this;
    this.list = [];
    this.extras.count -= list.length;
    for (const walk of list) walk.freeze();
  }
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
  /** The node last given out; -1 before the first. Whoever walks on without `next` says where it is. */
  current = -1;
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
    if (this.rest === undefined) this.host.walks.remove(this);
  }

  freeze(): void {
    const { links } = this.host;
    this.rest = [];
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
      if (!this.host.isAliveAt(node, entry.entity)) continue;
      if (node !== this.top && this.host.links.parent(node) !== entry.parent) continue;
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

/** A walk along one list, whose entries are found by going from one to the next. */
abstract class ListWalk implements Freezable {
  protected readonly host: WalkHost;
  /** The node to give out next; 0 at the end. */
  upcoming = 0;
  /** Once frozen: what is left to visit, next one last. */
  private rest: Entry[] | undefined;

  constructor(host: WalkHost) {
    this.host = host;
    host.walks.add(this);
  }

  protected abstract after(node: number): number;
  protected abstract isStillThere(entry: Entry): boolean;

  get isFrozen(): boolean {
    return this.rest !== undefined;
  }

  next(): number {
    if (this.rest === undefined) {
      const node = this.upcoming;
      if (node === 0) this.close();
      else this.upcoming = this.after(node);
      return node;
    }
    for (;;) {
      const entry = this.rest.pop();
      if (entry === undefined) return 0;
      if (this.host.isAliveAt(entry.node, entry.entity) && this.isStillThere(entry)) return entry.node;
    }
  }

  /** There is nothing below to skip. */
  skip(): void {}

  close(): void {
    if (this.rest === undefined) this.host.walks.remove(this);
  }

  freeze(): void {
    const rest: Entry[] = [];
    const { links } = this.host;
    for (let node = this.upcoming; node !== 0; node = this.after(node)) {
      rest.push({ node, entity: this.host.handleAt(node), parent: links.parent(node) });
    }
    this.rest = rest.reverse();
  }
}

/** The children of one node, in order. */
export class ChildrenWalk extends ListWalk {
  constructor(host: WalkHost, parent: number) {
    super(host);
    this.upcoming = host.links.first(parent);
  }

  protected after(node: number): number {
    return this.host.links.next(node);
  }

  protected isStillThere(entry: Entry): boolean {
    return this.host.links.parent(entry.node) === entry.parent;
  }
}

/** The siblings of a node: all from the first on, those behind it, or all from the one behind it round to it. */
export class SiblingsWalk extends ListWalk {
  private readonly self: number;
  private readonly way: "all" | "behind" | "round";

  constructor(host: WalkHost, self: number, way: "all" | "behind" | "round") {
    super(host);
    this.self = self;
    this.way = way;
    const { links } = host;
    const first = links.first(links.parent(self));
    // Roots are nobody's siblings.
    if (links.parent(self) !== 0) this.upcoming = way === "all" && first !== self ? first : this.after(self);
  }

  protected after(node: number): number {
    const { links } = this.host;
    const next = links.next(node);
    if (this.way === "all") return next === this.self ? links.next(next) : next;
    if (next !== 0 || this.way === "behind") return next === this.self ? 0 : next;
    const first = links.first(links.parent(this.self));
    return first === this.self ? 0 : first;
  }

  protected isStillThere(entry: Entry): boolean {
    return this.host.links.parent(entry.node) === entry.parent;
  }
}

/** The way up from a node. Those that died since are passed over; those that moved were ancestors when it began. */
export class AncestorsWalk extends ListWalk {
  constructor(host: WalkHost, start: number) {
    super(host);
    this.upcoming = start;
  }

  protected after(node: number): number {
    return this.host.links.parent(node);
  }

  protected isStillThere(): boolean {
    return true;
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

/** What drives any walk. */
export interface Walk {
  /** The next node, or 0 at the end. */
  next(): number;
  skip(): void;
  close(): void;
}

export function createWalk(host: WalkHost, top: number, order: Order, includeTop: boolean): Walk {
  if (order === "post") return new PostorderWalk(host, top, includeTop);
  if (order === "level") return new LevelWalk(host, top, includeTop);
  return new PreorderWalk(host, top, includeTop);
}
