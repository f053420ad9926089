/**
 * The records of the plane: local and world records by slot, and the kernel pair that computes them.
 */
import type { FlatOrder, SlotMoves } from "../../hierarchy/internal.ts";
import {
  compileModule,
  type Flow,
  type KernelChoice,
  type KernelPair,
  SHORT_RUN,
  type SlotArrays,
  SlotKernel,
  type SlotNumbers,
  WRITTEN,
} from "../../inherit/internal.ts";
import { InvalidSpaceError } from "../errors.ts";
import { kernelBytes2D } from "../kernels/kernel-2d-bytes.ts";
import { createRun2D } from "../kernels/run-2d.ts";
import { areFinite } from "./are-finite.ts";
import { compose2DRecord } from "./compose-2d.ts";
import { type Geometry, TURNED } from "./geometry.ts";
import { createLocalMatrix, LARGE, LOCAL_WIDTH, type LocalMatrix } from "./local-matrix-2d.ts";

interface Exports {
  propagate(local: number, world: number, parent: number, from: number, to: number): void;
  composeAll(local: number, from: number, to: number): number;
  composeSlots(local: number, slots: number, count: number): number;
  writeRows(local: number, slots: number, rows: number, width: number, count: number): void;
  areFinite(values: number, count: number): number;
}

/** World records are a, b, c, d, x, y and two spare; the rule without shear keeps the rotation in the first of these. */
const WORLD_WIDTH = 8;
const identity = [1, 0, 0, 1, 0, 0, 0, 0];

// The kernel takes four records at a time.
const single = {
  local: { type: "f32", width: LOCAL_WIDTH, spare: 3 },
  world: { type: "f32", width: WORLD_WIDTH },
} as const;
const double = {
  local: { type: "f64", width: LOCAL_WIDTH },
  world: { type: "f64", width: WORLD_WIDTH },
} as const;

type Columns = typeof single | typeof double;

export interface Geometry2DOptions {
  readonly kernel: KernelChoice;
  readonly isDouble: boolean;
  readonly isSeparable: boolean;
}

export class Geometry2D implements Geometry {
  readonly fields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"] as const;
  readonly initial = [0, 0, 0, 1, 1, 0, 1, 0, 0, 1] as const;
  readonly worldWidth = WORLD_WIDTH;
  readonly worldSize = 6;
  readonly derivedFrom = 2;
  readonly rowWidths = [2, 3, 5, 6] as const;
  readonly isSpecial: boolean;
  local: SlotNumbers;
  world: SlotNumbers;
  private matrix: LocalMatrix;
  private readonly kernel: SlotKernel<Columns, Exports>;
  private readonly options: Geometry2DOptions;
  /** Told when batches need more room in the memory of the kernel, so that the arrays are replaced. */
  onMoved: () => void = () => {};
  /** Rows that a batch writes, in the memory of the kernel. */
  private rowCapacity = 0;
  private rowSlots = new Int32Array(0);
  private rows = new Float32Array(0);

  constructor(options: Geometry2DOptions) {
    this.options = options;
    this.isSpecial = options.isSeparable;
    // 64-bit records have no WebAssembly kernel: two at a time instead of four gains little.
    const choice = options.isDouble ? "javascript" : options.kernel;
    this.kernel = new SlotKernel<Columns, Exports>(createPair(options), choice, () => {
      return new InvalidSpaceError(
        'Cannot use kernel: "wasm": WebAssembly with SIMD is missing here. Use "auto", which falls back to JavaScript.',
      );
    });
    this.local = this.kernel.memory.arrays.local;
    this.world = this.kernel.memory.arrays.world;
    this.matrix = createLocalMatrix(this.local, options.isDouble);
  }

  get usesWasm(): boolean {
    return this.kernel.usesWasm;
  }

  // The pass -------------------------------------------------------------------------------------------------------------

  run(order: FlatOrder, from: number, to: number): void {
    this.kernel.run(order, from, to);
  }

  compose(l: number, parent: SlotNumbers, p: number, out: SlotNumbers, o: number, flags: number): void {
    compose2DRecord(this.local, l, parent, p, out, o, flags, this.isSpecial);
  }

  derive(slot: number): void {
    this.matrix.compose(slot * LOCAL_WIDTH);
  }

  deriveAll(tail: number): void {
    this.deriveRange(1, tail);
  }

  deriveWritten({ dirty, marked, fresh, order, hasUnlisted }: Flow): void {
    const { tail } = order;
    if (hasUnlisted || (this.kernel.exports !== undefined && isMost(dirty.count, tail))) {
      this.deriveRange(1, tail);
      return;
    }
    this.matrix.composeMarked(dirty.items, dirty.count, marked);
    if (fresh < tail) this.deriveRange(fresh, tail);
  }

  private deriveRange(from: number, to: number): void {
    const { exports } = this.kernel;
    if (exports === undefined || to - from < SHORT_RUN) this.matrix.composeAll(from, to);
    else if (exports.composeAll(this.local.byteOffset, from, to) !== 0) {
      for (let slot = from; slot < to; slot++) this.deriveLarge(slot);
    }
  }

  /** Angles that are too large for the polynomials of the kernel. */
  private deriveLarge(slot: number): void {
    if (Math.abs(this.local[slot * LOCAL_WIDTH + 2]) >= LARGE) this.derive(slot);
  }

  // Writing --------------------------------------------------------------------------------------------------------------

  write(slot: number, given: SlotNumbers, first: number, end: number): number {
    const l = slot * LOCAL_WIDTH;
    if (end - first === 6) return this.writeAll(l, given);
    const { local } = this;
    // One field or two. Multiplying by 0 finds NaN and the infinities.
    const value = given[first];
    const next = given[end - 1];
    if (value * 0 + next * 0 !== 0) return -1;
    if (local[l + first] === value && local[l + end - 1] === next) return 0;
    local[l + first] = value;
    local[l + end - 1] = next;
    return first === 0 ? WRITTEN : WRITTEN | TURNED;
  }

  /** Without a loop: 17 ns for one entity instead of 32. */
  private writeAll(l: number, given: SlotNumbers): number {
    const { local } = this;
    const x = given[0];
    const y = given[1];
    const rotation = given[2];
    const scaleX = given[3];
    const scaleY = given[4];
    const skew = given[5];
    if (x * 0 + y * 0 + (rotation * 0 + skew * 0) + (scaleX * 0 + scaleY * 0) !== 0) return -1;
    const isTurned =
      local[l + 2] !== rotation ||
      local[l + 3] !== scaleX ||
      local[l + 4] !== scaleY ||
      local[l + 5] !== skew;
    if (!isTurned && local[l] === x && local[l + 1] === y) return 0;
    local[l] = x;
    local[l + 1] = y;
    if (!isTurned) return WRITTEN;
    local[l + 2] = rotation;
    local[l + 3] = scaleX;
    local[l + 4] = scaleY;
    local[l + 5] = skew;
    return WRITTEN | TURNED;
  }

  // Batches --------------------------------------------------------------------------------------------------------------

  writeRows(slots: Int32Array, rows: SlotNumbers, width: number, tail: number): boolean {
    // Positions alone are written without entering WebAssembly.
    if (this.kernel.usesWasm && width !== 2) return this.writeRowsWasm(slots, rows, width, tail);
    if (!areFinite(rows, !this.options.isDouble)) return false;
    this.matrix.writeRows(slots, rows, width);
    return true;
  }

  private writeRowsWasm(slots: Int32Array, rows: SlotNumbers, width: number, tail: number): boolean {
    const count = slots.length;
    if (count > this.rowCapacity) this.reserveRows(count);
    const { rowSlots, rows: own } = this;
    const exports = this.kernel.exports as Exports;
    own.set(rows);
    // What the check reads behind the end.
    own.fill(0, rows.length, rows.length + 16);
    if (exports.areFinite(own.byteOffset, rows.length) === 0) return false;
    rowSlots.set(slots);
    const local = this.local.byteOffset;
    exports.writeRows(local, rowSlots.byteOffset, own.byteOffset, width, count);
    if (isMost(count, tail)) this.deriveRange(1, tail);
    else if (exports.composeSlots(local, rowSlots.byteOffset, count) !== 0) {
      for (let k = 0; k < count; k++) this.deriveLarge(slots[k]);
    }
    return true;
  }

  private reserveRows(count: number): void {
    this.rowCapacity = Math.max(count, this.rowCapacity * 2);
    this.resize(this.kernel.memory.capacity);
    this.onMoved();
  }

  // Memory ---------------------------------------------------------------------------------------------------------------

  grow(capacity: number): void {
    const isNew = this.world.length === 0;
    this.resize(capacity);
    if (isNew) this.world.set(identity);
  }

  private resize(capacity: number): void {
    const { kernel, rowCapacity, options } = this;
    const rowLength = rowCapacity * 6 + 16;
    kernel.resize(capacity, rowCapacity * 4 + rowLength * 4);
    this.local = kernel.memory.arrays.local;
    this.world = kernel.memory.arrays.world;
    this.matrix = createLocalMatrix(this.local, options.isDouble);
    const { wasm } = kernel.memory;
    if (wasm === undefined) return;
    this.rowSlots = new Int32Array(wasm.buffer, kernel.scratchAt, rowCapacity);
    this.rows = new Float32Array(wasm.buffer, kernel.scratchAt + rowCapacity * 4, rowLength);
  }

  move(from: number, to: number): void {
    this.kernel.memory.move(from, to);
  }

  permute(moves: SlotMoves): void {
    this.kernel.memory.permute(moves);
  }
}

function createPair({ isDouble }: Geometry2DOptions): KernelPair<Columns, Exports> {
  return {
    columns: isDouble ? double : single,
    createLoop: ({ local, world }: SlotArrays<Columns>) => createRun2D(local, world),
    module() {
      compiled ??= compileModule(kernelBytes2D());
      return compiled;
    },
    bindLoop(exports, { local, world }) {
      const localAt = local.byteOffset;
      const worldAt = world.byteOffset;
      return (parent, from, to) => {
        exports.propagate(localAt, worldAt, parent, from, to);
        return to;
      };
    },
  };
}

/** Code without any state; compiling it once lets V8 optimise it once. */
let compiled: WebAssembly.Module | undefined;

/** Whether so many slots are such a part of all that computing all in order is faster than these as they come. */
function isMost(count: number, tail: number): boolean {
  return count * 2 > tail;
}
