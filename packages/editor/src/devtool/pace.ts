/**
 * How often something that costs time may happen, so that all of it together stays a small share of the time.
 */
/** However much it costs: a view that stands still longer looks broken. In milliseconds. */
const LONGEST = 1000;

export class Pace {
  private readonly least: number;
  private readonly share: number;
  private next = 0;
  /** What it cost lately, in milliseconds: a mean that follows slowly, because single times are noise. */
  cost = 0;

  /**
   * @param least - Milliseconds between two times, at least: people read no faster.
   * @param share - The largest part of the time that it may take.
   */
  constructor(least: number, share: number) {
    this.least = least;
    this.share = share;
  }

  isDue(now: number): boolean {
    return now >= this.next;
  }

  /** Does it and takes the time. */
  run(now: number, action: () => void): void {
    const began = performance.now();
    action();
    const took = performance.now() - began;
    this.cost = this.cost === 0 ? took : this.cost * 0.7 + took * 0.3;
    this.next = now + Math.min(LONGEST, Math.max(this.least, this.cost / this.share));
  }

  /** It is due at once: what is shown has become another. */
  hurry(): void {
    this.next = 0;
  }
}
