/**
 * A list of slots that is filled and emptied every frame, without garbage.
 */

/** What stands behind the last slot while the list is sorted. */
const LAST = 0x7fffffff;

/** A mark that nobody else uses. */
const KEPT = 128;

export class SlotList {
  /** The slots are the first `count` of these. */
  items = new Int32Array(64);
  count = 0;
  /** The first 1, 2, 4, … of the items, made when they are first sorted. */
  private readonly parts: Int32Array[] = [];

  push(slot: number): void {
    this.items[this.count++] = slot;
  }

  /** Makes room for so many more and gives the items. */
  reserve(more: number, marked: Uint8Array): Int32Array {
    if (this.count + more > this.items.length) this.weed(marked);
    while (this.count + more > this.items.length) this.grow();
    return this.items;
  }

  /** Whether `weed` must make room before the next `push`. */
  get isFull(): boolean {
    return this.count === this.items.length;
  }

  /**
   * Lets go of slots that are no longer marked and of second entries, and grows if that does not make much room. Without it
   * a list that nobody empties would grow with everything that ever came and went.
   */
  weed(marked: Uint8Array): void {
    const { items, count } = this;
    this.count = 0;
    for (let k = 0; k < count; k++) {
      const slot = items[k];
      if (marked[slot] === 0 || marked[slot] & KEPT) continue;
      marked[slot] |= KEPT;
      items[this.count++] = slot;
    }
    for (let k = 0; k < this.count; k++) marked[items[k]] &= ~KEPT;
    if (this.count * 2 > items.length) this.grow();
  }

  clear(): void {
    this.count = 0;
  }

  /** Sorts them; a slot that is listed twice stands twice. */
  sort(): void {
    const { items, count, parts } = this;
    if (count < 2) return;
    // Sorting needs an array of the right length. Making one each time would be garbage; there is one for each power of 2.
    const power = 32 - Math.clz32(count - 1);
    parts[power] ??= items.subarray(0, 1 << power);
    items.fill(LAST, count, 1 << power);
    parts[power].sort();
  }

  private grow(): void {
    const items = new Int32Array(this.items.length * 2);
    items.set(this.items);
    this.items = items;
    this.parts.length = 0;
  }
}
