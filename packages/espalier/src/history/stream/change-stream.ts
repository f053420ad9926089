/**
 * Everything that changes in a world, as patches with sequence numbers: for replication, for logs, for tools that follow along.
 */
import type { World } from "../../ecs/index.ts";
import {
  type ChangeRecords,
  describeValue,
  type Mark,
  type RecordReader,
  recordsOf,
  type Store,
  stateOf,
  type WorldState,
} from "../../ecs/internal.ts";
import { reversibleOf } from "../../hierarchy/internal.ts";
import { requireFilter, requireOptions, requireOwnTrees, requirePart, requireWorld } from "../arguments.ts";
import { ChangesLostError, InvalidHistoryError } from "../errors.ts";
import type { Patch } from "../patch/patch.ts";
import type { AnyTree } from "../state.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import { tracesOf } from "./traces.ts";
import { writeChanges } from "./write-changes.ts";

/** Options of `followChanges`. */
export interface ChangeStreamOptions {
  /** The hierarchies to follow. */
  readonly trees?: readonly AnyTree[];
  /** Follow only these components, by name. All but reserved ones, which their owners compute, if left out. */
  readonly components?: (name: string) => boolean;
  /** How to write what cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** How many bytes of changes wait at most for late readers: 64 MiB if left out. */
  readonly maxBytes?: number;
}

/** What leads from the state at `from` to the state at `to`. Survives JSON. */
export interface ChangeBatch {
  /** The position the batch leads from: the `to` of the one before. */
  readonly from: number;
  /** The position the batch leads to. */
  readonly to: number;
  /** What changed between the two positions. */
  readonly patch: Patch;
}

/**
 * Follows everything that changes in a world from now on: entities, components, places in hierarchies, names. `close()` it
 * when it is no longer needed.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const stream = followChanges(world, { trees: [tree] });
 * const tank = world.spawn(Health);
 * world.set(tank, Health, { hp: 50 });
 * stream.read().patch;
 * // → [{ op: "add", id: tank, components: { Health: { hp: 50 } }, places: { tree: { parent: null, after: null } } }]
 * ```
 */
export function followChanges(world: World, options: ChangeStreamOptions = {}): ChangeStream {
  requireWorld(world, "follow changes");
  requireOptions(world.checks, options, "follow changes", ["trees", "components", "codecs", "maxBytes"]);
  requireOwnTrees(world, options.trees);
  requireFilter(options.components, "follow changes");
  const { maxBytes = 2 ** 26 } = options;
  requirePart(
    typeof maxBytes === "number" && maxBytes > 0,
    "follow changes",
    "maxBytes is a number above 0",
    maxBytes,
  );
  return new ChangeStream(world, { ...options, maxBytes });
}

/** A reader of all changes of a world, as patches with numbers. Made by `followChanges`. */
export class ChangeStream {
  private readonly state: WorldState;
  private readonly records: ChangeRecords;
  private readonly options: ChangeStreamOptions;
  private readonly reader: RecordReader & { seen: number };
  /** Positions that were given out, oldest first; what is before the first one is gone. */
  private marks: Mark[];
  private next: number;
  private isClosed = false;

  /** @internal Use `followChanges`. */
  constructor(world: World, options: ChangeStreamOptions & { readonly maxBytes: number }) {
    this.state = stateOf(world);
    this.options = options;
    const records = recordsOf(this.state);
    this.records = records;
    const reader = records.open(() => {
      if (records.bytesSince(reader) > options.maxBytes) this.lose();
    });
    const start = records.mark();
    records.skip(reader, start);
    this.reader = Object.assign(reader, { seen: start.numbers });
    this.marks = [start];
    this.next = start.numbers;
  }

  /** The position of now. Grows with every change, by more than one. */
  get sequence(): number {
    return this.isClosed ? this.next : this.records.changedEnd.numbers;
  }

  /**
   * What changed since the last `read()`, as it is now: what was changed twice is reported once, what came and went is not. Lets go
   * of everything before.
   * @throws ChangesLostError when more than `maxBytes` waited; the next call begins with what comes then.
   */
  read(): ChangeBatch {
    const batch = this.since(this.next);
    this.next = batch.to;
    this.forget(batch.to);
    return batch;
  }

  /**
   * What changed since a position that an earlier batch ended with. Lets go of nothing, so that several followers can be at
   * different positions; call `forget` with the lowest of them.
   */
  since(sequence: number): ChangeBatch {
    if (this.isClosed) throw new InvalidHistoryError("Cannot read changes: the stream was closed.");
    const { state, records, options } = this;
    state.requireUsable("read changes");
    const from = this.marks.find((mark) => mark.numbers === sequence);
    if (from === undefined) throw this.unknown(sequence);
    const to = records.mark();
    if (to.numbers !== this.marks.at(-1)?.numbers) this.marks.push(to);
    this.reader.seen = to.numbers;
    const trees = options.trees ?? [];
    const traces = tracesOf(state, records.since(from, to), trees.map(reversibleOf));
    const follows = ({ component, reserved }: Store) =>
      options.components?.(component.name) ?? reserved === undefined;
    const patch = writeChanges({ state, trees, follows, codecs: options.codecs }, traces);
    return { from: sequence, to: to.numbers, patch };
  }

  /** Lets go of what was before a position; it can no longer be requested. */
  forget(sequence: number): void {
    if (this.isClosed) return;
    const at = this.marks.findIndex((mark) => mark.numbers === sequence);
    if (at < 0) throw this.unknown(sequence);
    if (at === 0) return;
    this.marks = this.marks.slice(at);
    if (this.next < sequence) this.next = sequence;
    this.records.skip(this.reader, this.marks[0]);
  }

  /** Ends it; reading throws from now on. */
  close(): void {
    if (this.isClosed) return;
    this.next = this.sequence;
    this.isClosed = true;
    if (!this.state.isDisposed) this.records.close(this.reader);
  }

  private lose(): void {
    const { end } = this.records;
    this.records.skip(this.reader, end);
    this.reader.seen = end.numbers;
    this.marks = [end];
  }

  private unknown(sequence: number): ChangesLostError {
    const first = (this.marks[0] as Mark).numbers;
    const lost = typeof sequence === "number" && sequence < first;
    if (lost && this.next === sequence) this.next = first;
    return new ChangesLostError(
      lost
        ? `Cannot read the changes since ${sequence}: they are gone, the oldest that are left begin at ${first}. Take a snapshot and follow from there, read more often, or raise maxBytes.`
        : `Cannot read the changes since ${describeValue(sequence)}: no batch ended there. Give the "to" of a batch of this stream.`,
      { value: sequence },
    );
  }
}
