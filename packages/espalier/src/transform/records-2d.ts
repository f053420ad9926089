/**
 * The memory of 2D transforms: local and world records by slot, in one WebAssembly memory where there is one, so that
 * both kernels work on the same arrays.
 */
import { InvalidSpaceError } from "./errors.ts";
import { propagateRun } from "./kernel-2d.ts";
import { kernelBytes } from "./kernel-2d-bytes.ts";
import { LARGE, LOCAL, writeLinear, writeLinears } from "./linear.ts";

/** Runs shorter than this are faster in JavaScript: entering WebAssembly costs about 15 ns. */
const SHORT_RUN = 12;
/** Where the records begin; the kernel keeps its constants before. */
const START = 4096;

/** `auto`: WebAssembly where there is one, JavaScript elsewhere and for short runs. `wasm` refuses to do without. */
export type KernelChoice = "auto" | "javascript" | "wasm";

interface Kernel {
  readonly propagate: (local: number, world: number, parent: number, from: number, to: number) => void;
  readonly composeLinear: (local: number, from: number, to: number) => number;
}

export class Records2D {
  /** See `LOCAL`. */
  local = new Float32Array(0);
  /** Eight floats per slot: a, b, c, d, x, y and two spare. Slot 0 is the identity above all roots. */
  world = new Float32Array(0);
  private capacity = 0;
  private parent = new Int32Array(0);
  private parentVersion = -1;
  private readonly memory: WebAssembly.Memory | undefined;
  private readonly kernel: Kernel | undefined;

  constructor(choice: KernelChoice) {
    const module = choice === "javascript" ? undefined : compiledKernel();
    if (module === undefined) {
      if (choice !== "wasm") return;
      throw new InvalidSpaceError(
        'Cannot use kernel: "wasm": WebAssembly with SIMD is missing here. Use "auto", which does without where it must.',
      );
    }
    this.memory = new WebAssembly.Memory({ initial: 1 });
    const instance = new WebAssembly.Instance(module, { env: { memory: this.memory } });
    this.kernel = instance.exports as unknown as Kernel;
  }

  /** Whether the WebAssembly kernel is in use. */
  get usesWasm(): boolean {
    return this.kernel !== undefined;
  }

  grow(capacity: number): void {
    const { local, world, memory } = this;
    // One more than there are slots: the kernel takes two at a time.
    const localLength = (capacity + 1) * LOCAL;
    if (memory === undefined) {
      this.local = new Float32Array(localLength);
      this.local.set(local);
      this.world = new Float32Array(capacity * 8);
      this.world.set(world);
    } else {
      const worldAt = (START + localLength * 4 + 63) & -64;
      const parentAt = worldAt + capacity * 32;
      const pages = Math.ceil((parentAt + capacity * 4) / 65536);
      const { byteOffset } = world;
      const missing = pages - memory.buffer.byteLength / 65536;
      if (missing > 0) memory.grow(missing);
      const bytes = new Uint8Array(memory.buffer);
      bytes.copyWithin(worldAt, byteOffset, byteOffset + this.capacity * 32);
      bytes.fill(0, worldAt + this.capacity * 32, parentAt);
      bytes.fill(0, START + this.capacity * LOCAL * 4, worldAt);
      this.local = new Float32Array(memory.buffer, START, localLength);
      this.world = new Float32Array(memory.buffer, worldAt, capacity * 8);
      this.parent = new Int32Array(memory.buffer, parentAt, capacity);
      this.parentVersion = -1;
    }
    this.capacity = capacity;
    this.world[0] = 1;
    this.world[3] = 1;
  }

  /** Computes the worlds of a run of slots. `version` tells when `parent` changed. */
  run(parent: Int32Array, version: number, tail: number, from: number, to: number): void {
    if (this.kernel === undefined || to - from < SHORT_RUN) {
      propagateRun(this.local, this.world, parent, from, to);
      return;
    }
    if (this.parentVersion !== version) {
      this.parent.set(parent.length === tail ? parent : parent.subarray(0, tail));
      this.parentVersion = version;
    }
    this.kernel.propagate(this.local.byteOffset, this.world.byteOffset, this.parent.byteOffset, from, to);
  }

  /** Computes the linear parts of all slots before `tail`. */
  composeAll(tail: number): void {
    const { local } = this;
    if (this.kernel === undefined) writeLinears(local, 1, tail);
    else if (this.kernel.composeLinear(local.byteOffset, 1, tail) !== 0) {
      for (let l = LOCAL; l < tail * LOCAL; l += LOCAL)
        if (Math.abs(local[l + 2]) >= LARGE) writeLinear(local, l);
    }
  }

  move(from: number, to: number): void {
    const { local, world } = this;
    for (let k = 0; k < LOCAL; k++) local[to * LOCAL + k] = local[from * LOCAL + k];
    for (let k = 0; k < 8; k++) world[(to << 3) + k] = world[(from << 3) + k];
  }

  permute(old: Int32Array, count: number): void {
    permuteRecords(this.local, LOCAL, old, count);
    permuteRecords(this.world, 8, old, count);
  }
}

function permuteRecords(records: Float32Array, width: number, old: Int32Array, count: number): void {
  const before = records.slice();
  for (let slot = 1; slot < count; slot++) {
    const from = old[slot] * width;
    const to = slot * width;
    for (let k = 0; k < width; k++) records[to + k] = before[from + k];
  }
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
