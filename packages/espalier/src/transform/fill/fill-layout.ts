/**
 * The forms in which a world transform is written into a buffer of another program.
 */
import type { MatrixSpace } from "../spaces/matrix-space.ts";
import { isPlane } from "./world-rows.ts";

/** Floats per entity: see `FillOptions.width`. */
export type FillWidth = 6 | 9 | 12 | 16;

/** The plane in which the plane of a 2D space lies: facing the viewer, or on the ground, with y of 2D along z. */
export type FillPlane = "xy" | "xz";

/** Writes the record of a space at `values[at]` to `out[o]`. */
export type WriteRow = (
  values: Float32Array | Float64Array,
  at: number,
  out: Float32Array | Float64Array | number[],
  o: number,
) => void;

/** How records of `space` are written with so many floats each. */
export function writerFor(space: MatrixSpace, width: FillWidth, plane: FillPlane): WriteRow {
  if (!isPlane(space)) return { 6: write3As6, 9: write3As9, 12: write3As12, 16: write3As16 }[width];
  if (plane === "xz")
    return { 6: write2As6, 9: write2As9, 12: write2As12Ground, 16: write2As16Ground }[width];
  return { 6: write2As6, 9: write2As9, 12: write2As12, 16: write2As16 }[width];
}

/** Where in a row each number of a record of this width is; -1 for those that are not. The last one is in the row. */
export function offsetsOf(write: WriteRow, width: number): Int8Array {
  // None of them is 0 or 1, which rows have of their own.
  const record = Float64Array.from({ length: width }, (_, k) => k + 2);
  const row = new Float64Array(16);
  write(record, 0, row, 0);
  const offsets = Array.from(record, (number) => row.indexOf(number));
  while (offsets.at(-1) === -1) offsets.pop();
  return Int8Array.from(offsets);
}

// The functions below repeat themselves on purpose: each is the body of a loop over all entities, without a table of
// positions to look into.

const write2As6: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = values[at + 2];
  out[o + 3] = values[at + 3];
  out[o + 4] = values[at + 4];
  out[o + 5] = values[at + 5];
};

const write2As9: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = 0;
  out[o + 3] = values[at + 2];
  out[o + 4] = values[at + 3];
  out[o + 5] = 0;
  out[o + 6] = values[at + 4];
  out[o + 7] = values[at + 5];
  out[o + 8] = 1;
};

const write2As12: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = 0;
  out[o + 3] = values[at + 2];
  out[o + 4] = values[at + 3];
  out[o + 5] = 0;
  out[o + 6] = 0;
  out[o + 7] = 0;
  out[o + 8] = 1;
  out[o + 9] = values[at + 4];
  out[o + 10] = values[at + 5];
  out[o + 11] = 0;
};

const write2As12Ground: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = 0;
  out[o + 2] = values[at + 1];
  out[o + 3] = 0;
  out[o + 4] = 1;
  out[o + 5] = 0;
  out[o + 6] = values[at + 2];
  out[o + 7] = 0;
  out[o + 8] = values[at + 3];
  out[o + 9] = values[at + 4];
  out[o + 10] = 0;
  out[o + 11] = values[at + 5];
};

const write2As16: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = 0;
  out[o + 3] = 0;
  out[o + 4] = values[at + 2];
  out[o + 5] = values[at + 3];
  out[o + 6] = 0;
  out[o + 7] = 0;
  out[o + 8] = 0;
  out[o + 9] = 0;
  out[o + 10] = 1;
  out[o + 11] = 0;
  out[o + 12] = values[at + 4];
  out[o + 13] = values[at + 5];
  out[o + 14] = 0;
  out[o + 15] = 1;
};

const write2As16Ground: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = 0;
  out[o + 2] = values[at + 1];
  out[o + 3] = 0;
  out[o + 4] = 0;
  out[o + 5] = 1;
  out[o + 6] = 0;
  out[o + 7] = 0;
  out[o + 8] = values[at + 2];
  out[o + 9] = 0;
  out[o + 10] = values[at + 3];
  out[o + 11] = 0;
  out[o + 12] = values[at + 4];
  out[o + 13] = 0;
  out[o + 14] = values[at + 5];
  out[o + 15] = 1;
};

const write3As6: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = values[at + 3];
  out[o + 3] = values[at + 4];
  out[o + 4] = values[at + 9];
  out[o + 5] = values[at + 10];
};

const write3As9: WriteRow = (values, at, out, o) => {
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = values[at + 2];
  out[o + 3] = values[at + 3];
  out[o + 4] = values[at + 4];
  out[o + 5] = values[at + 5];
  out[o + 6] = values[at + 6];
  out[o + 7] = values[at + 7];
  out[o + 8] = values[at + 8];
};

const write3As12: WriteRow = (values, at, out, o) => {
  write3As9(values, at, out, o);
  out[o + 9] = values[at + 9];
  out[o + 10] = values[at + 10];
  out[o + 11] = values[at + 11];
};

const write3As16: WriteRow = (values, from, out, to) => {
  // V8 sees that adding a few to numbers that small does not overflow, and leaves 26 checks out. A longer buffer would take 4 GB.
  const at = from & 0x3fffffff;
  const o = to & 0x3fffffff;
  out[o] = values[at];
  out[o + 1] = values[at + 1];
  out[o + 2] = values[at + 2];
  out[o + 3] = 0;
  out[o + 4] = values[at + 3];
  out[o + 5] = values[at + 4];
  out[o + 6] = values[at + 5];
  out[o + 7] = 0;
  out[o + 8] = values[at + 6];
  out[o + 9] = values[at + 7];
  out[o + 10] = values[at + 8];
  out[o + 11] = 0;
  out[o + 12] = values[at + 9];
  out[o + 13] = values[at + 10];
  out[o + 14] = values[at + 11];
  out[o + 15] = 1;
};
