/**
 * Everything that changes in a world, as patches with sequence numbers: for replication, for logs, for tools that follow along.
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
  /** Follow only these components, by name. All but reserved ones, which their owners compute, if left out. */
  readonly components?: (name: string) => boolean;
  /** Follow only these fields. All if left out. */
  readonly fields?: (component: string, field: string) => boolean;
  /**
   * The key of an entity, which stays the same as long as it is followed; nothing leaves the entity out. Handles if left out. Keys that other
   * processes know too (of a component, of a file) let a follower find its entities again after a restart.
   */
  readonly key?: KeyFunction;
  /** Follow only this entity and what is below it in the first hierarchy. */
  readonly root?: EntityLike;
  /**
   * Follow only those that match. An entity is asked again when something of it changed; call `refresh()` where the answer depends on
   * anything else.
   */
  readonly where?: Query | ((entity: Entity) => boolean);
  /** Names this run of the stream in its batches. Random if left out. */
  readonly epoch?: string;
  /** How to write what cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** How many bytes of changes wait at most for late readers: 64 MiB if left out. */
  readonly maxBytes?: number;
}

/** What leads from the state at `from` to the state at `to`. Survives JSON. */
export interface ChangeBatch {
  /** The run of the stream that made it: positions of another run mean something else. */
  readonly epoch: string;
  /** The position the batch leads from: the `to` of the one before. */
  readonly from: number;
  /** The position the batch leads to. */
  readonly to: number;
  /** What changed between the two positions. */
  readonly patch: StreamPatch;
  /**
   * Only of what `snapshot()` gave: the patch adds everything there is, whatever was before, and these are the components that it is
   * about.
   */
  readonly snapshot?: readonly string[];
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

/** A position that was given out: the records before it, and its number. */
interface Position extends Mark {
  readonly sequence: number;
}

/** A reader of all changes of a world, as patches with numbers. Made by `followChanges`. */
export class ChangeStream {
  private readonly state: WorldState;
  private readonly records: ChangeRecords;
  /** Names this run of the stream in its batches. */
  readonly epoch: string;
  private readonly source: ChangeSource;
  private readonly traces: Traces;
  /** Which entities are reported; nothing where that is all of them by their handles. */
  private readonly members: Members | undefined;
  private readonly reader: RecordReader & { seen: number };
  /** Positions that were given out, oldest first; what is before the first one is gone. */
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
    // Position 0 is an empty world, which a follower needs no snapshot of.
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

  /** The position of now. Grows with every change, by more than one. */
  get sequence(): number {
    return this.isClosed ? this.next : this.numberOf(this.records.changedEnd);
  }

  /** The number of a position behind all that were given out. Those of the records serve, unless more was asked for than changed. */
  private numberOf({ numbers }: Mark): number {
    const last = this.marks.at(-1) as Position;
    return numbers === last.numbers ? last.sequence : Math.max(numbers, last.sequence + 1);
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
    this.requireOpen();
    const to = this.catchUp(sequence);
    const { state, traces, members } = this;
    const part =
      members === undefined ? wholeWorld(state, traces) : partSince(state, members, traces, sequence);
    return { epoch: this.epoch, from: sequence, to, patch: writeChanges(this.source, traces, part) };
  }

  /** Finds out what happened since a position, and gives the position of now. */
  private catchUp(sequence: number): number {
    const { state, records, traces, members } = this;
    state.requireUsable("read changes");
    const from = this.marks.find((mark) => mark.sequence === sequence);
    if (from === undefined) throw this.unknown(sequence);
    const to = records.mark();
    traces.read(records.since(from, to));
    const last = this.marks.at(-1) as Position;
    let end = this.numberOf(to);
    // The part may change although no record says so: that is a position of its own.
    if (members?.update(traces, Math.max(end, last.sequence + 1)) === true)
      end = Math.max(end, last.sequence + 1);
    if (end !== last.sequence) this.marks.push({ ...to, sequence: end });
    this.reader.seen = to.numbers;
    return end;
  }

  /**
   * Everything that is followed as it is now, in the form of a batch: for a follower that joins, or that missed something. Lets go of
   * nothing, and `since(batch.to)` goes on from it.
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

  /** Asks `where` again for every entity at the next read: for answers that depend on other things than the entity itself. */
  refresh(): void {
    this.members?.refresh();
  }

  /** Lets go of what was before a position; it can no longer be requested. */
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
    // What came and went meanwhile is in no record any more.
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
