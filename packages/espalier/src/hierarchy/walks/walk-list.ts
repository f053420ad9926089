/**
 * The walks under way that must be notified before links change.
 */
import type { Dependents } from "../links/links.ts";

export interface Freezable {
  /** Whether a change matters: `child` goes from `from` to `to` (-1: out of the tree or into it; 0 for a child: several). */
  isAffected(child: number, from: number, to: number): boolean;
  /** Writes down what is left to visit. */
  freeze(): void;
}

/** Walks that were begun and dropped are written down when there are this many. */
const MOST_WALKS = 1024;

/** The walks under way that must be notified before links change. Usually none or one; the last begun ends first. */
export class WalkList {
  private list: Freezable[] = [];
  private readonly dependents: Dependents;

  constructor(dependents: Dependents) {
    this.dependents = dependents;
  }

  add(walk: Freezable): void {
    if (this.list.length === MOST_WALKS) this.freeze(() => true);
    this.list.push(walk);
    this.dependents.count++;
  }

  remove(walk: Freezable): void {
    const { list } = this;
    if (list[list.length - 1] === walk) list.pop();
    else if (list.includes(walk)) list.splice(list.indexOf(walk), 1);
    else return;
    this.dependents.count--;
  }

  /** Links are about to change: `child` goes from `from` to `to`. */
  changing(child: number, from: number, to: number): void {
    if (this.list.length !== 0) this.freeze((walk) => walk.isAffected(child, from, to));
  }

  private freeze(isAffected: (walk: Freezable) => boolean): void {
    const affected = this.list.filter(isAffected);
    if (affected.length === 0) return;
    this.list = this.list.filter((walk) => !affected.includes(walk));
    this.dependents.count -= affected.length;
    for (const walk of affected) walk.freeze();
  }
}
