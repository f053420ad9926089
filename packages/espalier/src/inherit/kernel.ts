/**
 * Kernel pairs: a loop over slots that exists twice, in JavaScript and in WebAssembly, and gives the same bits both ways.
 *
 * The contract, for authors of one:
 * - Both compute slots from..to - 1 in order, each from the slot of its parent, and touch nothing but the columns of the pair.
 * - Holes (slots without an entity) are computed like the others; their numbers mean nothing.
 * - The module imports one memory as `env.memory`, keeps its own data below `SCRATCH_ADDRESS` and does not grow the memory.
 * - A slot that the module cannot compute (a case too rare to write there) ends its run: it returns that slot, which the
 *   JavaScript twin then computes, and the run goes on behind it. Otherwise it returns `to`.
 */
import type { FlatOrder, SlotMoves } from "../hierarchy/internal.ts";
import { type SlotArrays, type SlotColumns, SlotMemory } from "./slot-memory.ts";

/**
 * `auto`: WebAssembly where there is one, for long runs in large worlds, else JavaScript. `wasm`: in small worlds too, and refused where
 * there is none. Its code is loaded when it is first wanted; JavaScript, which gives the same bits, computes until then.
 */
export type KernelChoice = "auto" | "javascript" | "wasm";

/** Computes slots from..to - 1; `parent` holds the slots of the parents. */
export type SlotLoop = (parent: Int32Array, from: number, to: number) => void;

/** The functions of a module. Loops get the addresses of two columns and of the parents, and return where they stopped. */
export interface KernelExports {
  readonly [name: string]: (...numbers: number[]) => number;
}

/** The code of a kernel, which is not in the first import. */
export interface KernelModule {
  /** Nothing before it is loaded, and where it cannot be compiled. */
  readonly compiled: WebAssembly.Module | undefined;
  /** Loads and compiles it, once. Rejects when its file cannot be loaded; the next call tries again. */
  load(): Promise<void>;
}

/** One computation, written twice: the second column from the first one. */
export interface KernelPair<C extends SlotColumns> {
  readonly columns: C;
  /** The JavaScript twin for these arrays. Called again when they are replaced. */
  createLoop(arrays: SlotArrays<C>): SlotLoop;
  readonly module: KernelModule;
  /** The name of the loop in the module. */
  readonly loop: string;
}

/** Runs shorter than this are faster in JavaScript: entering WebAssembly costs about 15 ns. */
export const SHORT_RUN = 12;

/**
 * Smaller worlds do without WebAssembly: they gain some microseconds a pass, and a memory takes 30 to make. JavaScriptCore takes
 * longer with each one it has, a hundred milliseconds for the six thousandth.
 */
const LEAST_SLOTS = 2048;

/** A kernel pair at work: its memory, and the code for it. */
export class SlotKernel<C extends SlotColumns> {
  readonly memory: SlotMemory<C>;
  /** The functions of the module; nothing where WebAssembly is not used. */
  exports: KernelExports | undefined;
  private readonly pair: KernelPair<C>;
  private readonly choice: KernelChoice;
  private loop: SlotLoop;
  private wasmLoop: ((parents: number, from: number, to: number) => number) | undefined;
  private parentsVersion = -1;
  /** Whether WebAssembly is wanted and not there yet. */
  private isWaiting = false;

  /** @param missing Makes the error for `wasm` where there is none. */
  constructor(pair: KernelPair<C>, choice: KernelChoice, missing: () => Error) {
    this.pair = pair;
    this.choice = choice;
    if (choice === "wasm" && !hasWasm()) throw missing();
    this.memory = new SlotMemory(pair.columns);
    this.loop = pair.createLoop(this.memory.arrays);
  }

  get usesWasm(): boolean {
    return this.exports !== undefined;
  }

  /** Replaces the arrays, see `SlotMemory.resize`. */
  resize(capacity: number): void {
    const { memory, pair, choice } = this;
    const isWasm = choice === "wasm" || (choice === "auto" && capacity >= LEAST_SLOTS);
    const module = isWasm ? pair.module.compiled : undefined;
    this.isWaiting = isWasm && module === undefined && hasWasm();
    // Without its file nothing is lost but speed.
    if (this.isWaiting) pair.module.load().catch(() => undefined);
    memory.resize(capacity, module !== undefined);
    this.loop = pair.createLoop(memory.arrays);
    if (module === undefined) return;
    const env = { memory: memory.wasm as WebAssembly.Memory };
    this.exports = new WebAssembly.Instance(module, { env }).exports as unknown as KernelExports;
    const loop = this.exports[pair.loop];
    const [first, second] = Object.values(memory.arrays).map((array) => array.byteOffset);
    this.wasmLoop = (parents, from, to) => loop(first, second, parents, from, to);
    this.parentsVersion = -1;
  }

  /** Whether the module has come since the last `resize`: the next one puts the arrays into its memory. */
  get canStart(): boolean {
    return this.isWaiting && this.pair.module.compiled !== undefined;
  }

  /** Loads the module, if this kernel may use it at all. */
  async load(): Promise<void> {
    if (this.choice !== "javascript" && hasWasm()) await this.pair.module.load();
  }

  /** What belonged to slot `from` belongs to slot `to`; without `results` only the column that they are computed from. */
  move(from: number, to: number, results: boolean): void {
    this.memory.move(from, to, results ? 2 : 1);
  }

  /** The same for all slots. */
  permute(moves: SlotMoves, results: boolean): void {
    this.memory.permute(moves, results ? 2 : 1);
  }

  /** Computes slots from..to - 1. */
  run(order: FlatOrder, from: number, to: number): void {
    const { wasmLoop } = this;
    const { parentSlot, version, tail } = order;
    if (wasmLoop === undefined || to - from < SHORT_RUN) {
      this.loop(parentSlot, from, to);
      return;
    }
    const { parents } = this.memory;
    if (this.parentsVersion !== version) {
      parents.set(parentSlot.length === tail ? parentSlot : parentSlot.subarray(0, tail));
      this.parentsVersion = version;
    }
    for (let slot = wasmLoop(parents.byteOffset, from, to); slot < to; ) {
      this.loop(parentSlot, slot, slot + 1);
      slot = wasmLoop(parents.byteOffset, slot + 1, to);
    }
  }
}

/**
 * A module whose bytes, in base64, are in a file of their own. It is code without any state: compiling it once lets V8 optimise it once.
 */
export function lazyModule(read: () => Promise<string>): KernelModule {
  let loading: Promise<void> | undefined;
  let compiled: WebAssembly.Module | undefined;
  async function load(): Promise<void> {
    try {
      compiled = compileModule(await read());
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }
  return {
    get compiled() {
      return compiled;
    },
    load() {
      loading ??= load();
      return loading;
    },
  };
}

/** Nothing where that is impossible, for instance by a content security policy: the JavaScript twin gives the same bits. */
function compileModule(base64: string): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** A function that makes a vector of four zeros: valid only where SIMD is known. */
const simd = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 17, 11,
];

/** Whether there is a WebAssembly that knows the instructions of the kernels. */
function hasWasm(): boolean {
  return typeof WebAssembly === "object" && WebAssembly.validate(Uint8Array.from(simd));
}
