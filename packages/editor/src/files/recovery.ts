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

export class RecoveryStore {
  private readonly store = createStore("espalier-editor", "recovery");
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Writes soon; several calls in a row write once, at the latest after the delay of the first. */
  schedule(make: () => Recovery | undefined): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const recovery = make();
      void (recovery === undefined ? del("last", this.store) : set("last", recovery, this.store)).catch(
        () => {},
      );
    }, DELAY);
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
