/**
 * A signal that caches its value and reads it again only when it may have changed.
 */
import { expectArguments } from "../ecs/index.ts";
import type { Signal, SignalHost, SignalSource, Watched } from "./signal.ts";

export class Cell<Value> implements Signal<Value>, Watched {
  private readonly host: SignalHost;
  private readonly source: SignalSource<Value>;
  private readonly listeners = new Set<{ readonly call: (value: Value) => void }>();
  /** Ends watching; set while there are listeners. */
  private end: (() => void) | undefined;
  private value!: Value;
  private hasValue = false;
  /** The value that listeners received last. */
  private reported!: Value;
  private isDirty = true;
  private isForced = false;

  constructor(host: SignalHost, source: SignalSource<Value>) {
    this.host = host;
    this.source = source;
  }

  get(): Value {
    const { watch, isRead } = this.source;
    const isKnown = this.end !== undefined && !this.isDirty && watch !== undefined && isRead !== true;
    if (!isKnown) this.refresh();
    return this.value;
  }

  subscribe(listener: (value: Value) => void): () => void {
    expectArguments("subscribe to a signal", ["the listener", listener, "function"]);
    // An entry of its own: the same function may be subscribed twice.
    const entry = { call: listener };
    this.listeners.add(entry);
    if (this.listeners.size === 1) this.begin();
    return () => {
      if (!this.listeners.delete(entry) || this.listeners.size > 0) return;
      this.end?.();
      this.end = undefined;
      this.host.forget(this);
    };
  }

  touch(force = false): void {
    this.isDirty = true;
    if (force) this.isForced = true;
    this.host.touched(this);
  }

  settle(): boolean {
    if (this.end === undefined) return false;
    // The cache is valid from here on. Not before: inside an observer the change is not complete yet, so a value read there
    // is read again later.
    this.refresh();
    this.isDirty = false;
    if (Object.is(this.value, this.reported)) return false;
    this.reported = this.value;
    return true;
  }

  notify(): void {
    const failures: unknown[] = [];
    for (const entry of [...this.listeners]) {
      if (!this.listeners.has(entry)) continue;
      try {
        entry.call(this.reported);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private begin(): void {
    const { watch } = this.source;
    this.end = watch?.(this) ?? (() => {});
    if (watch === undefined) this.host.sample(this);
    // The world was not watched until now.
    this.refresh();
    this.isDirty = false;
    this.reported = this.value;
  }

  private refresh(): void {
    const { read, equals = Object.is } = this.source;
    const value = read();
    if (this.hasValue && !this.isForced && equals(this.value, value)) return;
    this.isForced = false;
    this.hasValue = true;
    this.value = value;
  }
}
