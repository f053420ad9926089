/**
 * The memory of 2D transforms: local and world records by slot, in one WebAssembly memory where there is one, so that
 * both kernels work on the same arrays.
 */
import { javaScriptKernel, type Kernel } from "./kernel.ts";
import { kernelBytes } from "./kernel-2d-bytes.ts";

/** Runs shorter than this are faster in JavaScript: entering WebAssembly costs about 15 ns. */
const SHORT_RUN = 12;

export type KernelChoice = "auto" | "javascript" | "wasm";

export class Records2D {
  /** Eight floats per slot: x, y, rotation, scaleX, scaleY, skew, cos, sin. */
  local = new Float32Array(0);
  /** Eight floats per slot: a, b, c, d, x, y and two spare. Slot 0 is the identity above all roots. */
  world = new Float32Array(0);
  private parent = new Int32Array(0);
  private parentVersion = -1;
  private readonly module: WebAssembly.Module | undefined;
  private propagate:
    | ((local: number, world: number, parent: number, from: number, to: number) => void)
    | undefined;

  constructor(kernel: KernelChoice) {
    this.module = kernel === "javascript" ? undefined : compileKernel();
  }

  /** Whether the WebAssembly kernel is in use. */
  get usesWasm(): boolean {
    return this.module !== undefined;
  }

  grow(capacity: number): void {
    const { local, world } = this;
    const floats = capacity * 8;
    if (this.module === undefined) {
      this.local = new Float32Array(floats);
      this.world = new Float32Array(floats);
    } else {
      const memory = new WebAssembly.Memory({ initial: Math.ceil((capacity * 68) / 65536) });
      const { exports } = new WebAssembly.Instance(this.module, { env: { memory } });
      this.propagate = exports.propagate as NonNullable<Records2D["propagate"]>;
      this.local = new Float32Array(memory.buffer, 0, floats);
      this.world = new Float32Array(memory.buffer, floats * 4, floats);
      this.parent = new Int32Array(memory.buffer, floats * 8, capacity);
      this.parentVersion = -1;
    }
    this.local.set(local);
    this.world.set(world);
    this.world[0] = 1;
    this.world[3] = 1;
  }

  /** Computes a run of slots. `version` tells when `parent` changed. */
  run(parent: Int32Array, version: number, tail: number, from: number, to: number): void {
    if (this.propagate === undefined || to - from < SHORT_RUN) {
      kernel(this.local, this.world, parent, from, to);
      return;
    }
    if (this.parentVersion !== version) {
      this.parent.set(parent.length === tail ? parent : parent.subarray(0, tail));
      this.parentVersion = version;
    }
    this.propagate(this.local.byteOffset, this.world.byteOffset, this.parent.byteOffset, from, to);
  }

  move(from: number, to: number): void {
    this.local.copyWithin(to << 3, from << 3, (from << 3) + 8);
    this.world.copyWithin(to << 3, from << 3, (from << 3) + 8);
  }

  permute(old: Int32Array, count: number): void {
    for (const records of [this.local, this.world]) {
      const before = records.slice();
      for (let slot = 1; slot < count; slot++) {
        const from = old[slot] << 3;
        const to = slot << 3;
        for (let k = 0; k < 8; k++) records[to + k] = before[from + k];
      }
    }
  }
}

const kernel: Kernel = javaScriptKernel;

/** The kernel, or nothing where WebAssembly or its SIMD instructions are missing. */
function compileKernel(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(kernelBytes());
  } catch {
    return undefined;
  }
}
