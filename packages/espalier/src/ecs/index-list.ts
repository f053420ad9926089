import { grown } from "./grown.ts";

/** A list of entity indices that is filled and emptied again and again without making garbage. */
export class IndexList {
  ids: Int32Array = new Int32Array(64);
  count = 0;

  push(index: number): void {
    const ids = this.count === this.ids.length ? this.grow() : this.ids;
    ids[this.count++] = index;
  }

  /** Doubles the room. */
  grow(): Int32Array {
    this.ids = grown(this.ids, this.ids.length * 2);
    return this.ids;
  }

  /** Takes an index out; the others keep their order. `false` when it is not there. Fast for one that came last. */
  delete(index: number): boolean {
    if (this.count !== 0 && this.ids[this.count - 1] === index) {
      this.count--;
      return true;
    }
    const at = this.ids.subarray(0, this.count).lastIndexOf(index);
    if (at < 0) return false;
    this.ids.copyWithin(at, at + 1, this.count);
    this.count--;
    return true;
  }
}
