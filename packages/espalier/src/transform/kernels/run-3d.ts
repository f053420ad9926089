/**
 * One world record of three dimensions from one parent record, `world = parent's world * local`, and the loop over a run of slots.
 *
 * The same operations in the same order as in the WebAssembly kernel, in 64 bits, so that both give the same bits.
 */
import type { SlotLoop, SlotNumbers } from "../../inherit/internal.ts";

/** Makes the loop for these records: the plain twin of the WebAssembly kernel, for short runs and where there is none. */
export function createRun3D(local: SlotNumbers, world: SlotNumbers): SlotLoop {
  return (parent, from, to) => {
    for (let slot = from; slot < to; slot++) {
      // Products that are truncated to 32 bits need no overflow check.
      multiply3D(local, Math.imul(slot, 10), world, Math.imul(parent[slot], 12), world, Math.imul(slot, 12));
    }
  };
}

/** The record at `parent[p]` times the local record at `local[l]`, into `out[o]`; all may be one array. */
export function multiply3D(
  local: SlotNumbers,
  l: number,
  v: SlotNumbers,
  p: number,
  out: SlotNumbers,
  o: number,
): void {
  const ax = local[l + 3];
  const ay = local[l + 4];
  const az = local[l + 5];
  const aw = local[l + 6];
  const square = ax * ax + ay * ay + az * az + aw * aw;
  // Much slower, but without overflow and underflow. A quaternion whose proportions are lost turns nothing.
  const length = square > 1e-200 && square < 1e200 ? Math.sqrt(square) : Math.hypot(ax, ay, az, aw);
  const factor = length < 1e-300 ? 0 : 1 / length;
  const bx = ax * factor;
  const by = ay * factor;
  const bz = az * factor;
  const bw = aw * factor;
  const sx = local[l + 7];
  const sy = local[l + 8];
  const sz = local[l + 9];
  const l0 = (1 - 2 * (by * by + bz * bz)) * sx;
  const l1 = 2 * (bx * by + bw * bz) * sx;
  const l2 = 2 * (bx * bz - bw * by) * sx;
  const l3 = 2 * (bx * by - bw * bz) * sy;
  const l4 = (1 - 2 * (bx * bx + bz * bz)) * sy;
  const l5 = 2 * (by * bz + bw * bx) * sy;
  const l6 = 2 * (bx * bz + bw * by) * sz;
  const l7 = 2 * (by * bz - bw * bx) * sz;
  const l8 = (1 - 2 * (bx * bx + by * by)) * sz;
  const px = local[l];
  const py = local[l + 1];
  const pz = local[l + 2];
  const xx = v[p];
  const xy = v[p + 1];
  const xz = v[p + 2];
  const yx = v[p + 3];
  const yy = v[p + 4];
  const yz = v[p + 5];
  const zx = v[p + 6];
  const zy = v[p + 7];
  const zz = v[p + 8];
  out[o] = xx * l0 + yx * l1 + zx * l2;
  out[o + 1] = xy * l0 + yy * l1 + zy * l2;
  out[o + 2] = xz * l0 + yz * l1 + zz * l2;
  out[o + 3] = xx * l3 + yx * l4 + zx * l5;
  out[o + 4] = xy * l3 + yy * l4 + zy * l5;
  out[o + 5] = xz * l3 + yz * l4 + zz * l5;
  out[o + 6] = xx * l6 + yx * l7 + zx * l8;
  out[o + 7] = xy * l6 + yy * l7 + zy * l8;
  out[o + 8] = xz * l6 + yz * l7 + zz * l8;
  out[o + 9] = xx * px + yx * py + zx * pz + v[p + 9];
  out[o + 10] = xy * px + yy * py + zy * pz + v[p + 10];
  out[o + 11] = xz * px + yz * py + zz * pz + v[p + 11];
}
