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

/** Where arrays begin in a WebAssembly memory; a kernel keeps its constants before. */
export const FIRST_ADDRESS = 4096;
const PAGE = 65_536;

export class SlotMemory<C extends SlotColumns> {
  readonly columns: C;
  private readonly names: readonly string[];
  /** The arrays, by name: another object after each `resize`. */
  arrays: SlotArrays<C>;
  /** The memory that the arrays are in, if it is one of WebAssembly. */
  wasm: WebAssembly.Memory | undefined;
  capacity = 0;
  /** Bytes at the end for whatever a kernel is given from elsewhere, and where they begin. */
  scratchSize = 0;
  scratchAt = 0;

  constructor(columns: C) {
    this.columns = columns;
    this.names = Object.keys(columns);
    this.arrays = this.createArrays((type) => (type === "f32" ? new Float32Array(0) : new Float64Array(0)));
  }

  /** Replaces the arrays by ones of this many slots, with room for `scratchSize` bytes behind them. Values stay. */
  resize(capacity: number, inWasm: boolean, scratchSize: number): void {
    const before = this.arrays;
    this.capacity = capacity;
    this.scratchSize = scratchSize;
    this.arrays = inWasm ? this.layOut() : this.createArrays(createPlain(capacity));
    for (const name of this.names) this.arrays[name].set(before[name]);
  }

  /** Copies the numbers of slot `from` to slot `to`. */
  move(from: number, to: number): void {
    const { names, columns, arrays } = this;
    for (let c = 0; c < names.length; c++) {
      const { width } = columns[names[c]];
      const array = arrays[names[c]];
      for (let k = 0; k < width; k++) array[to * width + k] = array[from * width + k];
    }
  }

  permute(moves: SlotMoves): void {
    for (const name of this.names) {
      const { width } = this.columns[name];
      permute(this.arrays[name], width, moves);
    }
  }

  /** One array behind the other, then the scratch room. */
  private layOut(): SlotArrays<C> {
    const { capacity, columns } = this;
    let end = FIRST_ADDRESS;
    const begins: number[] = [];
    for (const { type, width, spare = 0 } of Object.values(columns)) {
      begins.push(end);
      end = aligned(end + (capacity + spare) * width * (type === "f32" ? 4 : 8));
    }
    this.scratchAt = end;
    const wasm = new WebAssembly.Memory({ initial: Math.ceil((end + this.scratchSize) / PAGE) });
    this.wasm = wasm;
    let next = 0;
    return this.createArrays((type, width, spare) => {
      const Numbers = type === "f32" ? Float32Array : Float64Array;
      return new Numbers(wasm.buffer, begins[next++], (capacity + spare) * width);
    });
  }

  private createArrays(
    create: (type: "f32" | "f64", width: number, spare: number) => SlotNumbers,
  ): SlotArrays<C> {
    const entries = Object.entries(this.columns).map(([name, { type, width, spare = 0 }]) => [
      name,
      create(type, width, spare),
    ]);
    return Object.fromEntries(entries) as SlotArrays<C>;
  }
}

function createPlain(capacity: number) {
  return (type: "f32" | "f64", width: number, spare: number): SlotNumbers =>
    new (type === "f32" ? Float32Array : Float64Array)((capacity + spare) * width);
}

function aligned(address: number): number {
  return (address + 63) & -64;
}
