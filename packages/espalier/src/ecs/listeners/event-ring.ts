/**
 * The ring of a channel: room for events that grows while a reader has not read the oldest, up to a bound in bytes.
 */
import { attached } from "../attached.ts";
import { requireObject, requireText } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import { describeValue } from "../components/fields.ts";
import { InvalidValueError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import { stateOf, type World } from "../world.ts";
import { type EventClock, EventReader, type HeldEvent, type ReaderOptions } from "./event-reader.ts";

/** Options of `createChannel`. */
export interface ChannelOptions {
  /** Keep exactly this many events, whether they were read or not. If left out, `maxBytes` is the only bound. */
  readonly capacity?: number;
  /** The most memory for events that a reader has not read yet. 64 MiB if left out. */
  readonly maxBytes?: number;
  /** Called with the number of readers whenever it changes, for producers that prepare only when something reads. */
  readonly onReaders?: (count: number) => void;
}

const channelOptions: OptionKinds = {
  capacity: "anything",
  maxBytes: "anything",
  onReaders: "function",
  width: "anything",
  decode: "function",
  entitiesIn: "function",
  largerBy: "string",
};

/** So many of the newest events are kept, also without readers. */
const LEAST_KEPT = 1024;
/** After a burst the ring gets shorter again when it was found too long so many times in a row. */
const LOOKS_BEFORE_SHRINKING = 16;
const DEFAULT_BYTES = 64 * 2 ** 20;
/** What an event that is an object takes, about. */
const OBJECT_BYTES = 64;
const MAX_CAPACITY = 2 ** 24;

/** The reading side of a channel. */
export interface EventStream<Payload> {
  /** The name of the channel. */
  readonly name: string;
  /** How many events can wait for a reader. */
  readonly capacity: number;
  /** Whether it has readers; without them a producer can skip making events. */
  readonly hasReaders: boolean;
  /** A new reader, which sees what is emitted from now on. Close it when it is no longer needed. */
  reader(options?: ReaderOptions): EventReader<Payload>;
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
  /** @internal The maker of a channel whose options have other names: `createHierarchy() a larger eventBytes`. For messages. */
  readonly largerBy?: string;
}

type Emitted = [a: number, b: number, c: number, d: number, e: number, f: number, extra?: unknown];

/** What channels have in common: each event is some numbers, and anything beside them. */
export class EventRing<Payload> implements EventStream<Payload> {
  /** The name of the channel. */
  readonly name: string;
  readonly capacity: number;
  /** @internal */
  readonly largerBy: string;
  /** @internal */
  readonly clock: EventClock;
  /** @internal */
  readonly state: WorldState;
  /** @internal */
  end = 0;
  private readonly options: PackedOptions<Payload>;
  private readonly width: number;
  /** Event number n is in slot n % length. */
  private sequences: Float64Array;
  private numbers: Float64Array;
  /** What goes with some of the events; made when there is such an event. */
  private extras: unknown[] | undefined;
  /** The slot of the next event: `end % length`, which a division would find slowly. */
  private next = 0;
  /** Up to this number events can be emitted without a look at the readers. */
  private roomTo: number;
  /** Events before this one were overwritten when the ring got its present length. */
  private first = 0;
  /** How often in a row less than a quarter of the ring was waiting. */
  private longLooks = 0;
  /** Whether room was given back: the first burst is likely a build, which does not come again. */
  private hasGivenBack = false;
  /** How many events are kept with or without readers. */
  private readonly kept: number;
  private readonly readers = new Set<EventReader<Payload>>();

  /** @internal Use `createChannel` or `createPackedChannel`, which check the options. A width of 0: events are objects. */
  constructor(world: World, name: string, options: PackedOptions<Payload>) {
    const { width } = options;
    const eventBytes = width === 0 ? OBJECT_BYTES : (width + 1) * 8;
    const bytes = requireInteger(name, "maxBytes", options.maxBytes ?? DEFAULT_BYTES, 2 ** 32);
    const most = Math.min(MAX_CAPACITY, Math.max(1, Math.floor(bytes / eventBytes)));
    this.name = name;
    const bound = options.capacity === undefined ? "maxBytes" : "capacity";
    this.largerBy = options.largerBy ?? `createChannel() a larger ${bound}`;
    this.state = stateOf(world);
    this.clock = clockOf(world);
    this.capacity = requireInteger(name, "capacity", options.capacity ?? most, MAX_CAPACITY);
    this.kept = options.capacity ?? Math.min(LEAST_KEPT, most);
    this.options = options;
    this.width = width;
    this.roomTo = Math.min(256, this.capacity);
    this.sequences = new Float64Array(this.roomTo);
    this.numbers = new Float64Array(this.roomTo * width);
  }

  get hasReaders(): boolean {
    return this.readers.size > 0;
  }

  reader(options: ReaderOptions = {}): EventReader<Payload> {
    this.state.requireUsable("read events");
    const reader = new EventReader<Payload>(this, options);
    this.readers.add(reader);
    // It may begin with what was emitted before.
    this.roomTo = Math.min(this.roomTo, reader.cursor + this.sequences.length);
    this.options.onReaders?.(this.readers.size);
    return reader;
  }

  /** @internal */
  get oldest(): number {
    return Math.max(this.first, this.end - this.sequences.length);
  }

  /** @internal */
  sequenceAt(event: number): number {
    return this.sequences[event % this.sequences.length];
  }

  /** @internal */
  payloadAt(event: number): Payload {
    const slot = event % this.sequences.length;
    return this.options.decode(this.numbers, slot * this.width, this.extras?.[slot]);
  }

  /** @internal A reader has read all that waited for it. */
  wasRead(): void {
    if (this.hasGivenBack || this.sequences.length <= this.kept) return;
    if (this.end - this.slowest() > this.kept) return;
    this.hasGivenBack = true;
    this.resize(this.kept);
    this.findRoom();
  }

  /** @internal */
  readerClosed(reader: EventReader<Payload>): void {
    this.readers.delete(reader);
    this.options.onReaders?.(this.readers.size);
  }

  /** @internal Adds an event, or keeps it back; the number it has or will have in the world's order. */
  append(a: number, b: number, c: number, d: number, e: number, f: number, extra?: unknown): number {
    const { clock, width } = this;
    if (this.state.table.disposed) this.state.requireUsable("emit an event");
    if (clock.held !== undefined) {
      return clock.sequence + clock.held.push(new Held(this, a, b, c, d, e, f, extra));
    }
    if (this.end >= this.roomTo) this.makeRoom();
    const { numbers, next: slot } = this;
    this.end++;
    this.next = slot + 1 === this.sequences.length ? 0 : slot + 1;
    const at = slot * width;
    if (width > 0) numbers[at] = a;
    if (width > 1) numbers[at + 1] = b;
    if (width > 2) numbers[at + 2] = c;
    if (width > 3) numbers[at + 3] = d;
    if (width > 4) numbers[at + 4] = e;
    if (width > 5) numbers[at + 5] = f;
    if (extra !== undefined) this.extras ??= emptySlots(this.sequences.length);
    if (this.extras !== undefined) this.extras[slot] = extra;
    return (this.sequences[slot] = ++clock.sequence);
  }

  /** @internal Whether an event names one of these entities: by a number, as what goes with it, or in a field or list of that. */
  names([a, b, c, d, e, f, extra]: Emitted, entities: ReadonlySet<unknown>): boolean {
    const numbers = [a, b, c, d, e, f].slice(0, this.width);
    const inside = typeof extra === "object" && extra !== null ? Object.values(extra).flat() : [];
    const named = [...(this.options.entitiesIn?.(numbers) ?? numbers), extra, ...inside];
    return named.some((it) => entities.has(it));
  }

  /** The ring may be full: the oldest event is overwritten then, unless it is to be kept. */
  private makeRoom(): void {
    const { length } = this.sequences;
    const slowest = this.slowest();
    // Where it is looked at may be anywhere between two reads, so one look does not show how much waits at most.
    const isLong = length > this.kept && this.end - slowest < length / 4;
    this.longLooks = isLong ? this.longLooks + 1 : 0;
    if (length < this.kept) this.resize(Math.min(length * 2, this.kept));
    else if (slowest <= this.end - length) this.resize(Math.min(length * 2, this.capacity));
    else if (this.longLooks === LOOKS_BEFORE_SHRINKING) {
      // Step by step: the next burst is likely to be as long.
      this.resize(Math.max(length >> 1, this.kept));
      this.longLooks = 0;
    }
    this.findRoom();
  }

  /** The number of the oldest event that a reader has not read. */
  private slowest(): number {
    let slowest = this.end;
    for (const { cursor } of this.readers) slowest = Math.min(slowest, cursor);
    return slowest;
  }

  private findRoom(): void {
    const slowest = this.slowest();
    const now = this.sequences.length;
    // Readers only go forward, so nothing that waits is overwritten before slowest + now. What cannot grow need not be asked so often.
    if (now < this.kept) this.roomTo = now;
    else this.roomTo = now === this.capacity ? this.end + now : Math.min(slowest + now, this.end + this.kept);
  }

  private resize(length: number): void {
    const { sequences, numbers, extras, width, end } = this;
    const old = sequences.length;
    if (length === old) return;
    this.sequences = new Float64Array(length);
    this.numbers = new Float64Array(length * width);
    this.extras = extras && emptySlots(length);
    this.next = end % length;
    let event = Math.max(this.first, end - Math.min(length, old));
    this.first = event;
    while (event < end) {
      // As many as lie beside each other before and after.
      const was = event % old;
      const now = event % length;
      const count = Math.min(end - event, old - was, length - now);
      this.sequences.set(sequences.subarray(was, was + count), now);
      this.numbers.set(numbers.subarray(was * width, (was + count) * width), now * width);
      if (extras) for (let k = 0; k < count; k++) (this.extras as unknown[])[now + k] = extras[was + k];
      event += count;
    }
  }
}

/** Filled, because V8 makes a slow table of an array whose first item is far from its start. */
function emptySlots(length: number): unknown[] {
  return new Array(length).fill(undefined);
}

/** A class, because a tree that is spawned holds an event for each of its entities: closures took ten times as long. */
class Held implements HeldEvent {
  private readonly channel: EventRing<unknown>;
  private readonly event: Emitted;

  constructor(channel: EventRing<unknown>, ...event: Emitted) {
    this.channel = channel;
    this.event = event;
  }

  emit(): void {
    this.channel.append(...this.event);
  }

  names(entities: ReadonlySet<unknown>): boolean {
    return this.channel.names(this.event, entities);
  }
}

export function requireChannel(world: World, name: string, options: ChannelOptions): void {
  const state = stateOf(world);
  state.requireUsable("create a channel");
  requireText(name, "create a channel", "its name");
  requireObject(options, `create channel ${name}`, "what is said of it");
  checkOptions(state.checks, `create channel ${name}`, options, channelOptions);
}

export function requireInteger(channel: string, what: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new InvalidValueError(
    `Cannot create channel ${channel} with ${what} ${describeValue(value)}. Give an integer from 1 to ${most}.`,
    { subject: channel, option: what, value, limit: most },
  );
}

/** Counts the events of all channels of a world. */
export function clockOf(world: World): EventClock {
  return attached(stateOf(world), "espalier.events", (): EventClock => ({ sequence: 0, held: undefined }));
}
