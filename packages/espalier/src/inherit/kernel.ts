/**
 * Kernel pairs: a loop over slots that exists twice, in JavaScript and in WebAssembly, and gives the same bits both ways.
 *
 * The contract, for whoever writes one:
 * - Both compute slots from..to - 1 in order, each from the slot of its parent, and touch nothing but the columns of the pair.
 * - Holes (slots without an entity) are computed like the others; their numbers mean nothing.
 * - The module imports one memory as `env.memory`, keeps its own data below `SCRATCH_ADDRESS` and does not grow the memory.
 * - A slot that the module cannot compute (a case too rare to write there) ends its run: it returns that slot, which the
 *   JavaScript twin then computes, and the run goes on behind it. Otherwise it returns `to`.
 */
import type { FlatOrder, SlotMoves } from "../hierarchy/internal.ts";
import { type SlotArrays, type SlotColumns, SlotMemory } from "./slot-memory.ts";

/** `auto`: WebAssembly where there is one, for long runs in large worlds, else JavaScript. `wasm` refuses to do without. */
export type KernelChoice = "auto" | "javascript" | "wasm";

/** Computes slots from..to - 1; `parent` holds the slots of the parents. */
export type SlotLoop = (parent: Int32Array, from: number, to: number) => void;

/** The functions of a module. Loops get the addresses of two columns and of the parents, and return where they stopped. */
export interface KernelExports {
  readonly [name: string]: (...numbers: number[]) => number;
}

/** One computation, written twice: the second column from the first one. */
export interface KernelPair<C extends SlotColumns> {
  readonly columns: C;
  /** The JavaScript twin for these arrays. Called again when they are replaced. */
  createLoop(arrays: SlotArrays<C>): SlotLoop;
  /** The compiled module, or nothing where WebAssembly, or an instruction of it, is missing. */
  module(): WebAssembly.Module | undefined;
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

  /** @param missing Makes the error for `wasm` where there is none. */
  constructor(pair: KernelPair<C>, choice: KernelChoice, missing: () => Error) {
    this.pair = pair;
    this.choice = choice;
    if (choice === "wasm" && pair.module() === undefined) throw missing();
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
    const module = isWasm ? pair.module() : undefined;
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
 * Compiles a module when it is first asked for; nothing where that is impossible. It is code without any state: compiling it once
 * lets V8 optimise it once.
 */
export function lazyModule(base64: string): () => WebAssembly.Module | undefined {
  let compiled: WebAssembly.Module | undefined;
  return () => {
    try {
      compiled ??= new WebAssembly.Module(
        Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
      );
    } catch {
      // Nothing is lost but speed: the JavaScript twin gives the same bits.
    }
    return compiled;
  };
}
