/**
 * The steps that can be undone, or redone: each holds its own records.
 */
import { describeValue } from "../../ecs/index.ts";
import {
  COPIED,
  KINDS,
  type Records,
  recordSize,
  type WorldState,
  WROTE,
  WROTE_REFERENCE,
} from "../../ecs/internal.ts";

export interface Step extends Records {
  readonly label: string;
  readonly key: string | undefined;
}

/** Steps longer than this are joined as they are. */
const MOST_SEARCHED = 4096;

export class Steps {
  bytes = 0;
  private list: Step[] = [];

  get count(): number {
    return this.list.length;
  }

  get last(): Step | undefined {
    return this.list.at(-1);
  }

  /** Newest first. */
  get labels(): string[] {
    return this.list.map((step) => step.label).reverse();
  }

  push(step: Step): void {
    this.list.push(step);
    this.bytes += bytesOf(step);
  }

  pop(): Step {
    const step = this.list.pop() as Step;
    this.bytes -= bytesOf(step);
    return step;
  }

  /** Appends records to the last step. Repeated writes of a value are kept only once. */
  join(records: Records): void {
    const last = this.pop();
    const added = withoutRepeatedWrites(last, records);
    const numbers = new Float64Array(last.count + added.count);
    numbers.set(last.numbers);
    numbers.set(added.numbers.subarray(0, added.count), last.count);
    const references = [...last.references, ...added.references];
    this.push({ label: last.label, key: last.key, numbers, count: numbers.length, references });
  }

  /** Drops the oldest steps until the limits are met; returns how many. */
  keepWithin(maxSteps: number, maxBytes: number): number {
    let given = 0;
    while (given < this.list.length && (this.list.length - given > maxSteps || this.bytes > maxBytes)) {
      this.bytes -= bytesOf(this.list[given] as Step);
      given++;
    }
    this.list.splice(0, given);
    return given;
  }

  /** The inconsistencies inside, as text. */
  *wrong(state: WorldState): IterableIterator<string> {
    const bytes = this.list.reduce((sum, step) => sum + bytesOf(step), 0);
    if (bytes !== this.bytes) yield `its steps take ${bytes} bytes, and ${this.bytes} are counted`;
    for (const { label, numbers, references } of this.list) {
      let at = numbers.length;
      // From the end, as an undo reads them: the records fill the step exactly.
      while (at > 0) at -= recordSize(state, { numbers, count: at, references });
      if (at !== 0) yield `the records of step ${describeValue(label)} are damaged`;
    }
  }

  clear(): void {
    this.list = [];
    this.bytes = 0;
  }
}

/** 8 bytes per number and per reference, without the referenced objects. */
export function bytesOf({ numbers, references }: Records): number {
  return (numbers.length + references.length) * 8;
}

/** A copy that may be consumed. */
export function copyOf({ numbers, references }: Records): Records {
  return { numbers, count: numbers.length, references: references.slice() };
}

/**
 * `newer` without writes whose field was also written in `older`, because undo restores the older value in the end. The same for
 * copies of all values of a component. Unchanged if it holds other changes.
 */
function withoutRepeatedWrites(older: Records, newer: Records): Records {
  if (older.count + newer.count > MOST_SEARCHED) return newer;
  const before = writesIn(older);
  const after = writesIn(newer);
  if (!after.isComplete || before.writes.length === 0) return newer;
  const known = new Set(before.writes.map((write) => write.what));
  const numbers = new Float64Array(newer.count);
  const references: unknown[] = [];
  let count = 0;
  let reference = 0;
  for (const { what, at, size, hasReference } of after.writes.reverse()) {
    const value = hasReference ? newer.references[reference++] : undefined;
    if (known.has(what)) continue;
    known.add(what);
    numbers.set(newer.numbers.subarray(at, at + size), count);
    count += size;
    if (hasReference) references.push(value);
  }
  return { numbers, count, references };
}

interface Write {
  /** Entity, component and field; for a copy its component and its entities. */
  readonly what: string;
  readonly at: number;
  readonly size: number;
  readonly hasReference: boolean;
}

/** The writes at the end of records, last one first; complete when there are no other records. */
function writesIn({ numbers, count }: Records): { writes: Write[]; isComplete: boolean } {
  const writes: Write[] = [];
  let at = count;
  while (at > 0) {
    const head = numbers[at - 1];
    const kind = head % KINDS;
    if (kind !== WROTE && kind !== WROTE_REFERENCE && kind !== COPIED) return { writes, isComplete: false };
    const size = kind === COPIED ? numbers[at - 2] : kind === WROTE ? 3 : 2;
    // A copy repeats an earlier copy only if both are of the same entities, which is stored after the values.
    const of = kind === COPIED ? `copy ${numbers.subarray(at - 6, at - 1).join()}` : numbers[at - 2];
    at -= size;
    writes.push({ what: `${of} ${head - kind}`, at, size, hasReference: kind === WROTE_REFERENCE });
  }
  return { writes, isComplete: true };
}
