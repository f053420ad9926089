/**
 * The memory in which arrays by slot live: plain buffers, or one WebAssembly memory, so that a kernel there works on the same
 * numbers as the code here.
 *
 * Arrays are replaced when they grow, a WebAssembly memory too: one that grew in place would detach its buffer, and on some
 * engines that slows down every loop over typed arrays for good.
 */
import type { SlotMoves } from "../hierarchy/internal.ts";
import { permute } from "./permute.ts";

/** One array: `width` numbers for each slot. */
export interface SlotColumn {
  readonly type: "f32" | "f64";
  readonly width: number;
  /** Slots beyond the last that a kernel may read and write; 0 if left out. */
  readonly spare?: number;
}

export type SlotColumns = { readonly [name: string]: SlotColumn };

/** Numbers by slot. */
export type SlotNumbers = Float32Array | Float64Array;

export type SlotArrays<C extends SlotColumns> = {
  [Name in keyof C]: C[Name]["type"] extends "f32"
    ? Float32Array
    : C[Name]["type"] extends "f64"
      ? Float64Array
      : SlotNumbers;
};

const PAGE = 65_536;
/** A kernel keeps its constants before this address. Up to the next page there is room for what it is given from elsewhere. */
export const SCRATCH_ADDRESS = 4096;

export class SlotMemory<C extends SlotColumns> {
  readonly columns: C;
  private readonly names: readonly string[];
  /** The arrays, by name: another object after each `resize`. */
  arrays = {} as SlotArrays<C>;
  /** The memory that the arrays are in, if it is one of WebAssembly, and the slots of the parents in there. */
  wasm: WebAssembly.Memory | undefined;
  parents = new Int32Array(0);

  constructor(columns: C) {
    this.columns = columns;
    this.names = Object.keys(columns);
    this.resize(0, false);
  }

  /** Replaces the arrays by ones of this many slots, one behind the other. Values stay. */
  resize(capacity: number, inWasm: boolean): void {
    const before: { readonly [name: string]: SlotNumbers } = this.arrays;
    let end = PAGE;
    const layout = Object.entries(this.columns).map(([name, { type, width, spare = 0 }]) => {
      const Numbers = type === "f32" ? Float32Array : Float64Array;
      const length = (capacity + spare) * width;
      const begin = end;
      end = (end + length * Numbers.BYTES_PER_ELEMENT + 63) & -64;
      return { name, Numbers, begin, length };
    });
    if (inWasm) {
      this.wasm = new WebAssembly.Memory({ initial: Math.ceil((end + capacity * 4) / PAGE) });
      this.parents = new Int32Array(this.wasm.buffer, end, capacity);
    }
    const buffer = this.wasm?.buffer;
    const arrays = layout.map(({ name, Numbers, begin, length }) => {
      const array = buffer === undefined ? new Numbers(length) : new Numbers(buffer, begin, length);
      if (name in before) array.set(before[name].subarray(0, length));
      return [name, array];
    });
    this.arrays = Object.fromEntries(arrays) as SlotArrays<C>;
  }

  /** Copies the numbers of slot `from` to slot `to`: those of the first `columnCount` columns. */
  move(from: number, to: number, columnCount: number): void {
    const { names, columns, arrays } = this;
    for (let c = 0; c < columnCount; c++) {
      const { width } = columns[names[c]];
      const array = arrays[names[c]];
      for (let k = 0; k < width; k++) array[to * width + k] = array[from * width + k];
    }
  }

  permute(moves: SlotMoves, columnCount: number): void {
    for (const name of this.names.slice(0, columnCount)) {
      const { width } = this.columns[name];
      permute(this.arrays[name], width, moves);
    }
  }
}
