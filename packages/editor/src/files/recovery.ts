/**
 * Unsaved work survives a crash: it is written to IndexedDB within a second after each edit, and offered the next time.
 */
import { createStore, del, get, set } from "idb-keyval";

/** Unsaved work on one file. */
export interface Recovery {
  readonly name: string;
  readonly file: string | undefined;
  readonly text: string;
  readonly time: number;
}

const DELAY = 400;
/** Writing a large scene takes long enough to feel: then it happens more seldom, at most a fifth of the time. */
const SHARE = 5;

export class RecoveryStore {
  private readonly store = createStore("espalier-editor", "recovery");
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastDuration = 0;
  /** When work was written last, in milliseconds since 1970; 0 before. */
  written = 0;

  /** Writes soon; several calls in a row write once, at the latest after the delay of the first. */
  schedule(make: () => Recovery | undefined): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        const began = performance.now();
        const recovery = make();
        this.lastDuration = performance.now() - began;
        void this.write(recovery);
      },
      Math.max(DELAY, this.lastDuration * SHARE),
    );
  }

  private async write(recovery: Recovery | undefined): Promise<void> {
    try {
      if (recovery === undefined) await del("last", this.store);
      else await set("last", recovery, this.store);
      this.written = Date.now();
    } catch {
      // Private windows may have no storage; work is then as safe as the page.
    }
  }

  /** What was left behind, if anything. */
  async last(): Promise<Recovery | undefined> {
    try {
      return await get<Recovery>("last", this.store);
    } catch {
      return undefined;
    }
  }

  async forget(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await del("last", this.store).catch(() => {});
  }
}
