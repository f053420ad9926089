/**
 * Event channels: what happened, in order, for any number of readers that come by when they like.
 *
 * A channel keeps the newest events in a ring, so its memory is bounded and emitting costs the same whether nobody or
 * everybody reads. All channels of a world share one sequence number, so events of several channels can be put in
 * order (`readInOrder`).
 */
import { InvalidValueError } from "./errors.ts";
import { type EventClock, EventReader, type EventSource, type ReaderOptions } from "./event-reader.ts";
import { describe } from "./fields.ts";
import { stateOf, type World } from "./world.ts";

export interface ChannelOptions {
  /** How many events are kept for readers. 4096 if left out. */
  readonly capacity?: number;
  /** Told how many read whenever that changes, for producers that prepare only when somebody does. */
  readonly onReaders?: (count: number) => void;
}

/** How events are kept as numbers; see `createPackedChannel`. */
export interface PackedOptions<Payload> extends ChannelOptions {
  /** Numbers per event, 1 to 6. */
  readonly width: number;
  /** Makes the payload when an event is read, from `numbers[at]` to `numbers[at + width - 1]`. */
  readonly decode: (numbers: Float64Array, at: number) => Payload;
}

const DEFAULT_CAPACITY = 4096;
const MAX_CAPACITY = 2 ** 24;
const MAX_WIDTH = 6;

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
 * are kept in one typed array; `decode` turns them into a payload only where somebody reads.
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
  /** They did not: nobody gets what was emitted since the hold began. */
  discard(): void;
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
      if (outer === undefined) for (const emit of held) emit();
    },
    discard() {
      clock.held = outer;
      held.length = from;
    },
  };
}

/** A channel of events with payloads of one type. */
export interface EventChannel<Payload> extends EventChannelBase<Payload> {
  /** Adds an event and returns its number in the world's order. The payload is kept as it is; do not change it. */
  emit(payload: Payload): number;
}

abstract class EventChannelBase<Payload> implements EventSource<Payload> {
  readonly name: string;
  readonly capacity: number;
  /** @internal */
  readonly clock: EventClock;
  /** @internal */
  end = 0;
  private readonly world: World;
  /** Shorter than `capacity` until that much was emitted; then a ring. */
  protected sequences: Float64Array;
  private slot = 0;
  private readers = 0;
  private readonly onReaders: ((count: number) => void) | undefined;

  constructor(world: World, name: string, options: ChannelOptions) {
    stateOf(world).requireUsable("create a channel");
    this.world = world;
    this.name = name;
    this.capacity = requireInteger(name, "capacity", options.capacity ?? DEFAULT_CAPACITY, MAX_CAPACITY);
    this.clock = clockOf(world);
    this.onReaders = options.onReaders;
    this.sequences = new Float64Array(Math.min(16, this.capacity));
  }

  /** Whether anybody reads; a producer may save itself the work of making events otherwise. */
  get hasReaders(): boolean {
    return this.readers > 0;
  }

  /** A new reader, which sees what is emitted from now on. Close it when it is no longer needed. */
  reader(options: ReaderOptions = {}): EventReader<Payload> {
    this.requireUsable("read events");
    this.readers++;
    this.onReaders?.(this.readers);
    return new EventReader<Payload>(this, options);
  }

  /** @internal */
  get oldest(): number {
    return Math.max(0, this.end - this.capacity);
  }

  /** @internal */
  sequenceAt(event: number): number {
    return this.sequences[event % this.capacity];
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
  readerClosed(): void {
    this.readers--;
    this.onReaders?.(this.readers);
  }

  /** Keeps an event back; the number it will have if it is released. */
  protected hold(held: (() => void)[], emit: () => void): number {
    this.requireUsable("emit an event");
    return this.clock.sequence + held.push(emit);
  }

  /** The place of the next event. */
  protected claim(): number {
    if (stateOf(this.world).table.disposed) this.requireUsable("emit an event");
    const slot = this.slot;
    if (slot === this.sequences.length) this.grow(Math.min(slot * 2, this.capacity));
    this.sequences[slot] = ++this.clock.sequence;
    this.slot = slot + 1 === this.capacity ? 0 : slot + 1;
    this.end++;
    return slot;
  }

  protected grow(slots: number): void {
    this.sequences = grown(this.sequences, slots);
  }
}

class ObjectChannel<Payload> extends EventChannelBase<Payload> implements EventChannel<Payload> {
  private readonly payloads: Payload[] = [];

  emit(payload: Payload): number {
    const { held } = this.clock;
    if (held !== undefined) return this.hold(held, () => void this.emit(payload));
    this.payloads[this.claim()] = payload;
    return this.clock.sequence;
  }

  payloadAt(event: number): Payload {
    return this.payloads[event % this.capacity] as Payload;
  }
}

/** A channel whose events are numbers until somebody reads them. */
export class PackedChannel<Payload> extends EventChannelBase<Payload> {
  private readonly width: number;
  private readonly decode: PackedOptions<Payload>["decode"];
  private numbers: Float64Array;

  /** @internal Use `createPackedChannel`. */
  constructor(world: World, name: string, options: PackedOptions<Payload>) {
    super(world, name, options);
    this.width = requireInteger(name, "width", options.width, MAX_WIDTH);
    this.decode = options.decode;
    this.numbers = new Float64Array(this.sequences.length * this.width);
  }

  /** Adds an event and returns its number in the world's order. Numbers beyond the channel's width are ignored. */
  emit(a: number, b = 0, c = 0, d = 0, e = 0, f = 0): number {
    const { held } = this.clock;
    if (held !== undefined) return this.hold(held, () => void this.emit(a, b, c, d, e, f));
    const { width } = this;
    const at = this.claim() * width;
    const { numbers } = this;
    numbers[at] = a;
    if (width > 1) numbers[at + 1] = b;
    if (width > 2) numbers[at + 2] = c;
    if (width > 3) numbers[at + 3] = d;
    if (width > 4) numbers[at + 4] = e;
    if (width > 5) numbers[at + 5] = f;
    return this.clock.sequence;
  }

  /** @internal */
  payloadAt(event: number): Payload {
    return this.decode(this.numbers, (event % this.capacity) * this.width);
  }

  protected override grow(slots: number): void {
    super.grow(slots);
    this.numbers = grown(this.numbers, slots * this.width);
  }
}

function grown(old: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length);
  longer.set(old);
  return longer;
}

function requireInteger(channel: string, what: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new InvalidValueError(
    `Cannot create channel ${channel} with ${what} ${describe(value)}. Give an integer from 1 to ${most}.`,
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
