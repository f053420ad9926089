/**
 * The interfaces of a signal, for code that uses one and code that makes one.
 */
/** A value of the world that can be read at any time and notifies when it changes. */
export interface Signal<Value> {
  /** The current value, up to date after any change. The same object as before if nothing changed. */
  get(): Value;
  /**
   * Calls `listener` with the new value after changes: once for all changes between two flushes, and not at all
   * when the value is the same. Returns a function that unsubscribes. Nothing is watched without subscribers.
   */
  subscribe(listener: (value: Value) => void): () => void;
}

/** The source of the value of a signal. */
export interface SignalSource<Value> {
  readonly read: () => Value;
  /** Whether two values are the same; `Object.is` if left out. */
  readonly equals?: (a: Value, b: Value) => boolean;
  /** Starts watching: touches the signal when its value may have changed. Without it the value is sampled. */
  readonly watch?: (signal: Watched) => () => void;
  /** Read again at every `get()`, because `watch` touches the signal only when a flush begins. */
  readonly isRead?: boolean;
}

/** A source of changes that notifies at the next flush. */
export interface Watched {
  /**
   * Marks the value as possibly changed.
   * @param force - It has changed, although it compares as equal: the inside of an object.
   */
  touch(force?: boolean): void;
  /** Reads again and returns whether listeners must still be notified. */
  settle(): boolean;
  notify(): void;
}

/** The queue of flushes. */
export interface SignalHost {
  /** Reads a signal at every flush and every frame from now on. */
  sample(signal: Watched): void;
  /** Forgets a signal without subscribers. */
  forget(signal: Watched): void;
  /** Adds a signal to the next flush. */
  touched(signal: Watched): void;
}
