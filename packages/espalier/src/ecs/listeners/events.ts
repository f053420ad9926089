/**
 * Event channels: what happened, in order, for any number of readers that come by when they like.
 *
 * A channel keeps events in a ring that grows while a reader has not read the oldest, up to a bound in bytes, so a reader
 * that comes by once a frame loses nothing when a large scene is loaded in between. All channels of a world share one sequence number, so events of several channels can be put in
 * order (`readInOrder`).
 */
import { requireFunction, requireNumber, requireObject, requireText } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import { describeValue } from "../components/fields.ts";
import type { Entity } from "../entities/entity.ts";
import { InvalidValueError } from "../errors.ts";
import { stateOf, type World } from "../world.ts";
import {
  type EventClock,
  EventReader,
  type EventSource,
  type HeldEvent,
  type ReaderOptions,
} from "./event-reader.ts";

/** Options of `createChannel`. */
export interface ChannelOptions {
  /** Keep exactly this many events, whether they were read or not. If left out, `maxBytes` is the only bound. */
  readonly capacity?: number;
  /** The most memory for events that a reader has not read yet. 64 MiB if left out. */
  readonly maxBytes?: number;
  /** Told how many read whenever that changes, for producers that prepare only when somebody does. */
  readonly onReaders?: (count: number) => void;
}

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

const channelOptions: OptionKinds = {
  capacity: "anything",
  maxBytes: "anything",
  onReaders: "function",
  width: "anything",
  decode: "function",
  entitiesIn: "function",
};

/** So many of the newest events are kept, also without readers. */
const LEAST_KEPT = 4096;
/** After a burst the ring gets shorter again when it was too long for so many rounds in a row. */
const LAPS_BEFORE_SHRINKING = 16;
const DEFAULT_BYTES = 64 * 2 ** 20;
const MAX_CAPACITY = 2 ** 24;
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

/** A channel as those see it who only read. */
export interface EventStream<Payload> {
  readonly name: string;
  /** How many events can wait for a reader. */
  readonly capacity: number;
  /** Whether anybody reads; a producer may save itself the work of making events otherwise. */
  readonly hasReaders: boolean;
  /** A new reader, which sees what is emitted from now on. Close it when it is no longer needed. */
  reader(options?: ReaderOptions): EventReader<Payload>;
}

/** A channel of events with payloads of one type. */
export interface EventChannel<Payload> extends EventStream<Payload> {
  /** Adds an event and returns its number in the world's order. The payload is kept as it is; do not change it. */
  emit(payload: Payload): number;
}

abstract class EventChannelBase<Payload> implements EventStream<Payload>, EventSource<Payload> {
  readonly name: string;
  readonly capacity: number;
  /** @internal */
  readonly clock: EventClock;
  /** @internal */
  end = 0;
  private readonly world: World;
  private readonly table: { readonly disposed: boolean };
  /** Event number n is in slot n % length. */
  protected sequences: Float64Array;
  /** The slot of the next event: `end % length`, which a division would find slowly. */
  private next = 0;
  /** Up to this number events can be emitted without a look at who has read what. */
  private roomTo: number;
  /** How often in a row less than a quarter of the ring was waiting. */
  private longLaps = 0;
  /** How many events are kept with or without readers. */
  private readonly kept: number;
  private readonly readers = new Set<{ readonly position: number }>();
  private readonly onReaders: ((count: number) => void) | undefined;

  /** @param eventBytes How much memory one event takes. */
  constructor(world: World, name: string, options: ChannelOptions, eventBytes: number) {
    const state = stateOf(world);
    state.requireUsable("create a channel");
    requireText(name, "create a channel", "its name");
    requireObject(options, `create channel ${name}`, "what is said of it");
    checkOptions(state.checks, `create channel ${name}`, options, channelOptions);
    this.world = world;
    this.table = state.table;
    this.name = name;
    const bytes = requireInteger(name, "maxBytes", options.maxBytes ?? DEFAULT_BYTES, 2 ** 32);
    const most = Math.min(MAX_CAPACITY, Math.max(1, Math.floor(bytes / eventBytes)));
    this.capacity = requireInteger(name, "capacity", options.capacity ?? most, MAX_CAPACITY);
    this.kept = options.capacity ?? Math.min(LEAST_KEPT, most);
    this.clock = clockOf(world);
    this.onReaders = options.onReaders;
    this.sequences = new Float64Array(Math.min(16, this.capacity));
    this.roomTo = this.sequences.length;
  }

  get hasReaders(): boolean {
    return this.readers.size > 0;
  }

  reader(options: ReaderOptions = {}): EventReader<Payload> {
    this.requireUsable("read events");
    const reader = new EventReader<Payload>(this, options);
    this.readers.add(reader);
    // It may begin with what was emitted before.
    this.roomTo = Math.min(this.roomTo, reader.position + this.sequences.length);
    this.onReaders?.(this.readers.size);
    return reader;
  }

  /** @internal */
  get oldest(): number {
    return Math.max(0, this.end - Math.max(this.kept, this.sequences.length));
  }

  /** @internal */
  sequenceAt(event: number): number {
    return this.sequences[event % this.sequences.length];
  }

  /** @internal */
  abstract payloadAt(event: number): Payload;

  /** @internal */
  requireUsable(doing: string): void {
    stateOf(this.world).requireUsable(doing);
  }

  /** @internal */
  report(error: Error): void {
    this.world.onError(error);
  }

  /** @internal */
  readerClosed(reader: { readonly position: number }): void {
    this.readers.delete(reader);
    this.onReaders?.(this.readers.size);
  }

  /** Keeps an event back; the number it will have if it is released. */
  protected hold(held: HeldEvent[], event: HeldEvent): number {
    this.requireUsable("emit an event");
    return this.clock.sequence + held.push(event);
  }

  /** The place of the next event. */
  protected claim(): number {
    if (this.table.disposed) this.requireUsable("emit an event");
    if (this.end >= this.roomTo) this.makeRoom();
    const slot = this.next;
    this.end++;
    this.next = slot + 1 === this.sequences.length ? 0 : slot + 1;
    this.sequences[slot] = ++this.clock.sequence;
    return slot;
  }

  /** The ring is full: the oldest event is overwritten, unless it is to be kept. */
  private makeRoom(): void {
    const { length } = this.sequences;
    const { slowest } = this;
    // Where it is looked at may be anywhere between two reads, so one look does not tell how much waits at most.
    const isLong = length > this.kept && this.end - slowest < length / 4;
    this.longLaps = isLong ? this.longLaps + 1 : 0;
    if (length < this.kept) this.resize(Math.min(length * 2, this.kept));
    else if (slowest <= this.end - length) this.resize(Math.min(length * 2, this.capacity));
    else if (this.longLaps === LAPS_BEFORE_SHRINKING) {
      // Step by step: the next burst is likely to be as long.
      this.resize(Math.max(length >> 1, this.kept));
      this.longLaps = 0;
    }
    const now = this.sequences.length;
    // Readers only go forward, so nothing that waits is overwritten before then. What cannot grow need not be asked so often.
    this.roomTo = now < this.kept ? now : now === this.capacity ? this.end + now : slowest + now;
  }

  /** The number of the oldest event that some reader has not read. */
  private get slowest(): number {
    let slowest = this.end;
    for (const { position } of this.readers) if (position < slowest) slowest = position;
    return slowest;
  }

  private resize(length: number): void {
    if (length === this.sequences.length) return;
    const from = Math.max(0, this.end - Math.min(length, this.sequences.length));
    const old = this.sequences;
    this.sequences = new Float64Array(length);
    this.next = this.end % length;
    for (let event = from; event < this.end; event++) {
      this.sequences[event % length] = old[event % old.length];
    }
    this.moved(from, old.length, length);
  }

  /** Event number n, from `from` on, was in slot n % before and is in slot n % after. */
  protected abstract moved(from: number, before: number, after: number): void;
}

class ObjectChannel<Payload> extends EventChannelBase<Payload> implements EventChannel<Payload> {
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

  protected moved(from: number, before: number, after: number): void {
    const old = this.payloads;
    // Filled, because V8 makes a slow table of an array whose first item is far from its start.
    this.payloads = new Array<Payload>(after).fill(undefined as Payload);
    for (let event = from; event < this.end; event++) {
      this.payloads[event % after] = old[event % before] as Payload;
    }
  }
}

/** A channel whose events are numbers until they are read. */
export class PackedChannel<Payload> extends EventChannelBase<Payload> {
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

  protected moved(from: number, before: number, after: number): void {
    const { numbers: old, extras, width } = this;
    this.numbers = new Float64Array(after * width);
    for (let event = from; event < this.end; event++) {
      const at = (event % before) * width;
      for (let k = 0; k < width; k++) this.numbers[(event % after) * width + k] = old[at + k];
    }
    if (extras === undefined) return;
    this.extras = new Array(after).fill(undefined);
    for (let event = from; event < this.end; event++) this.extras[event % after] = extras[event % before];
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

function requireInteger(channel: string, what: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new InvalidValueError(
    `Cannot create channel ${channel} with ${what} ${describeValue(value)}. Give an integer from 1 to ${most}.`,
  );
}

function clockOf(world: World): EventClock {
  let clock = stateOf(world).attachments.get("espalier.events") as EventClock | undefined;
  if (clock === undefined) {
    clock = { sequence: 0, held: undefined };
    stateOf(world).attachments.set("espalier.events", clock);
  }
  return clock;
}
