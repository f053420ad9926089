/**
 * Walks that write each list down when they enter it.
 */
import type { Entity } from "../../ecs/index.ts";
import { entityAt, handleOrZero, isEntityAt } from "../nodes.ts";
import type { TreeState } from "../state.ts";

/** The order of a walk: parents first, children first, or level by level. */
export type Order = "pre" | "post" | "level";

/** A node, its entity then, and the entity that was its parent then (0: none). Both indices may be used again later. */
export interface Entry {
  readonly node: number;
  readonly entity: Entity;
  /** -1 where it does not matter if the node gets another parent. */
  readonly parent: number;
  isEntered: boolean;
}

/** Post-order and level order from the start; what is left of the other walks when the tree changes under them. */
export class WrittenWalk {
  private readonly t: TreeState;
  /** `list`: nothing below the entries is visited. */
  private readonly order: Order | "list";
  /** What is left to visit, next one last. */
  private rest: Entry[];
  /** In level order: the next level. */
  private later: Entry[] = [];
  /** The node last given out has these children, last one first; they come next. */
  private entered: Entry[] = [];

  constructor(t: TreeState, order: Order | "list", rest: Entry[] = []) {
    this.t = t;
    this.order = order;
    this.rest = rest;
  }

  /** Begins at `top`, or at its children. */
  begin(top: number, includeTop: boolean): this {
    if (includeTop) this.rest.push(entryOf(this.t, top, -1));
    else this.enter(top, 0);
    return this;
  }

  /** The children of `parent` behind the child `first` (0: all) come next. */
  enter(parent: number, first: number): void {
    this.write(this.rest, parent, first);
  }

  /** `node` was given out last: its children come next, unless they are skipped. */
  given(node: number): void {
    this.write(this.entered, node, 0);
  }

  next(): number {
    const { entered } = this;
    if (this.order !== "level") for (const entry of entered) this.rest.push(entry);
    else for (let k = entered.length - 1; k >= 0; k--) this.later.push(entered[k]);
    if (entered.length !== 0) this.entered = [];
    for (let entry = this.take(); entry !== undefined; entry = this.take()) {
      const { node } = entry;
      if (!isStillThere(this.t, entry)) continue;
      if (this.order === "list" || entry.isEntered) return node;
      if (this.order !== "post") {
        this.given(node);
        return node;
      }
      entry.isEntered = true;
      this.rest.push(entry);
      this.enter(node, 0);
    }
    return 0;
  }

  skip(): void {
    this.entered = [];
  }

  close(): void {}

  private take(): Entry | undefined {
    if (this.rest.length === 0) {
      this.rest = this.later.reverse();
      this.later = [];
    }
    return this.rest.pop();
  }

  /** Appends the children of `parent` behind the child `first`, last one first. */
  private write(to: Entry[], parent: number, first: number): void {
    const { links } = this.t;
    for (let node = links.last(parent); node !== first; node = links.prev(node))
      to.push(entryOf(this.t, node));
  }
}

export function entryOf(t: TreeState, node: number, parent = handleOrZero(t, t.links.parent(node))): Entry {
  return { node, entity: entityAt(t, node), parent, isEntered: false };
}

/** Whether the entity lives and has still that parent. */
function isStillThere(t: TreeState, { node, entity, parent }: Entry): boolean {
  return isEntityAt(t, node, entity) && (parent === -1 || handleOrZero(t, t.links.parent(node)) === parent);
}
