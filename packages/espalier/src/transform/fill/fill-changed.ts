/**
 * A buffer that follows the world transforms of a query: only what changed is written again.
 *
 * The space lists which slots its passes compute. Their rows are compared with what the buffer holds, which must be
 * fetched to write it anyway; a change reader would compare, list and read them once more. While most of it moves,
 * everything is written.
 */
import { type Entity, type EntityLike, handleOf, indexOf } from "../../ecs/index.ts";
import { orderOf, treeOf } from "../../hierarchy/internal.ts";
import { ComputedRuns } from "../../inherit/internal.ts";
import { requireFillMembers } from "../checks/arguments.ts";
import type { MatrixSpace } from "../spaces/matrix-space.ts";
import { offsetsOf, type WriteRow, writerFor } from "./fill-layout.ts";
import {
  checkLayout,
  type FillBuffer,
  type FillOptions,
  layoutOptions,
  requireFillOptions,
  requireLists,
  requireRoom,
} from "./fill-worlds.ts";
import { isPlane, worldRowsOf } from "./world-rows.ts";

/** The entities that have a row: the matches of a query, or a list of your own that is as cheap to ask. */
export interface FillMembers {
  /** Brings `indices` up to date and gives their number. */
  sync(): number;
  /** The entity indices, from 0 to that number. */
  readonly indices: Int32Array;
  /** Ask every time. Otherwise it is asked when entities or components came or went, and after `refresh()`. */
  readonly isFiltered: boolean;
}

/** Options of `createWorldFill`. */
export interface WorldFillOptions extends FillOptions {
  /** Leaves out matches for which this is `false`. Call `refresh()` when its answers have changed. */
  readonly include?: (entity: Entity) => boolean;
}

/**
 * Keeps a buffer in step with the world transforms of the matches of a query, or of other members. Row k belongs to
 * `entityAt(k)`; rows change only when entities come and go.
 *
 * @example
 * ```ts
 * const space = createTransforms3D(tree);
 * const crates = world.spawnMany(3, Transform3D);
 * const fill = createWorldFill(space, world.query(Transform3D), { width: 12 });
 * const out = new Float32Array(3 * 12);
 * fill.update(out); // → 3
 * fill.update(out); // → 0
 * space.setPosition(crates[1], 5, 0, 0);
 * fill.update(out); // → 1
 * fill.writtenRows; // → [fill.rowOf(crates[1])]
 * ```
 */
export function createWorldFill(
  space: MatrixSpace,
  members: FillMembers,
  options: WorldFillOptions = {},
): WorldFill {
  return new WorldFill(space, members, options);
}

const fillOptions = { ...layoutOptions, include: "function" } as const;

const NONE: number[] = [];

/** Above this share of the rows, writing all is cheaper than finding out which. */
const MANY = 0.5;
/** So many rows are always compared: a pass over few entities computes all of them when some changed. */
const FEW = 256;

/** Writes only what changed. Made by `createWorldFill`. */
export class WorldFill {
  /** How many rows there are. */
  count = 0;
  private readonly space: MatrixSpace;
  private readonly members: FillMembers;
  private readonly layout: Required<FillOptions>;
  private readonly include: ((entity: Entity) => boolean) | undefined;
  private readonly write: WriteRow;
  /** What the space computed since the last `update`; nothing before the first one and after `dispose`. */
  private runs: ComputedRuns | undefined;
  /** The entity index of each row. */
  private indexAt = new Int32Array(0);
  private rowsVersion = Number.NaN;
  /** By slot, as of a version of the order: the row of its entity, or -1. One look for each slot that was computed, not two. */
  private rowAt = new Int32Array(0);
  private rowAtVersion = Number.NaN;
  /** Rows belong to others than when they were written. */
  private hasNewRows = false;
  /** Where each number of a record is in a row, or -1. */
  private readonly offsets: Int8Array;
  private written = new Int32Array(0);
  private listedCount = 0;
  private everything = false;

  /** @internal Use `createWorldFill`. */
  constructor(space: MatrixSpace, members: FillMembers, options: WorldFillOptions) {
    requireFillOptions(space, "follow world transforms", options, fillOptions);
    requireFillMembers(members, "follow world transforms", "a query or other members");
    this.space = space;
    this.members = members;
    this.layout = checkLayout(options);
    this.include = options.include;
    this.write = writerFor(space, this.layout.width, this.layout.plane);
    this.offsets = offsetsOf(this.write, isPlane(space) ? 8 : 12);
  }

  /** Whether the last `update` wrote all rows. */
  get wroteAll(): boolean {
    return this.everything;
  }

  /** How many rows the last `update` wrote. */
  get writtenCount(): number {
    return this.everything ? this.count : this.listedCount;
  }

  /** The rows that the last `update` wrote, in no order; valid until the next. */
  get writtenRows(): Int32Array {
    if (this.everything) return Int32Array.from({ length: this.count }, (_, k) => k);
    return this.written.subarray(0, this.listedCount);
  }

  /** The row of an entity, or -1. As of the last `update`. */
  rowOf(entity: EntityLike): number {
    const handle = handleOf(this.space.tree.world, entity);
    const { slotOf } = orderOf(treeOf(this.space.tree));
    const row = this.rowsBySlot()[slotOf[indexOf(handle)]] ?? -1;
    return this.entityAt(row) === handle ? row : -1;
  }

  /** The entity of a row, or `null`. As of the last `update`. */
  entityAt(row: number): Entity | null {
    return Number.isInteger(row) && row >= 0 && row < this.count
      ? this.space.tree.world.handleAt(this.indexAt[row])
      : null;
  }

  /** Says that `include` may answer otherwise now: the next `update` reassigns rows. */
  refresh(): void {
    this.rowsVersion = Number.NaN;
  }

  /** Assigns rows to the entities that match now, and returns their number; `update` does it too. */
  assignRows(): number {
    this.syncRows();
    return this.count;
  }

  /**
   * Brings the space up to date and writes the rows that changed into `out`, the same buffer every time, or all of
   * them after entities came or went. Gives how many it wrote.
   *
   * @param all - Writes everything, for a buffer that is new.
   * @throws InvalidFillError when `out` is too small for the matches. Nothing was written.
   */
  update(out: FillBuffer, all = false): number {
    this.syncRows();
    requireRoom("follow world transforms", out, this.count, this.layout);
    return this.writeTo(out, undefined, all);
  }

  /**
   * The same for objects that keep their matrices themselves: row k goes to `lists[k]`. `assignRows` says how many there must be.
   *
   * @throws InvalidFillError when a list is missing. Nothing was written.
   */
  updateEach(lists: readonly number[][], all = false): number {
    this.syncRows();
    // Each of them only when they may be others: looking at all would cost more than writing what changed.
    requireLists("follow world transforms", lists, this.count, all || this.hasNewRows);
    return this.writeTo(NONE, lists, all);
  }

  private writeTo(out: FillBuffer, lists: readonly number[][] | undefined, all: boolean): number {
    if (all) this.hasNewRows = true;
    const { space } = this;
    const isUnknown = this.runs === undefined;
    this.runs ??= new ComputedRuns();
    const { runs } = this;
    if (isUnknown) space.watchers.push(runs);
    space.propagate();
    // Others may have brought the space up to date before: everything since the last time counts.
    const isMost = this.count > FEW && runs.count > this.count * MANY;
    if (isUnknown || runs.isLost) {
      runs.clear();
      runs.add(0, orderOf(treeOf(space.tree)).tail);
    }
    const written =
      this.hasNewRows || isMost ? this.writeAll(out, lists) : this.writeDifferent(out, lists, runs);
    runs.clear();
    return written;
  }

  /** Ends it: the space lists nothing for it any more. */
  dispose(): void {
    const { watchers } = this.space;
    if (this.runs !== undefined) watchers.splice(watchers.indexOf(this.runs), 1);
    this.runs = undefined;
    this.rowsVersion = Number.NaN;
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** Assigns rows if entities came or went. */
  private syncRows(): void {
    const { tree } = this.space;
    const { world } = tree;
    if (world.version === this.rowsVersion && !this.members.isFiltered) return;
    this.rowsVersion = world.version;
    const matches = this.members.sync();
    const { indices } = this.members;
    const { include } = this;
    const before = this.count;
    let isSame = this.indexAt.length >= matches;
    if (!isSame) this.indexAt = new Int32Array(matches * 2);
    let row = 0;
    for (let k = 0; k < matches; k++) {
      const index = indices[k];
      if (include !== undefined && !include(tree.world.handleAt(index))) continue;
      if (this.indexAt[row] !== index) isSame = false;
      this.indexAt[row++] = index;
    }
    // Where an index is another entity's now, its row stays, and the space says that the value is new.
    this.count = row;
    this.rowAtVersion = Number.NaN;
    if (!isSame || row !== before) this.hasNewRows = true;
  }

  private writeAll(out: FillBuffer, lists: readonly number[][] | undefined): number {
    const { values, slotOf, stride: step } = worldRowsOf(this.space);
    const { offset, stride } = this.layout;
    const { count, indexAt, write } = this;
    for (let k = 0; k < count; k++) {
      const from = slotOf[indexAt[k]] * step;
      if (lists === undefined) write(values, from, out, offset + k * stride);
      else write(values, from, lists[k], 0);
    }
    this.everything = true;
    this.hasNewRows = false;
    return count;
  }

  /** Compares the rows of slots that were computed, and writes those that are other ones. */
  private writeDifferent(
    out: FillBuffer,
    lists: readonly number[][] | undefined,
    { bounds, length }: ComputedRuns,
  ): number {
    this.everything = false;
    this.listedCount = 0;
    if (length === 0) return 0;
    if (this.written.length < this.count) this.written = new Int32Array(this.count);
    const { values, stride: step } = worldRowsOf(this.space);
    const { offset, stride } = this.layout;
    const { offsets, write, written } = this;
    const rowAt = this.rowsBySlot();
    const last = offsets.length - 1;
    const lastOffset = offsets[last];
    let changed = 0;
    for (let k = 0; k < length; k += 2) {
      const end = bounds[k + 1];
      for (let slot = bounds[k]; slot < end; slot++) {
        const row = rowAt[slot];
        if (row < 0) continue;
        const to = lists === undefined ? out : lists[row];
        const at = lists === undefined ? offset + row * stride : 0;
        const from = slot * step;
        // Nearly all differ in each of their numbers: one is looked at here, the others only if it is the same.
        const there = to[at + lastOffset];
        const value = values[from + last];
        if (there === value || there === Math.fround(value)) {
          if (!differs(values, from, to, at, offsets)) continue;
        }
        write(values, from, to, at);
        written[changed++] = row;
      }
    }
    this.listedCount = changed;
    return changed;
  }

  private rowsBySlot(): Int32Array {
    const { slotOf, nodeAt, version } = orderOf(treeOf(this.space.tree));
    if (this.rowAtVersion === version) return this.rowAt;
    if (this.rowAt.length < nodeAt.length) this.rowAt = new Int32Array(nodeAt.length);
    this.rowAt.fill(-1);
    for (let row = 0; row < this.count; row++) {
      const slot = slotOf[this.indexAt[row]];
      // It may have died since rows were assigned.
      if (nodeAt[slot] === this.indexAt[row]) this.rowAt[slot] = row;
    }
    this.rowAtVersion = version;
    return this.rowAt;
  }
}

/** Whether writing a record would change a row. The translation, written last in a record, is compared first: it is what changes most often. */
function differs(
  values: Float32Array | Float64Array,
  from: number,
  out: FillBuffer,
  o: number,
  offsets: Int8Array,
): boolean {
  for (let k = offsets.length - 1; k >= 0; k--) {
    const at = offsets[k];
    if (at < 0) continue;
    const value = values[from + k];
    const there = out[o + at];
    // The buffer may have fewer bits than the space.
    if (value !== there && !(out instanceof Float32Array && Math.fround(value) === there)) return true;
  }
  return false;
}
