/**
 * What a change of the page costs beyond its script: style, layout and paint, which the browser does after the callbacks of a
 * frame. Measured from the last of these callbacks to the first task after the frame, less what that takes when nothing changed.
 */
/** One frame of each kind is measured in this many milliseconds: a measurement is not free. */
const EVERY = 2000;

/** What changed in a frame: nothing, values of the selection only, or more than these. */
export type FrameKind = "quiet" | "values" | "more";

export class FrameCost {
  private readonly channel = new MessageChannel();
  /** Slowly moving averages in milliseconds; 0 while unknown. */
  private readonly means = { quiet: 0, values: 0, more: 0 };
  private readonly next = { quiet: 0, values: 0, more: 0 };
  private began = 0;
  private kind: FrameKind | undefined;

  constructor() {
    this.channel.port1.onmessage = () => this.take(performance.now() - this.began);
  }

  /** How many milliseconds longer a frame of one kind takes than one of another. 0 while one of them is unknown. */
  more(kind: FrameKind, than: FrameKind): number {
    const { [kind]: mean, [than]: other } = this.means;
    return mean === 0 || other === 0 ? 0 : Math.max(0, mean - other);
  }

  /** Measures the next frame if a measurement is due. Call it after the changes that the frame will show. */
  measure(kind: FrameKind, now: number): void {
    if (this.kind !== undefined || now < this.next[kind]) return;
    this.next[kind] = now + EVERY;
    this.kind = kind;
    requestAnimationFrame(() => {
      this.began = performance.now();
      this.channel.port2.postMessage(undefined);
    });
  }

  end(): void {
    this.channel.port1.close();
  }

  private take(time: number): void {
    const { kind } = this;
    this.kind = undefined;
    if (kind === undefined) return;
    const mean = this.means[kind];
    // A single time may include a garbage collection or another program.
    this.means[kind] = mean === 0 ? time : mean * 0.8 + Math.min(time, mean * 3) * 0.2;
  }
}
