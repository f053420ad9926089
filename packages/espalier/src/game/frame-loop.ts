/**
 * Frames in real time: measures the duration of each and tolerates irregular clocks.
 *
 * The first frame after a start, a pause or a hidden tab is 0 seconds long; a clock that goes back gives 0; a frame
 * longer than `longest` counts as that.
 */

/** Where frames come from: `requestAnimationFrame` in a browser, anything like it elsewhere. */
export interface FrameSource {
  /** Calls `frame` once, soon, with the time in milliseconds. Returns a number to cancel it with. */
  request(frame: (milliseconds: number) => void): number;
  /** Cancels a request. */
  cancel(request: number): void;
  /** The time in milliseconds, even in the middle of a frame: `performance.now()` if left out. */
  now?(): number;
}

/** The frames of the browser, or `undefined` where there are none. */
export function browserFrames(): FrameSource | undefined {
  if (typeof requestAnimationFrame !== "function") return undefined;
  return {
    request: (frame) => requestAnimationFrame(frame),
    cancel: (request) => cancelAnimationFrame(request),
  };
}

export class FrameLoop {
  private readonly source: FrameSource;
  private readonly frame: (seconds: number) => void;
  /** The longest frame in seconds. */
  private readonly longest: number;
  private last: number | undefined;
  private request: number | undefined;

  constructor(source: FrameSource, longest: number, frame: (seconds: number) => void) {
    this.source = source;
    this.longest = longest;
    this.frame = frame;
  }

  get isRunning(): boolean {
    return this.request !== undefined;
  }

  start(): void {
    if (this.request === undefined) this.request = this.source.request(this.tick);
  }

  stop(): void {
    if (this.request !== undefined) this.source.cancel(this.request);
    this.request = undefined;
    this.last = undefined;
  }

  /** Treats the next frame as the first one: the time since the last does not count. */
  forget(): void {
    this.last = undefined;
  }

  private readonly tick = (milliseconds: number): void => {
    // Requested first, so that a frame that throws does not end the loop.
    this.request = this.source.request(this.tick);
    const seconds = this.last === undefined ? 0 : (milliseconds - this.last) / 1000;
    this.last = milliseconds;
    this.frame(seconds > 0 ? Math.min(seconds, this.longest) : 0);
  };
}
