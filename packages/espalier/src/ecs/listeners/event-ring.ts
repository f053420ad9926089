/**
 * The ring of a channel: places for events that grow while a reader has not read the oldest, up to a bound in bytes.
 */
import { requireObject, requireText } from "../checks/arguments.ts";
import { checkOptions, type OptionKinds } from "../checks/check-options.ts";
import { describeValue } from "../components/fields.ts";
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
/** After a burst the ring gets shorter again when it was found too long so many times in a row. */
const LOOKS_BEFORE_SHRINKING = 16;
const DEFAULT_BYTES = 64 * 2 ** 20;
const MAX_CAPACITY = 2 ** 24;

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

/** What channels have in common, whatever they keep of an event. */
export abstract class EventRing<Payload> implements EventStream<Payload>, EventSource<Payload> {
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
  private longLooks = 0;
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
    this.sequences = new Float64Array(Math.min(256, this.capacity));
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

  /** The ring may be full: the oldest event is overwritten then, unless it is to be kept. */
  private makeRoom(): void {
    const { length } = this.sequences;
    const { slowest } = this;
    // Where it is looked at may be anywhere between two reads, so one look does not tell how much waits at most.
    const isLong = length > this.kept && this.end - slowest < length / 4;
    this.longLooks = isLong ? this.longLooks + 1 : 0;
    if (length < this.kept) this.resize(Math.min(length * 2, this.kept));
    else if (slowest <= this.end - length) this.resize(Math.min(length * 2, this.capacity));
    else if (this.longLooks === LOOKS_BEFORE_SHRINKING) {
      // Step by step: the next burst is likely to be as long.
      this.resize(Math.max(length >> 1, this.kept));
      this.longLooks = 0;
    }
    const now = this.sequences.length;
    // Readers only go forward, so nothing that waits is overwritten before slowest + now. What cannot grow need not be asked so often.
    if (now < this.kept) this.roomTo = now;
    else this.roomTo = now === this.capacity ? this.end + now : Math.min(slowest + now, this.end + this.kept);
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
    const runs: Run[] = [];
    for (let event = from; event < this.end; ) {
      const was = event % old.length;
      const now = event % length;
      const count = Math.min(this.end - event, old.length - was, length - now);
      runs.push({ was, now, count });
      event += count;
    }
    for (const { was, now, count } of runs) this.sequences.set(old.subarray(was, was + count), now);
    this.moved(runs);
  }

  /** Events went to other slots; the new length of the ring is that of `sequences`. */
  protected abstract moved(runs: readonly Run[]): void;
}

/** Events that lie beside each other before and after a ring gets another length. */
export interface Run {
  readonly was: number;
  readonly now: number;
  readonly count: number;
}

/** A list of what is in the slots, after events went to others. */
export function movedItems<Item>(old: readonly Item[], length: number, runs: readonly Run[]): Item[] {
  // Filled, because V8 makes a slow table of an array whose first item is far from its start.
  const items = new Array<Item>(length).fill(undefined as Item);
  for (const { was, now, count } of runs) for (let k = 0; k < count; k++) items[now + k] = old[was + k];
  return items;
}

export function requireInteger(channel: string, what: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new InvalidValueError(
    `Cannot create channel ${channel} with ${what} ${describeValue(value)}. Give an integer from 1 to ${most}.`,
  );
}

/** Counts the events of all channels of a world. */
export function clockOf(world: World): EventClock {
  let clock = stateOf(world).attachments.get("espalier.events") as EventClock | undefined;
  if (clock === undefined) {
    clock = { sequence: 0, held: undefined };
    stateOf(world).attachments.set("espalier.events", clock);
  }
  return clock;
}
