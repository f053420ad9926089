/**
 * The walks under way that must be told before links change.
 */
import type { Dependents } from "../links/links.ts";

export interface Freezable {
  freeze(): void;
}

/** Walks that were begun and dropped are written down when there are this many. */
const MOST_WALKS = 1024;

/** The walks under way that must be told before links change. Usually none or one; the last begun ends first. */
export class WalkList {
  private list: Freezable[] = [];
  private readonly dependents: Dependents;

  constructor(dependents: Dependents) {
    this.dependents = dependents;
  }

  add(walk: Freezable): void {
    if (this.list.length === MOST_WALKS) this.freeze();
    this.list.push(walk);
    this.dependents.count++;
  }

  remove(walk: Freezable): void {
    const { list } = this;
    const at = list[list.length - 1] === walk ? list.length - 1 : list.lastIndexOf(walk);
    if (at < 0) return;
    if (at === list.length - 1) list.pop();
    else list.splice(at, 1);
    this.dependents.count--;
  }

  /** Links are about to change. */
  freeze(): void {
    if (this.list.length === 0) return;
    const { list } = this;
    this.list = [];
    this.dependents.count -= list.length;
    for (const walk of list) walk.freeze();
  }
}
