/**
 * The entities that calls under way are going to destroy, while user code may run in them. They take nobody in and are not
 * destroyed a second time.
 */
import type { IndexList } from "../index-list.ts";

export class Doomed {
  /** By index: which of the calls under way, counted from the outermost, is going to destroy it; 0: none. */
  private calls = new Uint16Array(64);
  size = 0;

  has(index: number): boolean {
    return index < this.calls.length && this.calls[index] !== 0;
  }

  /** Marks those of a list that no call around has marked. */
  add({ ids, count }: IndexList, call: number): void {
    for (let k = 0; k < count; k++) {
      const index = ids[k];
      if (index >= this.calls.length) this.grow(index);
      if (this.calls[index] !== 0) continue;
      this.calls[index] = call;
      this.size++;
    }
  }

  delete(index: number): void {
    if (!this.has(index)) return;
    this.calls[index] = 0;
    this.size--;
  }

  /** Takes back what `add` marked for this call. */
  release({ ids, count }: IndexList, call: number): void {
    for (let k = 0; k < count && this.size !== 0; k++) if (this.calls[ids[k]] === call) this.delete(ids[k]);
  }

  private grow(index: number): void {
    const calls = new Uint16Array(Math.max(this.calls.length * 2, index + 1));
    calls.set(this.calls);
    this.calls = calls;
  }
}
