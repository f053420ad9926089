/**
 * Where changes are written down: numbers in one typed array, references in one plain one, both used as stacks.
 *
 * A record ends with its head, so that a tape is read from the end, which is the order in which changes are undone.
 */

/** A position on a tape. */
export interface Mark {
  readonly numbers: number;
  readonly references: number;
}

const LEAST = 256;
/** Half a megabyte is kept for the next records. */
const MOST_KEPT = 2 ** 16;

export class Tape {
  numbers = new Float64Array(LEAST);
  /** How many of `numbers` are in use. */
  count = 0;
  readonly references: unknown[] = [];
  /** How often records were cut off the front; positions are others then. */
  cuts = 0;
  private viewed = this.numbers;
  private view = new Int32Array(this.numbers.buffer);
  /** Told when the numbers need more room than there is; may cut the tape. */
  onFull: (() => void) | undefined;

  get mark(): Mark {
    return { numbers: this.count, references: this.references.length };
  }

  /** The numbers as words of memory. */
  get words(): Int32Array {
    // Not by the buffer: asking for that takes as long as a small copy.
    if (this.viewed !== this.numbers) {
      this.viewed = this.numbers;
      this.view = new Int32Array(this.numbers.buffer);
    }
    return this.view;
  }

  /** What the records take: 8 bytes per number and per reference, without what references refer to. */
  get bytes(): number {
    return (this.count + this.references.length) * 8;
  }

  /** Makes sure that `size` numbers fit behind `count`. */
  reserve(size: number): void {
    if (this.count + size > this.numbers.length) this.grow(size);
  }

  /** Forgets everything behind `mark`. */
  cutBack(mark: Mark): void {
    this.count = mark.numbers;
    this.dropReferences(mark.references);
  }

  /** Forgets everything before `mark`; what is behind it moves to the front. */
  cutFront(mark: Mark): void {
    this.numbers.copyWithin(0, mark.numbers, this.count);
    this.count -= mark.numbers;
    this.cuts++;
    this.references.splice(0, mark.references);
    this.shrink();
  }

  clear(): void {
    this.count = 0;
    this.cuts++;
    this.dropReferences(0);
    this.shrink();
  }

  /** Forgets references from the end, until so many are left. */
  private dropReferences(left: number): void {
    const { references } = this;
    // Setting the length gives the memory away, which takes longer than some steps.
    if (references.length - left > 32) references.length = left;
    else while (references.length > left) references.pop();
  }

  private grow(size: number): void {
    this.onFull?.();
    let length = this.numbers.length;
    while (length < this.count + size) length *= 2;
    if (length !== this.numbers.length) this.resize(length);
  }

  /** Gives memory back that a burst took. */
  private shrink(): void {
    if (this.numbers.length <= MOST_KEPT || this.count * 4 >= this.numbers.length) return;
    this.resize(Math.max(MOST_KEPT, this.numbers.length / 2));
  }

  private resize(length: number): void {
    const numbers = new Float64Array(length);
    numbers.set(this.numbers.subarray(0, this.count));
    this.numbers = numbers;
  }
}
