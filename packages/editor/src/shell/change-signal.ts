/**
 * Notifies the user interface of changes, at most once per frame.
 */

/** How often panels are updated while a scene plays, in milliseconds. */
const WHILE_PLAYING = 80;

/** Changes that follow each other closer than this, in milliseconds, are reported in every other frame: a drag, for one. */
const IN_A_ROW = 24;

/** Listeners to everything that the editor shows. */
export class ChangeSignal {
  /** Incremented with every report. */
  revision = 0;
  private readonly listeners = new Set<() => void>();
  private readonly isPlaying: () => boolean;
  private scheduled = false;
  private reported = 0;

  /** @param isPlaying - A playing scene changes in every frame, which the viewport draws on its own; panels are for reading. */
  constructor(isPlaying: () => boolean = () => false) {
    this.isPlaying = isPlaying;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Whether a change has not been reported yet. */
  get isPending(): boolean {
    return this.scheduled;
  }

  /** Reports a change with the next frame. */
  changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const report = () => this.flush();
    const since = performance.now() - this.reported;
    const wait = this.isPlaying() ? WHILE_PLAYING - since : 0;
    // A hidden page gets no frames, but must still be updated.
    if (wait > 0) setTimeout(report, wait);
    else if (typeof requestAnimationFrame === "undefined" || globalThis.document?.hidden === true)
      setTimeout(report);
    else if (since < IN_A_ROW) requestAnimationFrame(() => requestAnimationFrame(report));
    else requestAnimationFrame(report);
  }

  /** Reports pending changes now: a field must show what was typed before its handler ends. Nothing happens without changes. */
  flush(): void {
    if (!this.scheduled) return;
    this.scheduled = false;
    this.reported = performance.now();
    this.revision++;
    for (const listener of [...this.listeners]) listener();
  }
}
