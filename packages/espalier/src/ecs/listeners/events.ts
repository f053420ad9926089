/**
 * Event channels: what happened, in order, for any number of readers that come by when they like.
 *
 * A channel keeps events in a ring that grows while a reader has not read the oldest, up to a bound in bytes, so a reader
 * that comes by once a frame loses nothing when a large scene is loaded in between. All channels of a world share one sequence
 * number, so events of several channels can be put in order (`readInOrder`).
 */
import { requireFunction, requireNumber } from "../checks/arguments.ts";
import type { Entity } from "../entities/entity.ts";
import type { World } from "../world.ts";
import type { HeldEvent } from "./event-reader.ts";
import {
  type ChannelOptions,
  clockOf,
  EventRing,
  type EventStream,
  movedItems,
  type Run,
  requireInteger,
} from "./event-ring.ts";

/** How events are kept as numbers; see `createPackedChannel`. */
export interface PackedOptions<Payload> extends ChannelOptions {
  /** Numbers per event, 1 to 6. */
  readonly width: number;
  /**
   * Makes the payload when an event is read, from `numbers[at]` to `numbers[at + width - 1]`. `extra` is what rooms of this
   * package add to some events.
   */
  readonly decode: (numbers: Float64Array, at: number, extra?: unknown) => Payload;
  /** Those of the numbers of an event that are entities; all of them may be if left out. See `EventHold.discard`. */
  readonly entitiesIn?: (numbers: readonly number[]) => readonly number[];
}

const MAX_WIDTH = 6;
/** What an event that is an object takes, about. */
const OBJECT_BYTES = 64;

/**
 * Makes a channel for events of one type. The name is only for messages.
 *
 * @example
 * ```ts
 * const damage = createChannel<{ amount: number }>(world, "damage");
 * const reader = damage.reader();
 * damage.emit({ amount: 5 });
 * reader.read(); // → [{ amount: 5 }]
 * reader.read(); // → []
 * ```
 */
export function createChannel<Payload>(
  world: World,
  name: string,
  options: ChannelOptions = {},
): EventChannel<Payload> {
  return new ObjectChannel<Payload>(world, name, options);
}

/**
 * Advanced: a channel for producers that emit so much that an object per event is too dear. They emit numbers, which
 * are kept in one typed array; `decode` turns them into a payload only when it is read.
 *
 * @example
 * ```ts
 * const hits = createPackedChannel(world, "hits", {
 *   width: 2,
 *   decode: (numbers, at) => ({ target: numbers[at], amount: numbers[at + 1] }),
 * });
 * const reader = hits.reader();
 * const e = world.spawn();
 * hits.emit(e, 5);
 * reader.read(); // → [{ target: e, amount: 5 }]
 * ```
 */
export function createPackedChannel<Payload>(
  world: World,
  name: string,
  options: PackedOptions<Payload>,
): PackedChannel<Payload> {
  return new PackedChannel(world, name, options);
}

/** The number of the newest event of a world, over all its channels; 0 before the first. */
export function lastSequence(world: World): number {
  return clockOf(world).sequence;
}

/** Events of all channels that wait until it is known whether they happened. */
export interface EventHold {
  /** They happened: readers get them, unless an outer hold still waits. */
  release(): void;
  /**
   * They did not: nobody gets what was emitted since the hold began. With entities, only events that name one of them are
   * dropped (as payload, or in a field or list of it); the others happened.
   */
  discard(entities?: ReadonlySet<Entity>): void;
}

/**
 * Holds back what is emitted on all channels of a world from now on. Holds may be nested; end them in reverse order,
 * each once.
 *
 * @example
 * ```ts
 * const news = createChannel<string>(world, "news");
 * const reader = news.reader();
 * const hold = holdEvents(world);
 * news.emit("maybe");
 * reader.read(); // → []
 * hold.release();
 * reader.read(); // → ["maybe"]
 * ```
 */
export function holdEvents(world: World): EventHold {
  const clock = clockOf(world);
  const outer = clock.held;
  const held = outer ?? [];
  const from = held.length;
  clock.held = held;
  return {
    release() {
      clock.held = outer;
      if (outer === undefined) for (const event of held) event.emit();
    },
    discard(entities) {
      clock.held = outer;
      const kept = entities === undefined ? [] : held.slice(from).filter((event) => !event.names(entities));
      held.length = from;
      if (outer === undefined) for (const event of kept) event.emit();
      else held.push(...kept);
    },
  };
}

/** A channel of events with payloads of one type. */
export interface EventChannel<Payload> extends EventStream<Payload> {
  /** Adds an event and returns its number in the world's order. The payload is kept as it is; do not change it. */
  emit(payload: Payload): number;
}

class ObjectChannel<Payload> extends EventRing<Payload> implements EventChannel<Payload> {
  private payloads: Payload[] = [];

  constructor(world: World, name: string, options: ChannelOptions) {
    super(world, name, options, OBJECT_BYTES);
  }

  emit(payload: Payload): number {
    const { held } = this.clock;
    if (held !== undefined) return this.hold(held, new HeldPayload(this, payload));
    const slot = this.claim();
    this.payloads[slot] = payload;
    return this.clock.sequence;
  }

  payloadAt(event: number): Payload {
    return this.payloads[event % this.sequences.length] as Payload;
  }

  protected moved(runs: readonly Run[]): void {
    this.payloads = movedItems(this.payloads, this.sequences.length, runs);
  }
}

/** A channel whose events are numbers until they are read. */
export class PackedChannel<Payload> extends EventRing<Payload> {
  private readonly width: number;
  private readonly decode: PackedOptions<Payload>["decode"];
  private readonly entitiesIn: PackedOptions<Payload>["entitiesIn"];
  private numbers: Float64Array;
  /** What goes with some of the events; made when there is such an event. */
  private extras: unknown[] | undefined;

  /** @internal Use `createPackedChannel`. */
  constructor(world: World, name: string, options: PackedOptions<Payload>) {
    const { width } = Object(options) as { readonly width?: unknown };
    super(world, name, options, (typeof width === "number" ? width + 1 : 1) * 8);
    requireFunction(options.decode, `create channel ${name}`, "decode");
    this.width = requireInteger(name, "width", options.width, MAX_WIDTH);
    this.decode = options.decode;
    this.entitiesIn = options.entitiesIn;
    this.numbers = new Float64Array(this.sequences.length * this.width);
  }

  /** Adds an event and returns its number in the world's order. Numbers beyond the channel's width are ignored. */
  emit(a: number, b = 0, c = 0, d = 0, e = 0, f = 0): number {
    // Storing anything else would throw, or store NaN.
    for (const number of [a, b, c, d, e, f]) requireNumber(number, `emit on ${this.name}`, "an event");
    return this.append(a, b, c, d, e, f);
  }

  /** @internal `emit` for numbers that are right, and with something that is not a number. */
  append(a: number, b: number, c: number, d: number, e: number, f: number, extra?: unknown): number {
    const { held } = this.clock;
    if (held !== undefined) return this.hold(held, new HeldNumbers(this, a, b, c, d, e, f, extra));
    const { width } = this;
    const slot = this.claim();
    const at = slot * width;
    const { numbers } = this;
    numbers[at] = a;
    if (width > 1) numbers[at + 1] = b;
    if (width > 2) numbers[at + 2] = c;
    if (width > 3) numbers[at + 3] = d;
    if (width > 4) numbers[at + 4] = e;
    if (width > 5) numbers[at + 5] = f;
    if (extra !== undefined) this.extras ??= new Array(this.sequences.length).fill(undefined);
    if (this.extras !== undefined) this.extras[slot] = extra;
    return this.clock.sequence;
  }

  /** @internal Those of the numbers of an event that are entities, or may be. */
  entitiesOf(numbers: readonly number[]): readonly number[] {
    const own = numbers.slice(0, this.width);
    return this.entitiesIn?.(own) ?? own;
  }

  /** @internal */
  payloadAt(event: number): Payload {
    const slot = event % this.sequences.length;
    return this.decode(this.numbers, slot * this.width, this.extras?.[slot]);
  }

  protected moved(runs: readonly Run[]): void {
    const { numbers: old, extras, width } = this;
    const { length } = this.sequences;
    this.numbers = new Float64Array(length * width);
    for (const { was, now, count } of runs)
      this.numbers.set(old.subarray(was * width, (was + count) * width), now * width);
    if (extras !== undefined) this.extras = movedItems(extras, length, runs);
  }
}

// Classes, because a tree that is spawned holds an event for each of its entities: closures took ten times as long.

class HeldPayload<Payload> implements HeldEvent {
  private readonly channel: ObjectChannel<Payload>;
  private readonly payload: Payload;

  constructor(channel: ObjectChannel<Payload>, payload: Payload) {
    this.channel = channel;
    this.payload = payload;
  }

  emit(): void {
    this.channel.emit(this.payload);
  }

  names(entities: ReadonlySet<unknown>): boolean {
    return namesOne(this.payload, entities);
  }
}

class HeldNumbers<Payload> implements HeldEvent {
  private readonly channel: PackedChannel<Payload>;
  private readonly numbers: Parameters<PackedChannel<Payload>["append"]>;

  constructor(channel: PackedChannel<Payload>, ...numbers: Parameters<PackedChannel<Payload>["append"]>) {
    this.channel = channel;
    this.numbers = numbers;
  }

  emit(): void {
    this.channel.append(...this.numbers);
  }

  names(entities: ReadonlySet<unknown>): boolean {
    const [a, b, c, d, e, f, extra] = this.numbers;
    const named = this.channel.entitiesOf([a, b, c, d, e, f]);
    return named.some((entity) => entities.has(entity)) || namesOne({ extra }, entities);
  }
}

/** Whether a payload is one of the entities, or has one in a field or in a list. */
function namesOne(payload: unknown, entities: ReadonlySet<unknown>): boolean {
  if (typeof payload !== "object" || payload === null) return entities.has(payload);
  return Object.values(payload).some((value) =>
    Array.isArray(value) ? value.some((item) => entities.has(item)) : entities.has(value),
  );
}
