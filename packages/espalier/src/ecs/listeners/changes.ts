/**
 * What was added, changed and removed, for any number of independent readers.
 *
 * A component has a log only while it has readers; without a reader the cost is one false boolean. The log is cut
 * behind the slowest reader.
 */
import { requireFunction } from "../checks/arguments.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ClosedReaderError } from "../errors.ts";
import { grown } from "../grown.ts";

/** What a change reader has seen happen to an entity's component. */
export type ChangeKind = "added" | "changed" | "removed";

const kinds: readonly ChangeKind[] = ["added", "changed", "removed"];
const ADDED = 0;
const CHANGED = 1;
const REMOVED = 2;

/** What happened since the last `read()`. */
export interface Changes {
  /** Got the component and still have it. */
  readonly added: readonly Entity[];
  /** Had it already, still have it, and got another value. Each entity once. */
  readonly changed: readonly Entity[];
  /** Lost it, by `remove` or `destroy`; also listed when they got it back since. */
  readonly removed: readonly Entity[];
}

/** Room for this many entries is kept for good. */
const KEPT = 65_536;

export class ChangeLog {
  private entities = new Float64Array(64);
  private codes = new Uint8Array(64);
  private count = 0;
  /** How many entries were cut off in front. */
  private cut = 0;
  /** Per index: the epoch in which a change was last logged, so that it is logged once until it is read. */
  private marked = new Uint32Array(64);
  private epoch = 1;
  private walks = 0;
  readonly readers = new Set<ChangeReader>();

  get end(): number {
    return this.cut + this.count;
  }

  added(entity: Entity, index: number): void {
    if (index >= this.marked.length) this.marked = grown(this.marked, index * 2);
    this.marked[index] = this.epoch;
    this.push(entity, ADDED);
  }

  changed(entity: Entity, index: number): void {
    if (index >= this.marked.length) this.marked = grown(this.marked, index * 2);
    if (this.marked[index] === this.epoch) return;
    this.marked[index] = this.epoch;
    this.push(entity, CHANGED);
  }

  removed(entity: Entity, index: number): void {
    if (index < this.marked.length) this.marked[index] = 0;
    this.push(entity, REMOVED);
  }

  /** Lets a reader begin here: what is marked as logged for the others is logged again, so that this reader gets it too. */
  join(reader: ChangeReader): void {
    this.epoch++;
    this.readers.add(reader);
  }

  entityAt(at: number): Entity {
    return this.entities[at - this.cut] as Entity;
  }

  codeAt(at: number): number {
    return this.codes[at - this.cut] as number;
  }

  /** Moves a reader to the end, where `endWalk` must follow: until then the entries before stay. */
  beginWalk(reader: { cursor: number }): number {
    reader.cursor = this.end;
    this.epoch++;
    this.walks++;
    return reader.cursor;
  }

  endWalk(): void {
    this.walks--;
    this.trim();
  }

  /**
   * Forgets what was logged since the log ended at `end`, because it was taken back. Nothing happens when a reader has
   * seen some of it: that one needs the entries that take it back.
   */
  rewind(end: number): void {
    if (this.walks > 0) return;
    for (const reader of this.readers) if (reader.cursor > end) return;
    if (end < this.cut) return;
    this.count = end - this.cut;
    // What was marked as logged may be forgotten now.
    this.epoch++;
  }

  /** Cuts off what every reader has read. Not while one is reading: it still needs what lies before its cursor. */
  trim(): void {
    if (this.walks > 0) return;
    let first = this.end;
    for (const reader of this.readers) first = Math.min(first, reader.cursor);
    const surplus = first - this.cut;
    // Cutting costs as much as what stays; wait until it is worth it.
    if (surplus === 0 || surplus * 2 < this.count) return;
    this.entities.copyWithin(0, surplus, this.count);
    this.codes.copyWithin(0, surplus, this.count);
    this.count -= surplus;
    this.cut = first;
    if (this.count === 0 && this.codes.length > KEPT) this.resize(64);
  }

  private push(entity: Entity, code: number): void {
    const at = this.count;
    if (at === this.codes.length) this.resize(at * 2);
    this.entities[at] = entity;
    this.codes[at] = code;
    this.count = at + 1;
  }

  private resize(length: number): void {
    this.entities = grown(this.entities, length);
    this.codes = grown(this.codes, length);
  }
}

/** Whether the entity has the component now and passes the reader's filter. */
type StillThere = (entity: Entity) => boolean;

/**
 * One reader of the changes of one component. Sees every change since it was made exactly once. Close it when it is
 * no longer needed: an open reader keeps what it has not read.
 */
export class ChangeReader {
  /** @internal */
  cursor: number;
  private readonly log: ChangeLog;
  private readonly stillThere: StillThere;
  private readonly onClose: () => void;
  /** By index: the number of the last `read` that listed it as added or changed. */
  private listed = new Uint32Array(64);
  private reads = 0;

  /** @internal Use `changesOf()`. */
  constructor(log: ChangeLog, stillThere: StillThere, onClose: () => void) {
    this.log = log;
    this.cursor = log.end;
    this.stillThere = stillThere;
    this.onClose = onClose;
    log.join(this);
  }

  /** How many entries wait. */
  get pending(): number {
    return this.log.readers.has(this) ? this.log.end - this.cursor : 0;
  }

  /** The net result since the last read, and moves on. When the filter throws, everything waits for the next call. */
  read(): Changes {
    this.requireOpen();
    const { log } = this;
    const from = this.cursor;
    const end = log.beginWalk(this);
    this.reads++;
    const added: Entity[] = [];
    const changed: Entity[] = [];
    const removed = new Set<Entity>();
    let isDone = false;
    try {
      // Last ones first: an entity that got it several times is listed where that happened last.
      for (let at = end - 1; at >= from; at--) {
        const entity = log.entityAt(at);
        if (log.codeAt(at) === ADDED && this.list(entity)) added.push(entity);
      }
      for (let at = from; at < end; at++) {
        const entity = log.entityAt(at);
        const code = log.codeAt(at);
        if (code === REMOVED) removed.add(entity);
        else if (code === CHANGED && this.list(entity)) changed.push(entity);
      }
      isDone = true;
    } finally {
      if (!isDone) this.cursor = from;
      log.endWalk();
    }
    return { added: added.reverse(), changed, removed: [...removed] };
  }

  /** Whether to list an entity that was not listed by this read. */
  private list(entity: Entity): boolean {
    const index = entity & INDEX_MASK;
    if (index >= this.listed.length) this.listed = grown(this.listed, index * 2);
    if (this.listed[index] === this.reads || !this.stillThere(entity)) return false;
    this.listed[index] = this.reads;
    return true;
  }

  /**
   * Every entry in the order it happened, and moves on. Entities may be dead by now. When `fn` throws, the entries after
   * that one wait for the next call.
   */
  forEach(fn: (entity: Entity, kind: ChangeKind) => void): void {
    this.requireOpen();
    requireFunction(fn, "read changes", "the callback");
    const { log } = this;
    let at = this.cursor;
    const end = log.beginWalk(this);
    try {
      while (at < end) {
        const entity = log.entityAt(at);
        fn(entity, kinds[log.codeAt(at++)] as ChangeKind);
      }
    } finally {
      if (at < end) this.cursor = at;
      log.endWalk();
    }
  }

  private requireOpen(): void {
    if (this.log.readers.has(this)) return;
    throw new ClosedReaderError(
      "Cannot read changes: this reader was closed. Make a new one with changesOf().",
    );
  }

  /** Ends the reader: what it has not read is let go, and reading throws `ClosedReaderError` from now on. */
  close(): void {
    if (!this.log.readers.delete(this)) return;
    this.log.trim();
    this.onClose();
  }
}

/** Where the log of a component ended. */
export interface LogMark {
  readonly log: ChangeLog;
  readonly end: number;
}

/** Where the logs of all change readers end now. */
export function markLogs(s: {
  readonly stores: readonly { readonly log: ChangeLog | undefined }[];
}): LogMark[] {
  const marks: LogMark[] = [];
  for (const { log } of s.stores) if (log !== undefined) marks.push({ log, end: log.end });
  return marks;
}

/** Drops for all readers what was logged since then. */
export function rewindLogs(marks: readonly LogMark[]): void {
  for (const { log, end } of marks) log.rewind(end);
}
