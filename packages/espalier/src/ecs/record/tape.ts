/**
 * Where records are written: numbers in one typed array, references in one plain one, both used as stacks.
 */
import { grown } from "../grown.ts";

/** A position on a tape. */
export interface Mark {
  readonly numbers: number;
  readonly references: number;
}

/** Records to read, last one first. */
export interface Records {
  readonly numbers: Float64Array;
  /** How many of `numbers` are in use. */
  count: number;
  readonly references: unknown[];
}

const LEAST = 256;
/** Half a megabyte is kept for the next records. */
const MOST_KEPT = 2 ** 16;

export class Tape implements Records {
  numbers = new Float64Array(LEAST);
  count = 0;
  references: unknown[] = [];
  private viewed = this.numbers;
  private view = new Int32Array(this.numbers.buffer);
  /** Called when the numbers need more room than there is; may cut the tape. */
  onFull: (() => void) | undefined = undefined;

  /** The numbers as words of memory. */
  get words(): Int32Array {
    // Comparing the arrays, because reading `buffer` takes as long as a small copy.
    if (this.viewed !== this.numbers) {
      this.viewed = this.numbers;
      this.view = new Int32Array(this.numbers.buffer);
    }
    return this.view;
  }

  /** Makes sure that `size` numbers fit behind `count`. */
  reserve(size: number): void {
    if (this.count + size > this.numbers.length) this.grow(size);
  }

  /** A copy of what stands between two positions. */
  slice(from: Mark, to: Mark): Records {
    const numbers = this.numbers.slice(from.numbers, to.numbers);
    const references = this.references.slice(from.references, to.references);
    return { numbers, count: numbers.length, references };
  }

  /** Forgets everything behind `mark`. */
  cutBack(mark: Mark): void {
    this.count = mark.numbers;
    this.dropReferences(mark.references);
  }

  /** Forgets everything before `mark`; what is behind it moves to the front. */
  cutFront(mark: Mark): void {
    if (mark.numbers === this.count) {
      this.count = 0;
      this.dropReferences(0);
    } else {
      this.numbers.copyWithin(0, mark.numbers, this.count);
      this.count -= mark.numbers;
      this.references.splice(0, mark.references);
    }
    this.shrink();
  }

  /** Forgets references from the end, until so many are left. */
  private dropReferences(left: number): void {
    const { references } = this;
    // Setting the length gives the memory away, which takes longer than a few pops.
    if (references.length - left > 32) references.length = left;
    else while (references.length > left) references.pop();
  }

  private grow(size: number): void {
    this.onFull?.();
    let length = this.numbers.length;
    while (length < this.count + size) length *= 2;
    if (length !== this.numbers.length) this.numbers = grown(this.numbers, length);
  }

  /** Gives memory back that a burst took. */
  private shrink(): void {
    if (this.numbers.length <= MOST_KEPT || this.count * 4 >= this.numbers.length) return;
    this.numbers = grown(this.numbers, Math.max(MOST_KEPT, this.numbers.length / 2));
  }
}
