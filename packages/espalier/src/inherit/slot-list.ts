/**
 * A list of slots that is filled and emptied every frame, without garbage.
 */

/** What stands behind the last slot while the list is sorted. */
const LAST = 0x7fffffff;

export class SlotList {
  /** The slots are the first `count` of these. */
  items = new Int32Array(64);
  count = 0;
  /** The first 1, 2, 4, … of the items, made when they are first sorted. */
  private readonly parts: Int32Array[] = [];

  push(slot: number): void {
    if (this.count === this.items.length) this.grow();
    this.items[this.count++] = slot;
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
