/**
 * What a signal is, for code that uses one and code that makes one.
 */
/** A value of the world that can be read at any time and notifies when it changes. */
export interface Signal<Value> {
  /** The value now, right at once after any change. The same object as before where nothing changed. */
  get(): Value;
  /**
   * Calls `listener` with the new value after changes: once for all that happened between two flushes, and not at all
   * when the value is what it was. Returns a function that ends it. Nothing is watched without subscribers.
   */
  subscribe(listener: (value: Value) => void): () => void;
}

/** Where a signal has its value from. */
export interface SignalSource<Value> {
  readonly read: () => Value;
  /** Whether two values are the same; `Object.is` if left out. */
  readonly equals?: (a: Value, b: Value) => boolean;
  /** Begins to watch: touches the signal when its value may have changed. Without it the value is sampled. */
  readonly watch?: (signal: Watched) => () => void;
  /** Read again whenever it is asked for, because `watch` touches it only when a flush begins. */
  readonly isRead?: boolean;
}

/** Something that may have changed, and notifies at the next flush. */
export interface Watched {
  /**
   * Says that the value may have changed.
   * @param force - It has, although it may look the same: the inside of an object.
   */
  touch(force?: boolean): void;
  /** Reads again and returns whether listeners must still be notified. */
  settle(): boolean;
  notify(): void;
}

/** Runs the flushes. */
export interface SignalHost {
  /** Reads a signal at every flush and every frame from now on. */
  sample(signal: Watched): void;
  /** Forgets a signal without subscribers. */
  forget(signal: Watched): void;
  /** Has a flush settle it. */
  touched(signal: Watched): void;
}
