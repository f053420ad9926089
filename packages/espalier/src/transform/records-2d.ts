/**
 * The memory of 2D transforms: local and world records by slot, in one WebAssembly memory where there is one, so that
 * both kernels work on the same arrays.
 */
import { permute } from "../inherit/internal.ts";
import { InvalidSpaceError } from "./errors.ts";
import { kernelBytes } from "./kernel-2d-bytes.ts";
import { createLinear, LARGE, type Linear, LOCAL } from "./linear.ts";
import { callRun, createRun, keepApart, type Run } from "./run.ts";

/** Runs shorter than this are faster in JavaScript: entering WebAssembly costs about 15 ns. */
const SHORT_RUN = 12;
/** Where the records begin; the kernel keeps its constants before. */
const START = 4096;

/** `auto`: WebAssembly where there is one, JavaScript elsewhere and for short runs. `wasm` refuses to do without. */
export type KernelChoice = "auto" | "javascript" | "wasm";

interface Kernel {
  propagate(local: number, world: number, parent: number, from: number, to: number): void;
  composeAll(local: number, from: number, to: number): number;
  composeSlots(local: number, slots: number, count: number): number;
  writeRows(local: number, slots: number, rows: number, width: number, count: number): void;
  areFinite(values: number, count: number): number;
}

export class Records2D {
  /** See `LOCAL`. */
  local = new Float32Array(0);
  /** Eight floats per slot: a, b, c, d, x, y and two spare. Slot 0 is the identity above all roots. */
  world = new Float32Array(0);
  linear: Linear = createLinear(this.local);
  private runJavaScript: Run = createRun(this.local, this.world);
  /** Slots there is room for, and rows that wait to be written. */
  private capacity = 0;
  private rowCapacity = 0;
  private parent = new Int32Array(0);
  private parentVersion = -1;
  private rowSlots = new Int32Array(0);
  private rows = new Float32Array(0);
  private readonly module: WebAssembly.Module | undefined;
  private kernel: Kernel | undefined;
  private readonly onMoved: () => void;

  /** @param onMoved Told when `local` and `world` are other arrays than before. */
  constructor(choice: KernelChoice, onMoved: () => void) {
    this.onMoved = onMoved;
    keepApart();
    const module = choice === "javascript" ? undefined : compiledKernel();
    if (module === undefined) {
      if (choice !== "wasm") return;
      throw new InvalidSpaceError(
        'Cannot use kernel: "wasm": WebAssembly with SIMD is missing here. Use "auto", which does without where it must.',
      );
    }
    this.module = module;
  }

  /** Whether the WebAssembly kernel is in use. */
  get usesWasm(): boolean {
    return this.module !== undefined;
  }

  // The pass -------------------------------------------------------------------------------------------------------------

  /** Computes the worlds of a run of slots. `version` tells when `parent` changed. */
  run(parent: Int32Array, version: number, tail: number, from: number, to: number): void {
    if (this.kernel === undefined || to - from < SHORT_RUN) {
      callRun(this.runJavaScript, parent, from, to);
      return;
    }
    if (this.parentVersion !== version) {
      this.parent.set(parent.length === tail ? parent : parent.subarray(0, tail));
      this.parentVersion = version;
    }
    this.kernel.propagate(this.local.byteOffset, this.world.byteOffset, this.parent.byteOffset, from, to);
  }

  // Writing --------------------------------------------------------------------------------------------------------------

  /** Computes the linear parts of all slots before `tail`. */
  composeAll(tail: number): void {
    this.composeRange(1, tail);
  }

  /** Computes the linear parts of slots from..to - 1. */
  composeRange(from: number, to: number): void {
    const { local, linear, kernel } = this;
    if (kernel === undefined || to - from < SHORT_RUN) linear.composeAll(from, to);
    else if (kernel.composeAll(local.byteOffset, from, to) !== 0) {
      for (let l = from * LOCAL; l < to * LOCAL; l += LOCAL) this.composeLarge(l);
    }
  }

  /** Computes the linear parts of the listed slots that are marked as `TURNED`. */
  composeMarked(slots: Int32Array, count: number, marked: Uint8Array, tail: number): void {
    if (this.kernel !== undefined && isMost(count, tail)) this.composeAll(tail);
    else this.linear.composeMarked(slots, count, marked);
  }

  /** Writes rows of 2, 3, 5 or 6 fields to slots before `tail`. `false`, and nothing written, when one is not finite. */
  writeRows(slots: Int32Array, rows: Float32Array, width: number, tail: number): boolean {
    const count = slots.length;
    if (this.module !== undefined && width !== 2 && count > this.rowCapacity) {
      this.layOut(this.capacity, Math.max(count, this.rowCapacity * 2));
    }
    const { kernel } = this;
    if (kernel === undefined || width === 2) {
      if (!areFinite(rows)) return false;
      this.linear.writeRows(slots, rows, width);
      return true;
    }
    const { local, rowSlots, rows: own } = this;
    own.set(rows);
    // What the check reads behind the end.
    own.fill(0, rows.length, rows.length + 16);
    if (kernel.areFinite(own.byteOffset, rows.length) === 0) return false;
    rowSlots.set(slots);
    kernel.writeRows(local.byteOffset, rowSlots.byteOffset, own.byteOffset, width, count);
    if (isMost(count, tail)) this.composeAll(tail);
    else if (kernel.composeSlots(local.byteOffset, rowSlots.byteOffset, count) !== 0) {
      for (let k = 0; k < count; k++) this.composeLarge(slots[k] * LOCAL);
    }
    return true;
  }

  private composeLarge(l: number): void {
    if (Math.abs(this.local[l + 2]) >= LARGE) this.linear.compose(l);
  }

  // Memory ---------------------------------------------------------------------------------------------------------------

  grow(capacity: number): void {
    if (this.module !== undefined) {
      this.layOut(capacity, this.rowCapacity);
      return;
    }
    const { local, world } = this;
    this.local = new Float32Array(capacity * LOCAL);
    this.local.set(local);
    this.world = new Float32Array(capacity * 8);
    this.world.set(world);
    this.moved();
  }

  /**
   * Lays the arrays out in a new WebAssembly memory: locals, worlds, parents, rows. A memory that grows would detach its old
   * buffer, and on some engines that slows down every loop over typed arrays for good.
   */
  private layOut(capacity: number, rowCapacity: number): void {
    // Three more than there are slots: the kernel takes four at a time.
    const worldAt = aligned(START + (capacity + 3) * LOCAL * 4);
    const parentAt = worldAt + capacity * 32;
    const slotsAt = aligned(parentAt + capacity * 4);
    const rowsAt = aligned(slotsAt + rowCapacity * 4);
    const rowLength = rowCapacity * 6 + 16;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((rowsAt + rowLength * 4) / 65536) });
    const instance = new WebAssembly.Instance(this.module as WebAssembly.Module, { env: { memory } });
    this.kernel = instance.exports as unknown as Kernel;
    const { local, world } = this;
    this.local = new Float32Array(memory.buffer, START, (capacity + 3) * LOCAL);
    this.local.set(local);
    this.world = new Float32Array(memory.buffer, worldAt, capacity * 8);
    this.world.set(world);
    this.parent = new Int32Array(memory.buffer, parentAt, capacity);
    this.parentVersion = -1;
    this.rowSlots = new Int32Array(memory.buffer, slotsAt, rowCapacity);
    this.rows = new Float32Array(memory.buffer, rowsAt, rowLength);
    this.capacity = capacity;
    this.rowCapacity = rowCapacity;
    this.moved();
  }

  private moved(): void {
    this.world[0] = 1;
    this.world[3] = 1;
    const { local, world } = this;
    this.linear = createLinear(local);
    this.runJavaScript = createRun(local, world);
    this.onMoved();
  }

  move(from: number, to: number): void {
    const { local, world } = this;
    for (let k = 0; k < LOCAL; k++) local[to * LOCAL + k] = local[from * LOCAL + k];
    for (let k = 0; k < 8; k++) world[(to << 3) + k] = world[(from << 3) + k];
  }

  permute(old: Int32Array, count: number): void {
    permute(this.local, LOCAL, old, count);
    permute(this.world, 8, old, count);
  }
}

/** Whether so many slots are such a part of all that computing all in order is faster than these as they come. */
function isMost(count: number, tail: number): boolean {
  return count * 2 > tail;
}

function aligned(address: number): number {
  return (address + 63) & -64;
}

/** Multiplying by 0 gives 0 for every finite number; four sums at a time, because each waits for its last addition. */
function areFinite(values: Float32Array): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const end = values.length & -4;
  for (let k = 0; k < end; k += 4) {
    a += values[k] * 0;
    b += values[k + 1] * 0;
    c += values[k + 2] * 0;
    d += values[k + 3] * 0;
  }
  for (let k = end; k < values.length; k++) a += values[k] * 0;
  return a + b + c + d === 0;
}

/** Code without any state; compiling it once lets it be optimised for good. */
let compiled: WebAssembly.Module | undefined;

/** The kernel, or nothing where WebAssembly or its SIMD instructions are missing. */
function compiledKernel(): WebAssembly.Module | undefined {
  try {
    compiled ??= new WebAssembly.Module(kernelBytes());
  } catch {
    // Nothing is lost but speed: the JavaScript kernel gives the same bits.
  }
  return compiled;
}
