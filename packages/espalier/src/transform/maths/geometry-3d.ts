/**
 * The records of three dimensions, in 64 bits, and the kernel pair that computes them. Nothing is derived from the fields before a
 * pass: a quaternion becomes a matrix on the way.
 */
import { lazyModule, type SlotNumbers, WRITTEN } from "../../inherit/internal.ts";
import { createRun3D } from "../kernels/run-3d.ts";
import { compose3DRecord, LOCAL_WIDTH_3D, WORLD_WIDTH_3D } from "./compose-3d.ts";
import type { Geometry } from "./geometry.ts";
import { identity3D, type Local3D } from "./matrix3d.ts";

export const geometry3D: Geometry = {
  fields: ["x", "y", "z", "qx", "qy", "qz", "qw", "scaleX", "scaleY", "scaleZ"],
  initial: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
  root: identity3D,
  worldSize: WORLD_WIDTH_3D,
  rowWidths: [3, 7, 10],
  isSpecial: false,
  pair: {
    columns: { local: { type: "f64", width: LOCAL_WIDTH_3D }, world: { type: "f64", width: WORLD_WIDTH_3D } },
    createLoop: ({ local, world }) => createRun3D(local, world),
    module: /* @__PURE__ */ lazyModule(async () => (await import("../kernels/kernel-3d-bytes.ts")).kernel3D),
    loop: "propagate",
  },
  give,
  write,
  compose: compose3DRecord,
};

function give(values: object, given: SlotNumbers): void {
  const local = values as Local3D;
  given[0] = local.x;
  given[1] = local.y;
  given[2] = local.z;
  given[3] = local.qx;
  given[4] = local.qy;
  given[5] = local.qz;
  given[6] = local.qw;
  given[7] = local.scaleX;
  given[8] = local.scaleY;
  given[9] = local.scaleZ;
}

/** Position, rotation, scale, or all of them. Without loops, which take twice as long. */
function write(local: SlotNumbers, l: number, given: SlotNumbers, first: number, end: number): number {
  if (end - first === LOCAL_WIDTH_3D) {
    if (zeroOf3(given, 0) + zeroOf4(given, 3) + zeroOf3(given, 7) !== 0) return -1;
    return write3(local, l, given, 0) | write4(local, l, given, 3) | write3(local, l, given, 7);
  }
  if (first === 3) return zeroOf4(given, 3) === 0 ? write4(local, l, given, 3) : -1;
  return zeroOf3(given, first) === 0 ? write3(local, l, given, first) : -1;
}

/** 0 where three numbers are finite: multiplying by 0 finds NaN and the infinities. */
function zeroOf3(given: SlotNumbers, f: number): number {
  return given[f] * 0 + given[f + 1] * 0 + given[f + 2] * 0;
}

function zeroOf4(given: SlotNumbers, f: number): number {
  return given[f] * 0 + given[f + 1] * 0 + (given[f + 2] * 0 + given[f + 3] * 0);
}

/** Writes three fields of the record at `l`. Returns the marks that follow. */
function write3(local: SlotNumbers, l: number, given: SlotNumbers, f: number): number {
  const a = given[f];
  const b = given[f + 1];
  const c = given[f + 2];
  if (local[l + f] === a && local[l + f + 1] === b && local[l + f + 2] === c) return 0;
  local[l + f] = a;
  local[l + f + 1] = b;
  local[l + f + 2] = c;
  return WRITTEN;
}

function write4(local: SlotNumbers, l: number, given: SlotNumbers, f: number): number {
  const last = given[f + 3];
  if (write3(local, l, given, f) === 0 && local[l + f + 3] === last) return 0;
  local[l + f + 3] = last;
  return WRITTEN;
}
