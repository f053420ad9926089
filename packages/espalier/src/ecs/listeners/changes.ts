/**
 * What was added, changed and removed, for any number of independent readers.
 *
 * A component has a log only while somebody reads it; without a reader the cost is one false boolean. The log is cut
 * behind the slowest reader.
 */
import { requireFunction } from "../checks/arguments.ts";
import type { Entity } from "../entities/entity.ts";
import { ClosedReaderError } from "../errors.ts";

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

export class ChangeLog {
  private entities: Entity[] = [];
  private codes: number[] = [];
  /** How many entries were cut off in front. */
  private cut = 0;
  /** Per index: the epoch in which a change was last logged, so that it is logged once until somebody reads. */
  private marked = new Uint32Array(0);
  private epoch = 1;
  private walks = 0;
  readonly readers = new Set<ChangeReader>();

  get end(): number {
    return this.cut + this.entities.length;
  }

  added(entity: Entity, index: number): void {
    this.mark(index);
    this.push(entity, ADDED);
  }

  changed(entity: Entity, index: number): void {
    if (this.marked[index] === this.epoch) return;
    this.mark(index);
    this.push(entity, CHANGED);
  }

  removed(entity: Entity, index: number): void {
    if (index < this.marked.length) this.marked[index] = 0;
    this.push(entity, REMOVED);
  }

  /** Lets a reader begin here: what is marked as logged for the others is logged again, so that it hears of it too. */
  join(reader: ChangeReader): void {
    this.epoch++;
    this.readers.add(reader);
  }

  /** Calls `fn` for every entry that waits for `reader`. When it throws, the entries behind that one go on waiting. */
  forEach(reader: { cursor: number }, fn: (entity: Entity, kind: ChangeKind) => void): void {
    let k = reader.cursor;
    const end = this.end;
    reader.cursor = end;
    this.epoch++;
    this.walks++;
    try {
      while (k < end) {
        const at = k++ - this.cut;
        fn(this.entities[at] as Entity, kinds[this.codes[at] as number] as ChangeKind);
      }
    } finally {
      this.walks--;
      if (k < end) reader.cursor = k;
      this.trim();
    }
  }

  /**
   * Forgets what was logged since the log ended at `end`, because it was taken back. Nothing happens when a reader has
   * seen some of it: that one needs the entries that take it back.
   */
  rewind(end: number): void {
    if (this.walks > 0) return;
    for (const reader of this.readers) if (reader.cursor > end) return;
    if (end < this.cut) return;
    this.entities.length = end - this.cut;
    this.codes.length = end - this.cut;
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
    if (surplus === 0 || surplus * 2 < this.entities.length) return;
    this.entities.splice(0, surplus);
    this.codes.splice(0, surplus);
    this.cut = first;
  }

  private push(entity: Entity, code: number): void {
    this.entities.push(entity);
    this.codes.push(code);
  }

  private mark(index: number): void {
    if (index >= this.marked.length) {
      const grown = new Uint32Array(Math.max(64, this.marked.length * 2, index + 1));
      grown.set(this.marked);
      this.marked = grown;
    }
    this.marked[index] = this.epoch;
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

  /** The net result since the last read, and moves on. */
  read(): Changes {
    const added = new Set<Entity>();
    const changed = new Set<Entity>();
    const removed = new Set<Entity>();
    this.forEach((entity, kind) => {
      if (kind === "removed") {
        removed.add(entity);
        added.delete(entity);
        changed.delete(entity);
      } else if (this.stillThere(entity)) {
        if (kind === "added") added.add(entity);
        else if (!added.has(entity)) changed.add(entity);
      }
    });
    return { added: [...added], changed: [...changed], removed: [...removed] };
  }

  /**
   * Every entry in the order it happened, and moves on. Entities may be dead by now. When `fn` throws, the entries after
   * that one wait for the next call.
   */
  forEach(fn: (entity: Entity, kind: ChangeKind) => void): void {
    if (!this.log.readers.has(this)) {
      throw new ClosedReaderError(
        "Cannot read changes: this reader was closed. Make a new one with world.changes() or query.changes().",
      );
    }
    requireFunction(fn, "read changes", "the callback");
    this.log.forEach(this, fn);
  }

  /** Ends the reader: what it has not read is let go, and reading throws `ClosedReaderError` from now on. */
  close(): void {
    if (!this.log.readers.delete(this)) return;
    this.log.trim();
    this.onClose();
  }
}
