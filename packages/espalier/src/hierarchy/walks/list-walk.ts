/**
 * Walks along one list: children, siblings, ancestors.
 */
import type { TreeState } from "../state.ts";
import { LinkedWalk } from "./linked-walk.ts";
import { type Entry, entryOf, WrittenWalk } from "./written-walk.ts";

export class ListWalk extends LinkedWalk {
  /** The node to give out next; 0 at the end. */
  upcoming: number;
  /** The node last given out. */
  last = 0;
  /** The owner of the list; -1 for the way up. */
  private readonly parent: number;
  /** The one that is left out. */
  private readonly self: number;
  /** Whether the first one comes behind the last one, until `self`. */
  private readonly isRound: boolean;

  constructor(t: TreeState, parent: number, upcoming: number, self = -1, isRound = false) {
    super(t);
    this.parent = parent;
    this.upcoming = upcoming;
    this.self = self;
    this.isRound = isRound;
  }

  next(): number {
    if (this.written !== undefined) return this.written.next();
    const node = this.upcoming;
    if (node !== 0) this.upcoming = this.after(node);
    this.last = node;
    return node;
  }

  /** What follows a node that is in the list. */
  after(node: number): number {
    const { links } = this.t;
    if (this.parent === -1) return links.parent(node);
    const next = links.next(node) || (this.isRound ? links.first(this.parent) : 0);
    if (next !== this.self) return next;
    return this.isRound ? 0 : links.next(next);
  }

  /** Changes of other lists do not matter, nor does that the node last given out leaves this one. */
  isAffected(child: number, from: number, to: number): boolean {
    const { parent } = this;
    return parent === -1 || to === parent || (from === parent && child !== this.last);
  }

  freeze(): void {
    const rest: Entry[] = [];
    for (let node = this.upcoming; node !== 0; node = this.after(node)) {
      // Those above that move meanwhile were ancestors when the walk began.
      rest.push(this.parent === -1 ? entryOf(this.t, node, -1) : entryOf(this.t, node));
    }
    this.written = new WrittenWalk(this.t, "list", rest.reverse());
  }
}
