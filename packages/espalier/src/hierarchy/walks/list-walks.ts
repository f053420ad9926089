/**
 * Walks along one list: children, siblings, ancestors.
 */
import { isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";
import { type Entry, entryOf, isStillThere } from "./entry.ts";
import type { Freezable } from "./walk-list.ts";

/** A walk along one list, whose entries are found by going from one to the next. */
abstract class ListWalk implements Freezable {
  protected readonly t: TreeState;
  /** The node to give out next; 0 at the end. */
  upcoming = 0;
  /** The node last given out. */
  last = 0;
  /** Once frozen: what is left to visit, next one last. */
  private rest: Entry[] | undefined;

  constructor(t: TreeState) {
    this.t = t;
    t.walks.add(this);
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
      this.last = node;
      return node;
    }
    for (;;) {
      const entry = this.rest.pop();
      if (entry === undefined) return 0;
      if (this.isStillThere(entry)) return entry.node;
    }
  }

  /** There is nothing below to skip. */
  skip(): void {}

  close(): void {
    if (this.rest === undefined) this.t.walks.remove(this);
  }

  /** Whose list it is; -1 where it is none. */
  protected abstract readonly parent: number;

  /** Changes of other lists do not matter, nor does that the node last given out leaves this one. */
  isAffected(child: number, from: number, to: number): boolean {
    const { parent } = this;
    return parent === -1 || to === parent || (from === parent && child !== this.last);
  }

  freeze(): void {
    const rest: Entry[] = [];
    for (let node = this.upcoming; node !== 0; node = this.after(node)) {
      rest.push(entryOf(this.t, node));
    }
    this.rest = rest.reverse();
  }
}

/** The children of one node, in order. */
export class ChildrenWalk extends ListWalk {
  protected readonly parent: number;

  constructor(t: TreeState, parent: number) {
    super(t);
    this.parent = parent;
    this.upcoming = t.links.first(parent);
  }

  protected after(node: number): number {
    return this.t.links.next(node);
  }

  protected isStillThere(entry: Entry): boolean {
    return isStillThere(this.t, entry);
  }
}

/** The siblings of a node: all from the first on, those behind it, or all from the one behind it round to it. */
export class SiblingsWalk extends ListWalk {
  protected readonly parent: number;
  private readonly self: number;
  private readonly way: "all" | "behind" | "round";

  constructor(t: TreeState, self: number, way: "all" | "behind" | "round") {
    super(t);
    this.parent = t.links.parent(self);
    this.self = self;
    this.way = way;
    const { links } = t;
    const first = links.first(links.parent(self));
    // Roots have no siblings.
    if (links.parent(self) !== 0) this.upcoming = way === "all" && first !== self ? first : this.after(self);
  }

  protected after(node: number): number {
    const { links } = this.t;
    const next = links.next(node);
    if (this.way === "all") return next === this.self ? links.next(next) : next;
    if (next !== 0 || this.way === "behind") return next === this.self ? 0 : next;
    const first = links.first(links.parent(this.self));
    return first === this.self ? 0 : first;
  }

  protected isStillThere(entry: Entry): boolean {
    return isStillThere(this.t, entry);
  }
}

/** The way up from a node. Those that died since are passed over; those that moved were ancestors when it began. */
export class AncestorsWalk extends ListWalk {
  protected readonly parent = -1;

  constructor(t: TreeState, start: number) {
    super(t);
    this.upcoming = start;
  }

  protected after(node: number): number {
    return this.t.links.parent(node);
  }

  protected isStillThere({ node, entity }: Entry): boolean {
    return isEntityAt(this.t, node, entity);
  }
}
