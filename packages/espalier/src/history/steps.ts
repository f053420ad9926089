/**
 * A tape cut into steps, oldest first; the oldest are given up when there is no room.
 */
import { KINDS, WROTE } from "../ecs/index.ts";
import { COPIED, WROTE_REFERENCE } from "./journal.ts";
import { type Mark, Tape } from "./tape.ts";

export interface Step {
  readonly label: string;
  readonly key: string | undefined;
  /** How much of the tape it takes. */
  readonly numbers: number;
  readonly references: number;
}

/** Steps longer than this are joined as they are. */
const MOST_SEARCHED = 4096;

export class Steps {
  readonly tape = new Tape();
  /** Where the last step ends; behind it stands what belongs to none yet. */
  end: Mark = { numbers: 0, references: 0 };
  private list: Step[] = [];
  /** How many at the front were given up and still stand on the tape, because cutting costs a copy of the rest. */
  private dead = 0;

  get count(): number {
    return this.list.length - this.dead;
  }

  get last(): Step | undefined {
    return this.count > 0 ? this.list.at(-1) : undefined;
  }

  /** Newest first. */
  get labels(): string[] {
    return this.list
      .slice(this.dead)
      .map((step) => step.label)
      .reverse();
  }

  /** Whether something stands on the tape that belongs to no step yet. */
  get hasRest(): boolean {
    return this.tape.count > this.end.numbers;
  }

  /** What can be played back takes, without what was given up. */
  get bytes(): number {
    let dead = 0;
    for (let k = 0; k < this.dead; k++) dead += bytesOf(this.list[k] as Step);
    return this.tape.bytes - dead;
  }

  /** Makes a step of what stands behind the last one. */
  close(label: string, key: string | undefined): void {
    const { tape, end } = this;
    this.list.push({
      label,
      key,
      numbers: tape.count - end.numbers,
      references: tape.references.length - end.references,
    });
    this.end = tape.mark;
  }

  /** Joins what stands behind the last step to it. Values that the step wrote before are not kept twice. */
  join(): void {
    const last = this.list.pop() as Step;
    const start = {
      numbers: this.end.numbers - last.numbers,
      references: this.end.references - last.references,
    };
    dropRepeatedWrites(this.tape, start, this.end);
    this.end = start;
    this.close(last.label, last.key);
  }

  /** Takes the last step off the list; its records still stand on the tape, behind `end`. */
  reopen(): Step {
    const step = this.list.pop() as Step;
    this.end = {
      numbers: this.end.numbers - step.numbers,
      references: this.end.references - step.references,
    };
    return step;
  }

  /** Gives up the oldest steps until the limits are kept; how many that were. */
  keepWithin(maxSteps: number, maxBytes: number): number {
    const before = this.dead;
    let { bytes } = this;
    while (this.count > 0 && (this.count > maxSteps || bytes > maxBytes)) {
      bytes -= bytesOf(this.list[this.dead] as Step);
      this.dead++;
    }
    const given = this.dead - before;
    // A quarter of the tape may be dead before it pays to copy the rest to the front.
    if (this.tape.bytes > bytes * 1.25 || this.dead > 64) this.sweep();
    return given;
  }

  clear(): void {
    this.list = [];
    this.dead = 0;
    this.tape.clear();
    this.end = this.tape.mark;
  }

  private sweep(): void {
    if (this.dead === 0) return;
    let numbers = 0;
    let references = 0;
    for (const step of this.list.splice(0, this.dead)) {
      numbers += step.numbers;
      references += step.references;
    }
    this.dead = 0;
    this.tape.cutFront({ numbers, references });
    this.end = { numbers: this.end.numbers - numbers, references: this.end.references - references };
  }
}

function bytesOf(step: Step): number {
  return (step.numbers + step.references) * 8;
}

/**
 * Takes writes off the tape from `middle` on whose field was also written between `start` and `middle`: the older
 * value is what undoing ends with. The same for copies of all values of a component. Does nothing where the tape holds
 * other changes from `middle` on.
 */
function dropRepeatedWrites(tape: Tape, start: Mark, middle: Mark): void {
  if (tape.count - start.numbers > MOST_SEARCHED) return;
  const older = writesBetween(tape, start.numbers, middle.numbers);
  const newer = writesBetween(tape, middle.numbers, tape.count);
  if (!newer.isComplete || older.writes.length === 0) return;
  const known = new Set(older.writes.map((write) => write.what));
  const values = tape.numbers.slice(middle.numbers, tape.count);
  const references = tape.references.slice(middle.references);
  tape.cutBack(middle);
  let reference = 0;
  for (const { what, at, size, hasReference } of newer.writes.reverse()) {
    const value = hasReference ? references[reference++] : undefined;
    if (known.has(what)) continue;
    known.add(what);
    const from = at - middle.numbers;
    tape.numbers.set(values.subarray(from, from + size), tape.count);
    tape.count += size;
    if (hasReference) tape.references.push(value);
  }
}

interface Write {
  /** Entity, component and field; of a copy only the component. */
  readonly what: string;
  readonly at: number;
  readonly size: number;
  readonly hasReference: boolean;
}

/** The writes that end a stretch of tape, last one first; complete when there is nothing else in it. */
function writesBetween(
  { numbers }: Tape,
  start: number,
  end: number,
): { writes: Write[]; isComplete: boolean } {
  const writes: Write[] = [];
  let at = end;
  while (at > start) {
    const head = numbers[at - 1] as number;
    const kind = head % KINDS;
    if (kind !== WROTE && kind !== WROTE_REFERENCE && kind !== COPIED) return { writes, isComplete: false };
    const size = kind === COPIED ? (numbers[at - 2] as number) : kind === WROTE ? 3 : 2;
    const entity = kind === COPIED ? "all" : numbers[at - 2];
    at -= size;
    writes.push({ what: `${entity} ${head - kind}`, at, size, hasReference: kind !== WROTE });
  }
  return { writes, isComplete: true };
}
