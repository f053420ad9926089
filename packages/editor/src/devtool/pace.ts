/**
 * How often something that costs time may happen, so that all of it together stays a small share of the time.
 */
export class Pace {
  private readonly least: number;
  private readonly share: number;
  private readonly longest: number;
  private next = 0;
  /** What it cost lately, in milliseconds: a mean that follows slowly, because single times are noise. */
  cost = 0;

  /**
   * @param least - Milliseconds between two times, at least: people read no faster.
   * @param share - The largest part of the time that it may take.
   * @param longest - Milliseconds between two times, at most, however much it costs: a view that stands still looks broken.
   */
  constructor(least: number, share: number, longest = 1000) {
    this.least = least;
    this.share = share;
    this.longest = longest;
  }

  isDue(now: number): boolean {
    return now >= this.next;
  }

  /** Milliseconds until it is due. */
  wait(now: number): number {
    return Math.max(0, this.next - now);
  }

  /**
   * Does it and takes the time.
   *
   * @param after - What it will cost afterwards, in milliseconds.
   */
  run(now: number, action: () => void, after = 0): void {
    const began = performance.now();
    action();
    const took = performance.now() - began + after;
    this.cost = this.cost === 0 ? took : this.cost * 0.7 + took * 0.3;
    this.next = now + Math.min(this.longest, Math.max(this.least, this.cost / this.share));
  }

  /** It is due at once: what is shown has become another. */
  hurry(): void {
    this.next = 0;
  }
}
