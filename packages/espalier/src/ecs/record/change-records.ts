/**
 * The one record of change. Every change of the world is appended, with what undoes it, while it has readers; undo,
 * transactions, versions and change streams are readers of it.
 *
 * A record that every reader has passed is dropped. Positions are absolute: they stay valid when the front is cut.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import type { Entities } from "../entities/entities.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ROW } from "../entities/index-record.ts";
import type { Reversible } from "../listeners/hooks.ts";
import { ColumnCopies } from "./column-copy.ts";
import {
  ADDED,
  CREATED,
  DESTROYED,
  FIELDS,
  KINDS,
  REMOVED,
  REVIVED,
  ROOM,
  ROOM_WITH,
  TAKEN_BACK,
  TOUCHED,
  WROTE,
  WROTE_REFERENCE,
  writeHead,
} from "./kinds.ts";
import { type LoopList, noRecorder, type Recorder } from "./recorder.ts";
import { type Mark, type Records, Tape } from "./tape.ts";

/** A reader of records that has read everything before `numbers` and `references`, counted from the first record ever. */
export interface RecordReader {
  numbers: number;
  references: number;
  /** How far it has read, where it keeps what it has read. */
  seen?: number;
  /** Called when the tape is full; may pass records or close the reader. */
  readonly onFull?: () => void;
}

/** A loop under way whose writes a copy stands for. */
interface OpenLoop {
  readonly stores: readonly Store[];
  readonly list: LoopList;
}

/** The parts of the world that records need. */
export interface RecordHost {
  readonly table: Entities;
  readonly stores: readonly Store[];
}

/** The record of a world, which begins when it is first asked for. */
export function recordsOf(s: RecordHost & { recorder: Recorder }): ChangeRecords {
  if (s.recorder === noRecorder) s.recorder = new ChangeRecords(s);
  return s.recorder as ChangeRecords;
}

export class ChangeRecords implements Recorder {
  wanted = false;
  /** Where records go now. Another one than `live` while something is taken back. */
  tape: Tape;
  /** Those whose changes are recorded, by number. */
  readonly owners: Reversible[] = [];
  private readonly host: RecordHost;
  private readonly live = new Tape();
  private readonly readers = new Set<RecordReader>();
  /** How many numbers and references were cut off in front. */
  private cut: Mark = { numbers: 0, references: 0 };
  private readonly copies: ColumnCopies;
  /** The loops under way whose writes a copy stands for, outermost first. */
  private readonly loops: OpenLoop[] = [];
  private lastOwner: Reversible | undefined;
  private ownerHead = 0;

  constructor(host: RecordHost) {
    this.host = host;
    this.tape = this.live;
    this.copies = new ColumnCopies(host.table);
    this.live.onFull = () => {
      for (const reader of [...this.readers]) reader.onFull?.();
    };
  }

  // Readers --------------------------------------------------------------------------------------------------------------

  /** The end of the records, counted from the first one ever. */
  get end(): Mark {
    const { live, cut } = this;
    return {
      numbers: cut.numbers + live.count,
      references: cut.references + live.references.length,
    };
  }

  /** Adds a reader that starts here. */
  open(onFull?: () => void): RecordReader {
    const reader: RecordReader = { ...this.end, ...(onFull && { onFull }) };
    this.readers.add(reader);
    this.updateWanted();
    return reader;
  }

  close(reader: RecordReader): void {
    if (!this.readers.delete(reader)) return;
    this.updateWanted();
    this.trim();
  }

  /** Makes the reader go on from here. */
  skip(reader: RecordReader, to: Mark = this.end): void {
    reader.numbers = to.numbers;
    reader.references = to.references;
    this.trim();
  }

  /** A copy of all records since `mark`, up to `end`. */
  since(mark: Mark, end: Mark = this.end): Records {
    return this.live.slice(this.local(mark), this.local(end));
  }

  /** How many bytes the records since `mark` take. */
  bytesSince(mark: Mark): number {
    const { numbers, references } = this.end;
    return (numbers - mark.numbers + references - mark.references) * 8;
  }

  /**
   * Forgets the records since `mark`, because what they say was taken back. `false`, and nothing forgotten, when another
   * reader has seen some of them.
   */
  forgetSince(mark: Mark): boolean {
    for (const reader of this.readers) if ((reader.seen ?? reader.numbers) > mark.numbers) return false;
    this.live.cutBack(this.local(mark));
    return true;
  }

  private local(mark: Mark): Mark {
    return {
      numbers: mark.numbers - this.cut.numbers,
      references: mark.references - this.cut.references,
    };
  }

  /** Drops what every reader has passed, when that is worth a copy of the rest. */
  private trim(): void {
    let first = this.end;
    for (const reader of this.readers) if (reader.numbers < first.numbers) first = reader;
    const surplus = first.numbers - this.cut.numbers;
    if (surplus === 0 || surplus * 2 < this.live.count) return;
    this.live.cutFront(this.local(first));
    this.cut = { numbers: first.numbers, references: first.references };
  }

  private updateWanted(): void {
    const wanted = this.readers.size > 0;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    for (const store of this.host.stores) store.setRecorded(wanted);
  }

  /**
   * The end of what says that something changed: copies made for loops under way which have changed nothing yet stand behind
   * it.
   */
  get changedEnd(): Mark {
    const { end, tape } = this;
    if (tape !== this.live) return end;
    return { ...end, numbers: end.numbers - tape.count + this.endWithout(this.loops) };
  }

  /** Where the tape would end without those copies of these loops at its end that are still what the columns hold. */
  private endWithout(loops: readonly OpenLoop[]): number {
    const { tape } = this;
    let { count } = tape;
    for (const store of loops.flatMap(({ stores }) => stores).reverse()) {
      const size = this.copies.unchangedSize(store, tape, count);
      if (size < 0) break;
      count -= size;
    }
    return count;
  }

  /**
   * A position that may be rolled back to. Loops under way write without recording, because a copy made before stands for
   * what they write; behind the mark there must be one.
   */
  mark(): Mark {
    const at = this.changedEnd;
    if (this.wanted && at.numbers === this.end.numbers) for (const loop of this.loops) this.copy(loop);
    return at;
  }

  /** Runs `work` with records written to `tape` instead. */
  divert(tape: Tape, work: () => void): void {
    const before = this.tape;
    this.tape = tape;
    try {
      work();
    } finally {
      this.tape = before;
    }
  }

  unrecorded(work: () => void): void {
    this.divert(new Tape(), work);
  }

  // Loops ----------------------------------------------------------------------------------------------------------------

  /**
   * Records what a loop over these entities may write, all values at once. `false` when it must record each write: the caller
   * uses views that do.
   */
  beginLoop(stores: readonly Store[], list: LoopList): boolean {
    for (const store of stores) if (store.heard || !this.copies.canCopy(store, list)) return false;
    const loop = { stores, list };
    this.copy(loop);
    this.loops.push(loop);
    return true;
  }

  /** A loop that changed nothing leaves no record. */
  endLoop(): void {
    this.tape.count = this.endWithout([this.loops.pop() as OpenLoop]);
  }

  private copy({ stores, list }: OpenLoop): void {
    for (const store of stores) this.copies.copy(store, list, this.tape);
  }

  // Writing --------------------------------------------------------------------------------------------------------------

  created(entity: Entity, again: boolean): void {
    this.put2(entity, again ? REVIVED : CREATED);
  }

  /** Before the entity leaves its archetype. */
  destroyed(entity: Entity, archetype: Archetype, takenBack: boolean): void {
    const { tape } = this;
    const index = entity & INDEX_MASK;
    tape.reserve(archetype.packed + 3);
    const { stores } = archetype;
    for (let k = 0; k < stores.length; k++) save(stores[k] as Store, index, tape);
    const head = (takenBack ? TAKEN_BACK : DESTROYED) + KINDS * archetype.id;
    this.put3(this.host.table.info[(index << 2) | ROW], entity, head);
  }

  /** `row` is where the entity stood in the list of its former archetype. */
  added(entity: Entity, store: Store, row: number): void {
    this.put3(row, entity, ADDED + KINDS * store.id);
  }

  /** Before the component goes. */
  removed(entity: Entity, store: Store): void {
    const { tape } = this;
    const index = entity & INDEX_MASK;
    tape.reserve(store.packed + 3);
    save(store, index, tape);
    this.put3(this.host.table.info[(index << 2) | ROW], entity, REMOVED + KINDS * store.id);
  }

  /** Before a field is overwritten; its column holds `before`. */
  writing(entity: Entity, store: Store, field: number, before: unknown): void {
    if (typeof before === "number") this.put3(before, entity, writeHead(store.id, field));
    else {
      // The reference last: when the tape is full, a reader may pass all that is there.
      this.put2(entity, WROTE_REFERENCE - WROTE + writeHead(store.id, field));
      this.tape.references.push(before);
    }
  }

  touched(entity: Entity, store: Store): void {
    this.put2(entity, TOUCHED + KINDS * store.id);
  }

  /** Something of a room is about to change; `owner.reverse` with the same facts brings it back. */
  room(owner: Reversible, entity: Entity | null, a: number, b: number, extra?: unknown): void {
    const { tape } = this;
    tape.reserve(4);
    if (owner !== this.lastOwner) this.turnTo(owner);
    const { numbers, count } = tape;
    numbers[count] = a;
    numbers[count + 1] = b;
    numbers[count + 2] = entity === null ? 0 : entity;
    numbers[count + 3] = this.ownerHead;
    tape.count = count + 4;
    if (extra !== undefined) {
      numbers[count + 3] = this.ownerHead - ROOM + ROOM_WITH;
      tape.references.push(extra);
    }
  }

  private put2(a: number, b: number): void {
    const { tape } = this;
    tape.reserve(2);
    const { numbers, count } = tape;
    numbers[count] = a;
    numbers[count + 1] = b;
    tape.count = count + 2;
  }

  private put3(a: number, b: number, c: number): void {
    const { tape } = this;
    tape.reserve(3);
    const { numbers, count } = tape;
    numbers[count] = a;
    numbers[count + 1] = b;
    numbers[count + 2] = c;
    tape.count = count + 3;
  }

  private turnTo(owner: Reversible): void {
    let number = this.owners.indexOf(owner);
    if (number < 0) number = this.owners.push(owner) - 1;
    this.lastOwner = owner;
    this.ownerHead = ROOM + KINDS * number;
  }
}

/** Copies all values of one entity's component to the tape, where there is room for its numbers. */
function save(store: Store, index: number, tape: Tape): void {
  if (store.fields.length === 0) return;
  const row = store.rowOf(index);
  store.access.save(row, tape.numbers, tape.count, tape.references);
  tape.count += store.packed;
}

/** The component and field of the head of a write. */
export function writtenField(detail: number): { readonly component: number; readonly field: number } {
  const field = detail % FIELDS;
  return { component: (detail - field) / FIELDS, field };
}
