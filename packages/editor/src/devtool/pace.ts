/**
 * Limits how often an expensive action runs, so that its total cost stays a small share of the time.
 */
export class Pace {
  private readonly least: number;
  private readonly share: number;
  private readonly longest: number;
  private next = 0;
  /** The recent cost in milliseconds: a slowly moving average, because single times are noise. */
  cost = 0;

  /**
   * @param least - Minimum milliseconds between two runs: people cannot read faster.
   * @param share - The largest part of the time that it may take.
   * @param longest - Maximum milliseconds between two runs, whatever the cost: a view that does not move looks broken.
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
   * Runs the action and measures its time.
   *
   * @param after - Further cost after the action, in milliseconds.
   */
  run(now: number, action: () => void, after = 0): void {
    const began = performance.now();
    action();
    const took = performance.now() - began + after;
    this.cost = this.cost === 0 ? took : this.cost * 0.7 + took * 0.3;
    this.next = now + Math.min(this.longest, Math.max(this.least, this.cost / this.share));
  }

  /** Makes it due at once, because something else is shown now. */
  hurry(): void {
    this.next = 0;
  }
}
