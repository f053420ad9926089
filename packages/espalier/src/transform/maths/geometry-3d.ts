/**
 * The records of three dimensions: local and world records by slot, in 64 bits, and the kernel pair that computes them. Nothing is
 * derived from the fields before a pass: a quaternion becomes a matrix on the way.
 */
import type { FlatOrder, SlotMoves } from "../../hierarchy/internal.ts";
import {
  compileModule,
  type KernelChoice,
  type KernelPair,
  SlotKernel,
  type SlotNumbers,
  WRITTEN,
} from "../../inherit/internal.ts";
import { InvalidSpaceError } from "../errors.ts";
import { kernelBytes3D } from "../kernels/kernel-3d-bytes.ts";
import { createRun3D } from "../kernels/run-3d.ts";
import { areFinite } from "./are-finite.ts";
import { compose3DRecord, LOCAL_WIDTH_3D, WORLD_WIDTH_3D } from "./compose-3d.ts";
import type { Geometry } from "./geometry.ts";

interface Exports {
  propagate(local: number, world: number, parent: number, from: number, to: number): number;
}

const columns = {
  local: { type: "f64", width: LOCAL_WIDTH_3D },
  world: { type: "f64", width: WORLD_WIDTH_3D },
} as const;

export const identity3D: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

export class Geometry3D implements Geometry {
  readonly fields = ["x", "y", "z", "qx", "qy", "qz", "qw", "scaleX", "scaleY", "scaleZ"] as const;
  readonly initial = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] as const;
  readonly worldWidth = WORLD_WIDTH_3D;
  readonly worldSize = WORLD_WIDTH_3D;
  readonly derivedFrom = LOCAL_WIDTH_3D;
  readonly rowWidths = [3, 7, 10] as const;
  readonly isSpecial = false;
  local: Float64Array;
  world: Float64Array;
  private readonly kernel: SlotKernel<typeof columns, Exports>;

  constructor(kernel: KernelChoice) {
    this.kernel = new SlotKernel(createPair(), kernel, () => {
      return new InvalidSpaceError(
        'Cannot use kernel: "wasm": WebAssembly with SIMD is missing here. Use "auto", which falls back to JavaScript.',
      );
    });
    this.local = this.kernel.memory.arrays.local;
    this.world = this.kernel.memory.arrays.world;
  }

  get usesWasm(): boolean {
    return this.kernel.usesWasm;
  }

  run(order: FlatOrder, from: number, to: number): void {
    this.kernel.run(order, from, to);
  }

  compose(l: number, parent: SlotNumbers, p: number, out: SlotNumbers, o: number, flags: number): void {
    compose3DRecord(this.local, l, parent, p, out, o, flags);
  }

  write(slot: number, given: SlotNumbers, first: number, end: number): number {
    const { local } = this;
    const l = slot * LOCAL_WIDTH_3D;
    const own = given as Float64Array;
    // Position, rotation, scale, or all of them. Without loops, which take twice as long.
    if (end - first === LOCAL_WIDTH_3D) {
      if (zeroOf3(own, 0) + zeroOf4(own, 3) + zeroOf3(own, 7) !== 0) return -1;
      return write3(local, l, own, 0) | write4(local, l, own, 3) | write3(local, l, own, 7);
    }
    if (first === 3) return zeroOf4(own, 3) === 0 ? write4(local, l, own, 3) : -1;
    return zeroOf3(own, first) === 0 ? write3(local, l, own, first) : -1;
  }

  derive(): void {}

  deriveAll(): void {}

  deriveWritten(): void {}

  writeRows(slots: Int32Array, rows: SlotNumbers, width: number): boolean {
    if (!areFinite(rows, false)) return false;
    const { local } = this;
    for (let k = 0, r = 0; k < slots.length; k++) {
      const l = slots[k] * LOCAL_WIDTH_3D;
      for (let f = 0; f < width; f++) local[l + f] = rows[r++];
    }
    return true;
  }

  grow(capacity: number): void {
    const isNew = this.world.length === 0;
    this.kernel.resize(capacity);
    this.local = this.kernel.memory.arrays.local;
    this.world = this.kernel.memory.arrays.world;
    if (isNew) this.world.set(identity3D);
  }

  move(from: number, to: number): void {
    this.kernel.memory.move(from, to);
  }

  permute(moves: SlotMoves): void {
    this.kernel.memory.permute(moves);
  }
}

/** 0 where three numbers are finite: multiplying by 0 finds NaN and the infinities. */
function zeroOf3(given: Float64Array, f: number): number {
  return given[f] * 0 + given[f + 1] * 0 + given[f + 2] * 0;
}

function zeroOf4(given: Float64Array, f: number): number {
  return given[f] * 0 + given[f + 1] * 0 + (given[f + 2] * 0 + given[f + 3] * 0);
}

/** Writes three fields of the record at `l`. Returns the marks that follow. */
function write3(local: Float64Array, l: number, given: Float64Array, f: number): number {
  const a = given[f];
  const b = given[f + 1];
  const c = given[f + 2];
  if (local[l + f] === a && local[l + f + 1] === b && local[l + f + 2] === c) return 0;
  local[l + f] = a;
  local[l + f + 1] = b;
  local[l + f + 2] = c;
  return WRITTEN;
}

function write4(local: Float64Array, l: number, given: Float64Array, f: number): number {
  const last = given[f + 3];
  if (write3(local, l, given, f) === 0 && local[l + f + 3] === last) return 0;
  local[l + f + 3] = last;
  return WRITTEN;
}

function createPair(): KernelPair<typeof columns, Exports> {
  return {
    columns,
    createLoop: ({ local, world }) => createRun3D(local, world),
    module() {
      compiled ??= compileModule(kernelBytes3D());
      return compiled;
    },
    bindLoop(exports, { local, world }) {
      const localAt = local.byteOffset;
      const worldAt = world.byteOffset;
      return (parent, from, to) => exports.propagate(localAt, worldAt, parent, from, to);
    },
  };
}

/** Code without any state; compiling it once lets V8 optimise it once. */
let compiled: WebAssembly.Module | undefined;
