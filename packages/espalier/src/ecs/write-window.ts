/**
 * Writes through views while somebody records: counted during a pass of a query, so that a pass that writes much has whole
 * columns recorded once, and costs nothing from then on.
 *
 * A copy is a complete record at the moment it is made: whatever was recorded behind it is undone before it, so that the
 * copy has the last word. It stands for all further writes of views until somebody puts a mark on the tape, to which he
 * may want to return, or until the outermost pass ends.
 */
import type { Recorder } from "./extension.ts";
import type { Store } from "./store.ts";

/** Passes over fewer entities record each write. */
const LEAST_VISITED = 4;

export class WriteWindow {
  recorder: Recorder | undefined = undefined;
  /** After so many more recorded writes through views a copy pays; none is made from 0 on. */
  left = 0;
  private depth = 0;
  /** How many entities the innermost pass visits, and by depth the ones around it. */
  private visited = 0;
  private readonly around: number[] = [];
  /** Whether a copy ended before its pass did: then there is no other, lest every write makes one. */
  private barred = false;
  /** The components of which there are copies: the first `count`. */
  private readonly covered: Store[] = [];
  private count = 0;

  /** A pass over `count` entities begins. Gives what `end` needs. */
  begin(count: number): number {
    const outer = this.left;
    this.around[this.depth++] = this.visited;
    this.visited = count;
    const mayCopy = count >= LEAST_VISITED && this.recorder?.copying !== undefined && !this.barred;
    // A small part: so few single records are no burden beside the pass, and after as many most will follow.
    this.left = mayCopy ? 1 + (count >> 5) : 0;
    return outer;
  }

  end(outer: number): void {
    this.left = this.barred ? 0 : outer;
    this.visited = this.around[--this.depth] as number;
    if (this.depth > 0) return;
    this.settle();
    this.forget();
    this.left = 0;
    this.barred = false;
  }

  /** The components of which there are copies. */
  get copied(): readonly Store[] {
    return this.covered.slice(0, this.count);
  }

  /** Copies components for a pass that is known to write much of them. Whether all of them are: then free views may. */
  copyAhead(stores: readonly Store[]): boolean {
    if (this.barred || this.visited < LEAST_VISITED) return false;
    let isFree = true;
    for (let k = 0; k < stores.length; k++) {
      const store = stores[k] as Store;
      if (store.guarded) this.copy(store);
      if (store.guarded) isFree = false;
    }
    return isFree;
  }

  /** The writes have become many. */
  copy(store: Store): void {
    if (store.heard || !this.recorder?.copying?.(store, this.visited)) return;
    store.guarded = false;
    store.free?.open();
    this.covered[this.count++] = store;
    // The next write that is still recorded belongs to another component.
    this.left = 1;
  }

  /** From now on each write is recorded again. */
  uncover(): void {
    if (this.count === 0) return;
    this.settle();
    for (let k = 0; k < this.count; k++) this.covered[k]?.free?.close();
    this.forget();
    this.left = 0;
    this.barred = true;
  }

  /** Copies are complete now. */
  private settle(): void {
    for (let k = this.count - 1; k >= 0; k--) this.recorder?.copied?.(this.covered[k] as Store);
  }

  private forget(): void {
    // Setting the length of an array takes as long as a small copy.
    for (; this.count > 0; this.count--) {
      const store = this.covered[this.count - 1] as Store;
      store.guarded = store.watched;
    }
  }
}
