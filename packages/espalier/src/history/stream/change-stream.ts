/**
 * All changes of a world, as patches with sequence numbers: for replication, logs and tools that follow along.
 */
import type { Entity, EntityLike, Query, World } from "../../ecs/index.ts";
import {
  type ChangeRecords,
  describeValue,
  handleIn,
  type Mark,
  type RecordReader,
  stateOf,
  type WorldState,
} from "../../ecs/internal.ts";
import { reversibleOf } from "../../hierarchy/internal.ts";
import { requireFilter, requireOptions, requireOwnTrees, requirePart, requireWorld } from "../arguments.ts";
import { ChangesLostError, InvalidHistoryError } from "../errors.ts";
import type { KeyFunction } from "../patch/keyed-state.ts";
import type { StreamPatch } from "../patch/patch.ts";
import { worldReader } from "../patch/world-reader.ts";
import { type AnyTree, hasChildren } from "../state.ts";
import { recordsToRead } from "../undo/transaction.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import type { ChangeSource } from "./change-source.ts";
import { Members } from "./members.ts";
import { type Part, partSince, wholeWorld } from "./part.ts";
import { Traces } from "./traces.ts";
import { writeAll, writeChanges } from "./write-changes.ts";

/** Options of `followChanges`. */
export interface ChangeStreamOptions {
  /** The hierarchies to follow. */
  readonly trees?: readonly AnyTree[];
  /** Which components to follow, by name. All but reserved ones, which their owners compute, if left out. */
  readonly components?: (name: string) => boolean;
  /** Which fields to follow. All if left out. */
  readonly fields?: (component: string, field: string) => boolean;
  /**
   * The key of an entity, which stays the same as long as it is followed; `undefined` excludes the entity. Handles if left out. Keys that
   * other processes know too (from a component, from a file) let a follower find its entities again after a restart.
   */
  readonly key?: KeyFunction;
  /** Follow only this entity and its descendants in the first hierarchy. */
  readonly root?: EntityLike;
  /**
   * Follow only matching entities. An entity is tested again when it changes; call `refresh()` if the result depends on
   * anything else.
   */
  readonly where?: Query | ((entity: Entity) => boolean);
  /** Identifies this run of the stream in its batches. Random if left out. */
  readonly epoch?: string;
  /** Codecs for values that cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** How many bytes of changes are kept at most for late readers: 64 MiB if left out. */
  readonly maxBytes?: number;
}

/** The changes from the state at `from` to the state at `to`. Survives JSON. */
export interface ChangeBatch {
  /** The run of the stream that made it: positions of different runs are unrelated. */
  readonly epoch: string;
  /** The position before the batch: the `to` of the previous one. */
  readonly from: number;
  /** The position after the batch. */
  readonly to: number;
  /** What changed between the two positions. */
  readonly patch: StreamPatch;
  /**
   * Only in batches of `snapshot()`: the patch adds everything that exists, whatever was before, and these are the components that it
   * covers.
   */
  readonly snapshot?: readonly string[];
}

/**
 * Follows all changes of a world from now on: entities, components, positions in hierarchies, names. `close()` it
 * when it is no longer needed.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const stream = followChanges(world, { trees: [tree] });
 * const tank = world.spawn(Health);
 * world.set(tank, Health, { hp: 50 });
 * stream.read().patch;
 * // → [{ op: "add", id: tank, components: { Health: { hp: 50 } }, positions: { tree: { parent: null, after: null } } }]
 * ```
 */
export function followChanges(world: World, options: ChangeStreamOptions = {}): ChangeStream {
  requireWorld(world, "follow changes");
  requireOptions(world.checks, options, "follow changes", [
    "trees",
    "components",
    "fields",
    "codecs",
    "key",
    "root",
    "where",
    "epoch",
    "maxBytes",
  ]);
  requireOwnTrees(world, options.trees);
  requireFilter(options.components, "follow changes");
  const { maxBytes = 2 ** 26, fields, where, epoch, root, trees } = options;
  const refuse = (isRight: boolean, what: string, value: unknown) =>
    requirePart(isRight, "follow changes", what, value);
  refuse(typeof fields === "function", "fields is a function that gets a component and a field", fields);
  refuse(typeof where === "function" || isQuery(where), "where is a query or a function", where);
  refuse(typeof epoch === "string", "epoch is a string", epoch);
  if (root !== undefined) {
    stateOf(world).require(root, "follow changes below it");
    refuse(trees?.[0] !== undefined && hasChildren(trees[0]), "root needs a hierarchy in trees", root);
  }
  requirePart(
    typeof maxBytes === "number" && maxBytes > 0,
    "follow changes",
    "maxBytes is a number above 0",
    maxBytes,
  );
  return new ChangeStream(world, { ...options, maxBytes });
}

function isQuery(value: unknown): boolean {
  return typeof (Object(value) as { includes?: unknown }).includes === "function";
}

/** An issued position: the records before it, and its number. */
interface Position extends Mark {
  readonly sequence: number;
}

/** A reader of all changes of a world, as patches with numbers. Created by `followChanges`. */
export class ChangeStream {
  private readonly state: WorldState;
  private readonly records: ChangeRecords;
  /** Identifies this run of the stream in its batches. */
  readonly epoch: string;
  private readonly source: ChangeSource;
  private readonly traces: Traces;
  /** Which entities are reported; `undefined` for all of them by their handles. */
  private readonly members: Members | undefined;
  private readonly reader: RecordReader & { seen: number };
  /** Issued positions, oldest first; changes before the first one were dropped. */
  private marks: Position[];
  private next: number;
  private isClosed = false;

  /** @internal Use `followChanges`. */
  constructor(world: World, options: ChangeStreamOptions & { readonly maxBytes: number }) {
    this.state = stateOf(world);
    const records = recordsToRead(this.state);
    this.records = records;
    const reader = records.open(() => {
      if (records.bytesSince(reader) > options.maxBytes) this.lose();
    });
    const start = records.mark();
    records.skip(reader, start);
    this.reader = Object.assign(reader, { seen: start.numbers });
    // Position 0 is an empty world, for which a follower needs no snapshot.
    this.next = this.state.table.alive === 0 ? start.numbers : Math.max(start.numbers, 1);
    this.marks = [{ ...start, sequence: this.next }];
    const { trees = [], key, root, where, components, fields, codecs } = options;
    this.epoch = options.epoch ?? randomName();
    this.source = {
      state: this.state,
      trees,
      follows: ({ component, reserved }) => components?.(component.name) ?? reserved === undefined,
      followsField: fields,
      codecs,
    };
    this.traces = new Traces(this.state, trees.map(reversibleOf));
    const tree = trees[0] !== undefined && hasChildren(trees[0]) ? trees[0] : undefined;
    if (key !== undefined || root !== undefined || where !== undefined)
      this.members = new Members(
        this.state,
        { tree, root: handleIn(this.state, root) ?? undefined, where, key },
        worldReader(world, trees),
      );
  }

  /** The current position. Increases with every change, by one or more. */
  get sequence(): number {
    return this.isClosed ? this.next : this.numberOf(this.records.changedEnd);
  }

  /** A number for a position after all issued ones. Those of the records are used, unless there were more requests than changes. */
  private numberOf({ numbers }: Mark): number {
    const last = this.marks.at(-1) as Position;
    return numbers === last.numbers ? last.sequence : Math.max(numbers, last.sequence + 1);
  }

  /**
   * The changes since the last `read()`, with current values: repeated changes are reported once, entities created and destroyed in
   * between not at all. Drops everything before.
   * @throws ChangesLostError when more than `maxBytes` accumulated; the next call begins with later changes.
   */
  read(): ChangeBatch {
    const batch = this.since(this.next);
    this.next = batch.to;
    this.forget(batch.to);
    return batch;
  }

  /**
   * The changes since a position at which an earlier batch ended. Drops nothing, so that several followers can be at
   * different positions; call `forget` with the lowest of them.
   */
  since(sequence: number): ChangeBatch {
    this.requireOpen();
    const to = this.catchUp(sequence);
    const { state, traces, members } = this;
    const part =
      members === undefined ? wholeWorld(state, traces) : partSince(state, members, traces, sequence);
    return { epoch: this.epoch, from: sequence, to, patch: writeChanges(this.source, traces, part) };
  }

  /** Reads the changes since a position, and returns the current position. */
  private catchUp(sequence: number): number {
    const { state, records, traces, members } = this;
    state.requireUsable("read changes");
    const from = this.marks.find((mark) => mark.sequence === sequence);
    if (from === undefined) throw this.unknown(sequence);
    const to = records.mark();
    traces.read(records.since(from, to));
    const last = this.marks.at(-1) as Position;
    let end = this.numberOf(to);
    // The followed part may change without a record: that gets a position of its own.
    if (members?.update(traces, Math.max(end, last.sequence + 1)) === true)
      end = Math.max(end, last.sequence + 1);
    if (end !== last.sequence) this.marks.push({ ...to, sequence: end });
    this.reader.seen = to.numbers;
    return end;
  }

  /**
   * The current state of everything that is followed, as a batch: for a follower that joins, or that missed something. Drops
   * nothing; `since(batch.to)` continues from it.
   */
  snapshot(): ChangeBatch {
    this.requireOpen();
    const to = this.catchUp((this.marks.at(-1) as Position).sequence);
    const { state, source, members } = this;
    const entities = members === undefined ? everyone(state) : members.keys.keys();
    const part: Part = {
      before: () => undefined,
      now: (entity) =>
        members === undefined
          ? state.isAlive(entity)
            ? entity
            : undefined
          : members.keys.get(entity as Entity),
      flipped: [],
      touched: new Set(),
    };
    const patch = writeAll(source, part, entities);
    const snapshot = state.stores.filter(source.follows).map(({ component }) => component.name);
    return { epoch: this.epoch, from: to, to, patch, snapshot };
  }

  /** Tests `where` again for every entity at the next read: for results that depend on more than the entity itself. */
  refresh(): void {
    this.members?.refresh();
  }

  /** Drops the changes before a position; they can no longer be requested. */
  forget(sequence: number): void {
    if (this.isClosed) return;
    const at = this.marks.findIndex((mark) => mark.sequence === sequence);
    if (at < 0) throw this.unknown(sequence);
    if (at === 0) return;
    this.marks = this.marks.slice(at);
    if (this.next < sequence) this.next = sequence;
    this.members?.forget(sequence);
    this.records.skip(this.reader, this.marks[0]);
  }

  /** Ends it; reading throws from now on. */
  close(): void {
    if (this.isClosed) return;
    this.next = this.sequence;
    this.isClosed = true;
    if (!this.state.isDisposed) this.records.close(this.reader);
  }

  private requireOpen(): void {
    if (this.isClosed) throw new InvalidHistoryError("Cannot read changes: the stream was closed.");
  }

  private lose(): void {
    const { end } = this.records;
    this.records.skip(this.reader, end);
    this.reader.seen = end.numbers;
    this.marks = [{ ...end, sequence: this.numberOf(end) }];
    // Entities created and destroyed meanwhile are no longer in the records.
    this.members?.refresh();
  }

  private unknown(sequence: number): ChangesLostError {
    const first = (this.marks[0] as Position).sequence;
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

function* everyone({ graph, table }: WorldState): IterableIterator<Entity> {
  for (const { ids, count } of graph.all)
    for (const index of ids.subarray(0, count)) yield table.handleAt(index);
}

function randomName(): string {
  return Math.random().toString(36).slice(2, 12);
}
