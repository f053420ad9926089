/**
 * Which slots passes have computed since the last look. Nothing is compared: code that compares by itself, or does not need to, is
 * served cheaper by this than by a change reader.
 */

/** More numbers than this are not kept. */
const MOST = 1 << 16;

export class ComputedRuns {
  /** Begin and end of each run in turn; the first `length` numbers. A slot may be in several. */
  bounds = new Int32Array(64);
  length = 0;
  /** How many slots all of them have together. */
  count = 0;
  /** Not all of them are known: slots have moved since, or there were too many. */
  isLost = false;

  add(from: number, to: number): void {
    this.count += to - from;
    if (this.isLost) return;
    const { length } = this;
    if (length > 0 && this.bounds[length - 1] === from) {
      this.bounds[length - 1] = to;
      return;
    }
    if (length === this.bounds.length) this.grow();
    if (this.isLost) return;
    this.bounds[length] = from;
    this.bounds[length + 1] = to;
    this.length = length + 2;
  }

  /** Other nodes stand in the slots now. */
  slotsMoved(): void {
    if (this.length > 0) this.isLost = true;
  }

  /** Begins anew, with none. */
  clear(): void {
    this.length = 0;
    this.count = 0;
    this.isLost = false;
  }

  private grow(): void {
    if (this.length === MOST) {
      this.isLost = true;
      return;
    }
    const more = new Int32Array(this.length * 2);
    more.set(this.bounds);
    this.bounds = more;
  }
}
