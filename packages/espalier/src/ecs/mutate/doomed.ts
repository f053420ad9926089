/**
 * The entities that calls under way are going to destroy. They accept no new children and are not destroyed a second time.
 */
import { grown } from "../grown.ts";
import type { IndexList } from "../index-list.ts";

export class Doomed {
  /** By index: which of the calls under way, counted from the outermost, is going to destroy it; 0: none. */
  private calls = new Int32Array(64);
  /** By index: 1 for those that go for certain, because their observers have run. */
  private certain = new Uint8Array(64);
  /** By call: those that are marked, and whether one of them was moved. */
  private readonly marked: number[][] = [];
  private readonly moved: boolean[] = [];
  size = 0;

  has(index: number): boolean {
    return index < this.calls.length && this.calls[index] !== 0;
  }

  /** Whether its own observers have run: it can no longer be moved out. */
  isCertain(index: number): boolean {
    return index < this.certain.length && this.certain[index] !== 0;
  }

  /** A call begins; gives its number. */
  begin(): number {
    this.marked.push([]);
    this.moved.push(false);
    return this.marked.length;
  }

  /** Marks those of a list that no call around has marked. */
  add({ ids, count }: IndexList, call: number): void {
    for (let k = 0; k < count; k++) if (!this.has(ids[k])) this.mark(ids[k], call);
  }

  private mark(index: number, call: number): void {
    if (index >= this.calls.length) {
      const length = Math.max(this.calls.length * 2, index + 1);
      this.calls = grown(this.calls, length);
      this.certain = grown(this.certain, length);
    }
    this.calls[index] = call;
    this.marked[call - 1]?.push(index);
    this.size++;
  }

  makeCertain(index: number): void {
    this.certain[index] = 1;
  }

  /** An entity got another parent. */
  noteMoved(index: number): void {
    if (this.has(index)) this.moved[this.calls[index] - 1] = true;
  }

  /** Whether something that this call is going to destroy was moved, or is gone, since it was last asked. */
  isChanged(call: number): boolean {
    const wasMoved = this.moved[call - 1] as boolean;
    this.moved[call - 1] = false;
    return wasMoved;
  }

  /** Takes back what `add` marked for this call, but for those that go for certain. */
  release(call: number): void {
    const kept: number[] = [];
    for (const index of this.marked[call - 1] as number[]) {
      if (this.calls[index] !== call) continue;
      if (this.certain[index] === 1) kept.push(index);
      else this.unmark(index);
    }
    this.marked[call - 1] = kept;
  }

  /** An entity left: a call inside another call may destroy what the outer one was going to. */
  left(index: number): void {
    if (!this.has(index)) return;
    this.moved[this.calls[index] - 1] = true;
    this.unmark(index);
  }

  /** The call has ended. */
  end(call: number): void {
    for (const index of this.marked[call - 1] as number[]) if (this.calls[index] === call) this.unmark(index);
    this.marked.length = call - 1;
    this.moved.length = call - 1;
  }

  private unmark(index: number): void {
    this.calls[index] = 0;
    this.certain[index] = 0;
    this.size--;
  }
}
