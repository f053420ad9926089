/**
 * A walk along the links, until the first change that matters to it.
 */
import type { TreeState } from "../state.ts";
import type { Freezable } from "./walk-list.ts";
import type { WrittenWalk } from "./written-walk.ts";

export abstract class LinkedWalk implements Freezable {
  protected readonly t: TreeState;
  /** Once frozen: what is left to visit. */
  protected written: WrittenWalk | undefined = undefined;

  constructor(t: TreeState) {
    this.t = t;
    t.walks.add(this);
  }

  get isFrozen(): boolean {
    return this.written !== undefined;
  }

  skip(): void {
    this.written?.skip();
  }

  close(): void {
    if (this.written === undefined) this.t.walks.remove(this);
  }

  abstract isAffected(child: number, from: number, to: number): boolean;
  abstract freeze(): void;
}
