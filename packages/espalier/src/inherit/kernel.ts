/**
 * Kernel pairs: a loop over slots that exists twice, in JavaScript and in WebAssembly, and gives the same bits both ways.
 *
 * The contract, for whoever writes one:
 * - Both compute slots from..to - 1 in order, each from the slot of its parent, and touch nothing but the columns of the pair.
 * - Holes (slots without an entity) are computed like the others; their numbers mean nothing.
 * - The module imports one memory as `env.memory`, keeps its own data below `FIRST_ADDRESS` and does not grow the memory.
 * - A slot that the module cannot compute (a case too rare to write there) ends its run: it returns that slot, which the
 *   JavaScript twin then computes, and the run goes on behind it. Otherwise it returns `to`.
 */
import type { FlatOrder } from "../hierarchy/internal.ts";
import { type SlotArrays, type SlotColumns, SlotMemory } from "./slot-memory.ts";

/** `auto`: WebAssembly where there is one, for long runs in large worlds, else JavaScript. `wasm` refuses to do without. */
export type KernelChoice = "auto" | "javascript" | "wasm";

/** Computes slots from..to - 1; `parent` holds the slots of the parents. */
export type SlotLoop = (parent: Int32Array, from: number, to: number) => void;

/** The same in WebAssembly, with the address of the parents. Returns where it stopped. */
export type WasmLoop = (parent: number, from: number, to: number) => number;

/** One computation, written twice. */
export interface KernelPair<C extends SlotColumns, Exports> {
  readonly columns: C;
  /** The JavaScript twin for these arrays. Called again when they are replaced. */
  createLoop(arrays: SlotArrays<C>): SlotLoop;
  /** The compiled module, or nothing where WebAssembly, or an instruction of it, is missing. */
  module(): WebAssembly.Module | undefined;
  /** The loop of an instance for these arrays; their `byteOffset` is their address. Called again when they are replaced. */
  bindLoop(exports: Exports, arrays: SlotArrays<C>): WasmLoop;
}

/** Runs shorter than this are faster in JavaScript: entering WebAssembly costs about 15 ns. */
export const SHORT_RUN = 12;

/**
 * Smaller worlds do without WebAssembly: they gain some microseconds a pass, and a memory takes 30 to make. JavaScriptCore takes
 * longer with each one it has, a hundred milliseconds for the six thousandth.
 */
const LEAST_SLOTS = 2048;

/** A kernel pair at work: its memory, and the code for it. */
export class SlotKernel<C extends SlotColumns, Exports> {
  readonly memory: SlotMemory<C>;
  /** The functions of the module; nothing where WebAssembly is not used. */
  exports: Exports | undefined;
  private readonly pair: KernelPair<C, Exports>;
  private readonly choice: KernelChoice;
  private loop: SlotLoop;
  private wasmLoop: WasmLoop | undefined;
  /** The slots of the parents, in the memory of the module. */
  private parents = new Int32Array(0);
  private parentsVersion = -1;

  /** @param missing Makes the error for `wasm` where there is none. */
  constructor(pair: KernelPair<C, Exports>, choice: KernelChoice, missing: () => Error) {
    this.pair = pair;
    this.choice = choice;
    if (choice === "wasm" && pair.module() === undefined) throw missing();
    this.memory = new SlotMemory(pair.columns);
    this.loop = pair.createLoop(this.memory.arrays);
  }

  get usesWasm(): boolean {
    return this.exports !== undefined;
  }

  private moduleFor(capacity: number): WebAssembly.Module | undefined {
    const { choice, pair } = this;
    return choice === "wasm" || (choice === "auto" && capacity >= LEAST_SLOTS) ? pair.module() : undefined;
  }

  /** Replaces the arrays, see `SlotMemory.resize`. `scratchSize` counts bytes of the caller's own. */
  resize(capacity: number, scratchSize = this.scratchSize): void {
    const { memory, pair } = this;
    const module = this.moduleFor(capacity);
    const parentBytes = module === undefined ? 0 : capacity * 4;
    memory.resize(capacity, module !== undefined, parentBytes + scratchSize);
    this.loop = pair.createLoop(memory.arrays);
    if (module === undefined) return;
    const env = { memory: memory.wasm as WebAssembly.Memory };
    this.exports = new WebAssembly.Instance(module, { env }).exports as Exports;
    this.wasmLoop = pair.bindLoop(this.exports, memory.arrays);
    this.parents = new Int32Array(env.memory.buffer, memory.scratchAt, capacity);
    this.parentsVersion = -1;
  }

  private get scratchSize(): number {
    return Math.max(0, this.memory.scratchSize - this.parents.byteLength);
  }

  /** Where the caller's own bytes begin in the memory of the module. */
  get scratchAt(): number {
    return this.memory.scratchAt + this.parents.byteLength;
  }

  /** Computes slots from..to - 1. */
  run(order: FlatOrder, from: number, to: number): void {
    const { wasmLoop } = this;
    if (wasmLoop === undefined || to - from < SHORT_RUN) this.loop(order.parentSlot, from, to);
    else this.runWasm(wasmLoop, order, from, to);
  }

  private runWasm(wasmLoop: WasmLoop, order: FlatOrder, from: number, to: number): void {
    const { parentSlot, version, tail } = order;
    if (this.parentsVersion !== version) {
      this.parents.set(parentSlot.length === tail ? parentSlot : parentSlot.subarray(0, tail));
      this.parentsVersion = version;
    }
    let slot = from;
    while (slot < to) {
      slot = wasmLoop(this.parents.byteOffset, slot, to);
      if (slot === to) return;
      this.loop(parentSlot, slot, slot + 1);
      slot++;
    }
  }
}

/** Compiles a module once; nothing where that is impossible. */
export function compileModule(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(bytes);
  } catch {
    // Nothing is lost but speed: the JavaScript twin gives the same bits.
    return undefined;
  }
}
