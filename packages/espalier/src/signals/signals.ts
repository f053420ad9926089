/**
 * Turns changes of a world into calls of listeners, outside of the operations that made them.
 *
 * Observers only record touched signals. A flush reads their values, compares, and calls the listeners of those that
 * differ from before. So listeners never see a world in the middle of a change, and many changes are one call.
 */
import { type ArgumentTest, checkOptions, expectArguments, type World } from "../ecs/index.ts";
import { Cell } from "./cell.ts";
import type { Signal, SignalSource, Watched } from "./signal.ts";
import { Watchers } from "./watchers.ts";

/** Options of `createSignals`. */
export interface SignalsOptions {
  /**
   * Runs the flush after watched values changed: as a microtask if left out. `"manual"` leaves it to your calls of
   * `flush()`, once a frame.
   */
  readonly schedule?: ((flush: () => void) => void) | "manual";
  /**
   * Runs a function before the next frame, for values without change notifications (world transforms, resources, histories):
   * `requestAnimationFrame` if left out, and where there is none, a timer of 16 ms. With `"manual"` they change at
   * `flush()` only.
   */
  readonly frame?: ((tick: () => void) => void) | "manual";
}

const signalsOptions = { schedule: "anything", frame: "anything" } as const;
const aScheduler: ArgumentTest = {
  expected: 'a function or "manual"',
  fits: (value) => typeof value === "function" || value === "manual",
};

/**
 * Creates the signals of a world. Nothing is watched before the first subscription.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health);
 * const signals = createSignals(world, { schedule: "manual" });
 * const health = componentSignal(signals, tank, Health);
 * const log: unknown[] = [];
 * const end = health.subscribe((value) => log.push(value?.hp));
 * world.set(tank, Health, { hp: 40 });
 * world.set(tank, Health, { hp: 30 });
 * signals.flush();
 * log; // → [30]
 * end();
 * ```
 */
export function createSignals(world: World, options: SignalsOptions = {}): Signals {
  const doing = "create signals";
  expectArguments(doing, ["the world", world, "world"]);
  checkOptions(world.checks, doing, options, signalsOptions);
  const { schedule, frame } = options;
  if (schedule !== undefined) expectArguments(doing, ["schedule", schedule, aScheduler]);
  if (frame !== undefined) expectArguments(doing, ["frame", frame, aScheduler]);
  return new Signals(world, options);
}

/** Values of a world that notify when they change. Made by `createSignals`. */
export class Signals {
  /** The world of the values. */
  readonly world: World;
  /** @internal */
  readonly watchers: Watchers;
  private readonly schedule: (flush: () => void) => void;
  private readonly frame: ((tick: () => void) => void) | undefined;
  private readonly dirty = new Set<Watched>();
  /** Signals that are read again at every flush. */
  private readonly sampled = new Set<Watched>();
  private isScheduled = false;
  private isTicking = false;
  private isFlushing = false;

  /** @internal Use `createSignals`. */
  constructor(world: World, options: SignalsOptions) {
    this.world = world;
    this.watchers = new Watchers(this, world);
    const { schedule = microtask, frame = nextFrame } = options;
    this.schedule = schedule === "manual" ? () => {} : schedule;
    this.frame = frame === "manual" ? undefined : frame;
  }

  /**
   * Notifies the listeners of everything that changed since the last flush. Runs by itself unless the options say
   * otherwise; call it to flush at once, but not inside an observer, where a change is not complete. Inside a listener
   * it is deferred. When a listener or a read throws, the other listeners are still called, and the first
   * error is thrown afterwards.
   */
  flush(): void {
    if (this.isFlushing) {
      this.request();
      return;
    }
    this.isFlushing = true;
    const failures: unknown[] = [];
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        failures.push(error);
      }
    };
    // All values are read before the first listener is called, so that they belong to the same moment. What is touched
    // meanwhile joins the end of the set and is read too.
    const changed: Watched[] = [];
    const settle = (signal: Watched) =>
      attempt(() => {
        if (signal.settle()) changed.push(signal);
      });
    for (const signal of this.dirty) settle(signal);
    this.dirty.clear();
    for (const signal of this.sampled) settle(signal);
    for (const signal of changed) attempt(() => signal.notify());
    this.isFlushing = false;
    if (failures.length > 0) throw failures[0];
  }

  /** A custom signal: the result of `read`, which is called at every flush and once a frame. */
  derive<Value>(read: () => Value, equals?: (a: Value, b: Value) => boolean): Signal<Value> {
    expectArguments("derive a signal", ["what reads it", read, "function"]);
    if (equals !== undefined) expectArguments("derive a signal", ["what compares", equals, "function"]);
    return this.create(equals === undefined ? { read } : { read, equals });
  }

  /** @internal */
  create<Value>(source: SignalSource<Value>): Signal<Value> {
    return new Cell(this, source);
  }

  // SignalHost -------------------------------------------------------------------------------------------------------------

  /** @internal */
  sample(signal: Watched): void {
    this.sampled.add(signal);
    this.tick();
  }

  /** @internal */
  forget(signal: Watched): void {
    this.sampled.delete(signal);
    this.dirty.delete(signal);
  }

  /** @internal */
  touched(signal: Watched): void {
    this.dirty.add(signal);
    this.request();
  }

  // ------------------------------------------------------------------------------------------------------------------------

  private request(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.schedule(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  /** Continues from frame to frame while a sampled value has subscribers. */
  private tick(): void {
    if (this.isTicking || this.frame === undefined) return;
    this.isTicking = true;
    this.frame(() => {
      this.isTicking = false;
      if (this.sampled.size === 0 || this.world.isDisposed) return;
      this.tick();
      this.flush();
    });
  }
}

/** Not `queueMicrotask` itself: browsers refuse it as a method of another object. */
function microtask(flush: () => void): void {
  queueMicrotask(flush);
}

function nextFrame(tick: () => void): void {
  if (typeof requestAnimationFrame === "function") requestAnimationFrame(tick);
  else setTimeout(tick, 16);
}
