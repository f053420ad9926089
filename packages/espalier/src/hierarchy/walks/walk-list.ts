/**
 * The walks under way that must be told before links change.
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

/** The walks under way that must be told before links change. Usually none or one; the last begun ends first. */
export class WalkList {
  private list: Freezable[] = [];
  private readonly dependents: Dependents;

  constructor(dependents: Dependents) {
    this.dependents = dependents;
  }

  add(walk: Freezable): void {
    if (this.list.length === MOST_WALKS) this.freezeAll();
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

  /** Links are about to change: `child` goes from `from` to `to`. */
  changing(child: number, from: number, to: number): void {
    if (this.list.length !== 0) this.freezeAffected(child, from, to);
  }

  private freezeAffected(child: number, from: number, to: number): void {
    const { list } = this;
    this.list = list.filter((walk) => !walk.isAffected(child, from, to));
    this.dependents.count -= list.length - this.list.length;
    if (this.list.length === list.length) return;
    for (const walk of list) if (!this.list.includes(walk)) walk.freeze();
  }

  private freezeAll(): void {
    const { list } = this;
    this.list = [];
    this.dependents.count -= list.length;
    for (const walk of list) walk.freeze();
  }
}
