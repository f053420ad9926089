/**
 * Reading events: every reader goes through a channel at its own pace and learns when it was too slow.
 */
import { refuseArgument, requireFunction, requireList } from "../checks/arguments.ts";
import { checkOptions } from "../checks/check-options.ts";
import { ClosedReaderError, InvalidValueError, MissedEventsError } from "../errors.ts";
import type { WorldState } from "../state.ts";

/** What a reader needs from its channel. */
export interface EventSource<Payload> {
  readonly name: string;
  readonly capacity: number;
  /** The option that lets it keep more, for messages: `createChannel() a larger capacity`. */
  readonly largerBy: string;
  /** Number of the oldest event that is still kept, and of the next one to come; counted per channel. */
  readonly oldest: number;
  readonly end: number;
  readonly state: WorldState;
  /** The same object for all channels of a world. */
  readonly clock: EventClock;
  payloadAt(event: number): Payload;
  sequenceAt(event: number): number;
  /** Called when a reader has read all that waited for it. */
  wasRead(): void;
  /** Called when a reader ends. */
  readerClosed(reader: object): void;
}

/** An event that waits until it is known whether it happened. */
export interface HeldEvent {
  emit(): void;
  /** Whether it names one of these entities. */
  names(entities: ReadonlySet<unknown>): boolean;
}

/** Gives every event of a world a number, whatever its channel. */
export interface EventClock {
  sequence: number;
  /** While events are held back: each of them, in order. */
  held: HeldEvent[] | undefined;
}

/** Options of a reader of events. */
export interface ReaderOptions {
  /** `now` (the default) sees only what is emitted from now on; `oldest` begins with what the channel still keeps. */
  readonly from?: "now" | "oldest";
  /** Shown when the reader misses events. */
  readonly name?: string;
  /** Called with the number of events missed, instead of the world's `onError`. */
  readonly onMissed?: (missed: number) => void;
}

const readerOptions = { from: ["now", "oldest"], name: "string", onMissed: "function" } as const;

/**
 * One reader of a channel. Sees every event once, in order. One that reads too rarely misses the oldest: each loss is
 * reported once, to `onMissed` or else to the world's `onError`, and added to `missed`.
 */
export class EventReader<out Payload> {
  /** @internal */
  readonly source: EventSource<Payload>;
  private readonly options: ReaderOptions;
  /** @internal The number of the next event it reads. */
  cursor: number;
  private missed_ = 0;
  private isOpen = true;

  /** @internal Use `channel.reader()`. */
  constructor(source: EventSource<Payload>, options: ReaderOptions) {
    this.source = source;
    checkOptions(true, `read ${source.name}`, options, readerOptions);
    this.options = options;
    this.cursor = options.from === "oldest" ? source.oldest : source.end;
  }

  /** How many events this reader lost so far, because they were overwritten before it read them. */
  get missed(): number {
    return this.missed_ + Math.max(0, this.source.oldest - this.cursor);
  }

  /** How many events wait to be read. */
  get pending(): number {
    return this.source.end - Math.max(this.cursor, this.source.oldest);
  }

  /** What was emitted since the last read, oldest first. */
  read(): Payload[] {
    this.requireOpen();
    const { source } = this;
    const { end } = source;
    // Of its full length at once: an array that grows while it is filled allocates three times as much.
    const events = new Array<Payload>(this.pending);
    let count = 0;
    while (this.advance(end)) events[count++] = source.payloadAt(this.cursor++);
    // Decoding may emit so much that events which waited are overwritten.
    events.length = count;
    source.wasRead();
    return events;
  }

  /**
   * Calls `fn` for what was emitted before the call and not read yet. An event counts as read when its turn comes:
   * when `fn` throws, the rest waits for the next read.
   */
  forEach(fn: (payload: Payload, sequence: number) => void): void {
    this.requireOpen();
    requireFunction(fn, "read events", "the callback");
    const { source } = this;
    const end = source.end;
    // Asked for every event, because decoding one or `fn` may emit so many that they overwrite what waits.
    while (this.advance(end)) {
      const event = this.cursor++;
      fn(source.payloadAt(event), source.sequenceAt(event));
    }
    source.wasRead();
  }

  /** `for (const event of reader)`: like `forEach`; leaving the loop early keeps the rest for the next read. */
  *[Symbol.iterator](): IterableIterator<Payload> {
    this.requireOpen();
    const end = this.source.end;
    while (this.advance(end)) yield this.source.payloadAt(this.cursor++);
    this.source.wasRead();
  }

  /** Ends the reader. Reading it afterwards throws; closing it again does nothing. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.source.readerClosed(this);
  }

  /** @internal The number of the next event in the world's order, or nothing when none waits. */
  peek(): number | undefined {
    this.requireOpen();
    return this.advance(this.source.end) ? this.source.sequenceAt(this.cursor) : undefined;
  }

  /** Passes over what was overwritten; whether an event before `end` waits. */
  private advance(end: number): boolean {
    // Again after each report, because what is called may emit so many that more is overwritten.
    while (this.cursor < this.source.oldest) {
      const lost = this.source.oldest - this.cursor;
      this.cursor += lost;
      this.missed_ += lost;
      if (this.options.onMissed !== undefined) this.options.onMissed(lost);
      else this.source.state.onError(this.missedError(lost));
      if (this.cursor >= end) return false;
    }
    return this.cursor < end;
  }

  private missedError(lost: number): MissedEventsError {
    const { name, capacity, largerBy } = this.source;
    const reader = this.options.name === undefined ? "A reader" : `Reader ${this.options.name}`;
    return new MissedEventsError(
      `${reader} of channel ${name} missed ${lost} events: the channel keeps ${capacity}, and more were emitted since the last read. Read it more often, or give ${largerBy}.`,
      { channel: name, missed: lost },
    );
  }

  private requireOpen(): void {
    this.source.state.requireUsable("read events");
    if (this.isOpen) return;
    throw new ClosedReaderError(
      `Cannot read events of channel ${this.source.name}: this reader was closed. Make another with channel.reader().`,
      { subject: this.source.name },
    );
  }
}

/**
 * Reads several readers as one stream, in the order the events happened in the world.
 *
 * @example
 * ```ts
 * const hits = createChannel<string>(world, "hits");
 * const falls = createChannel<string>(world, "falls");
 * const readers = [hits.reader(), falls.reader()];
 * hits.emit("tank");
 * falls.emit("crate");
 * hits.emit("wall");
 * const seen: string[] = [];
 * readInOrder(readers, (event) => seen.push(event));
 * seen; // → ["tank", "crate", "wall"]
 * ```
 */
export function readInOrder<Payload>(
  readers: readonly EventReader<Payload>[],
  fn: (payload: Payload, sequence: number, reader: EventReader<Payload>) => void,
): void {
  requireList(readers, "read events in order", "the list of readers");
  for (const reader of readers) {
    if (!(reader instanceof EventReader))
      refuseArgument(reader, "read events in order", "one of them", "a reader");
  }
  requireFunction(fn, "read events in order", "the callback");
  const clock = readers[0]?.source.clock;
  if (readers.some(({ source }) => source.clock !== clock)) {
    throw new InvalidValueError(
      "Cannot read events of different worlds in order: each world counts its own. Read them one after the other.",
    );
  }
  const end = clock?.sequence ?? 0;
  for (;;) {
    let first: EventReader<Payload> | undefined;
    let sequence = end + 1;
    for (const reader of readers) {
      const next = reader.peek();
      if (next === undefined || next >= sequence) continue;
      first = reader;
      sequence = next;
    }
    if (first === undefined) return;
    // What another reader reported may have emitted so many that this one's was overwritten.
    if (first.cursor < first.source.oldest) continue;
    fn(first.source.payloadAt(first.cursor++), sequence, first);
  }
}
