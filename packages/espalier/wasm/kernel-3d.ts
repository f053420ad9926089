// The 3D kernel in AssemblyScript. `npm run wasm` compiles it into src/transform/kernels/kernel-3d-bytes.ts.
//
// The same operations in the same order as in `run-3d.ts` of that folder, in 64 bits, so that both give the same bits: no fused
// multiply-add, no reordering.
//
// Addresses are of slot 0. A local record has 80 bytes (x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ), a world record 96
// (three columns of the linear part, then the position), a parent 4.

/**
 * `world = parent's world * local` for slots from..to - 1, in order. Stops at a quaternion that is too large or too small to be
 * normalised here, and returns its slot; `to` otherwise.
 *
 * Two slots at a time: their quaternions become matrices side by side, one in each lane, which halves the cost of square roots
 * and divisions. Then the first is multiplied, then the second, because it may be the child of the first.
 */
export function propagate(local: usize, world: usize, parent: usize, from: i32, to: i32): i32 {
  const one = f64x2.splat(1);
  const two = f64x2.splat(2);
  const least = f64x2.splat(1e-200);
  const most = f64x2.splat(1e200);
  for (let slot = from; slot < to; slot += 2) {
    const a = local + <usize>slot * 80;
    // The last one is computed twice where they are odd.
    const isLast = slot + 1 === to;
    const b = isLast ? a : a + 80;
    const qx = pair(a, b, 24);
    const qy = pair(a, b, 32);
    const qz = pair(a, b, 40);
    const qw = pair(a, b, 48);
    const xs = f64x2.mul(qx, qx);
    const ys = f64x2.mul(qy, qy);
    const zs = f64x2.mul(qz, qz);
    const square = f64x2.add(f64x2.add(f64x2.add(xs, ys), zs), f64x2.mul(qw, qw));
    const isUsual = v128.and(f64x2.gt(square, least), f64x2.lt(square, most));
    if (!i64x2.all_true(isUsual)) {
      if (i64x2.extract_lane(isUsual, 0) === 0) return slot;
      // It is the second that cannot be computed here: the first alone.
      return propagate(local, world, parent, slot, slot + 1);
    }
    const factor = f64x2.div(one, f64x2.sqrt(square));
    const x = f64x2.mul(qx, factor);
    const y = f64x2.mul(qy, factor);
    const z = f64x2.mul(qz, factor);
    const w = f64x2.mul(qw, factor);
    const sx = pair(a, b, 56);
    const sy = pair(a, b, 64);
    const sz = pair(a, b, 72);
    const x2 = f64x2.mul(x, x);
    const y2 = f64x2.mul(y, y);
    const z2 = f64x2.mul(z, z);
    const xy = f64x2.mul(x, y);
    const wz = f64x2.mul(w, z);
    const xz = f64x2.mul(x, z);
    const wy = f64x2.mul(w, y);
    const yz = f64x2.mul(y, z);
    const wx = f64x2.mul(w, x);
    const l0 = f64x2.mul(f64x2.sub(one, f64x2.mul(two, f64x2.add(y2, z2))), sx);
    const l1 = f64x2.mul(f64x2.mul(two, f64x2.add(xy, wz)), sx);
    const l2 = f64x2.mul(f64x2.mul(two, f64x2.sub(xz, wy)), sx);
    const l3 = f64x2.mul(f64x2.mul(two, f64x2.sub(xy, wz)), sy);
    const l4 = f64x2.mul(f64x2.sub(one, f64x2.mul(two, f64x2.add(x2, z2))), sy);
    const l5 = f64x2.mul(f64x2.mul(two, f64x2.add(yz, wx)), sy);
    const l6 = f64x2.mul(f64x2.mul(two, f64x2.add(xz, wy)), sz);
    const l7 = f64x2.mul(f64x2.mul(two, f64x2.sub(yz, wx)), sz);
    const l8 = f64x2.mul(f64x2.sub(one, f64x2.mul(two, f64x2.add(x2, y2))), sz);
    const at = parent + ((<usize>slot) << 2);
    const out = world + <usize>slot * 96;
    multiply(
      world + <usize>load<i32>(at) * 96,
      out,
      a,
      first(l0, l3),
      first(l1, l4),
      first(l2, l5),
      first(l6, l6),
      first(l7, l7),
      first(l8, l8),
    );
    if (isLast) return to;
    multiply(
      world + <usize>load<i32>(at, 4) * 96,
      out + 96,
      b,
      second(l0, l3),
      second(l1, l4),
      second(l2, l5),
      second(l6, l6),
      second(l7, l7),
      second(l8, l8),
    );
  }
  return to;
}

/** The same field of two records. */
// inline
function pair(a: usize, b: usize, offset: usize): v128 {
  return v128.load64_lane(b + offset, v128.load64_zero(a + offset), 1);
}

// inline
function first(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}

// inline
function second(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

/**
 * Multiplies the parent's record at `p` by a local matrix, into `w`. The first two columns of the matrix are given side by side, a
 * row in each vector; the third as rows that are twice the same; its position stands at `l`.
 */
// inline
function multiply(
  p: usize,
  w: usize,
  l: usize,
  l03: v128,
  l14: v128,
  l25: v128,
  l6: v128,
  l7: v128,
  l8: v128,
): void {
  // The first two rows of each column together, then the third rows of two columns.
  const xs = v128.load(p);
  const ys = v128.load(p, 24);
  const zs = v128.load(p, 48);
  const px = v128.load64_splat(l);
  const py = v128.load64_splat(l, 8);
  const pz = v128.load64_splat(l, 16);
  v128.store(
    w,
    sum(
      xs,
      ys,
      zs,
      v128.shuffle<f64>(l03, l03, 0, 0),
      v128.shuffle<f64>(l14, l14, 0, 0),
      v128.shuffle<f64>(l25, l25, 0, 0),
    ),
  );
  v128.store(
    w,
    sum(
      xs,
      ys,
      zs,
      v128.shuffle<f64>(l03, l03, 1, 1),
      v128.shuffle<f64>(l14, l14, 1, 1),
      v128.shuffle<f64>(l25, l25, 1, 1),
    ),
    24,
  );
  v128.store(w, sum(xs, ys, zs, l6, l7, l8), 48);
  v128.store(w, f64x2.add(sum(xs, ys, zs, px, py, pz), v128.load(p, 72)), 72);
  const xz = v128.load64_splat(p, 16);
  const yz = v128.load64_splat(p, 40);
  const zz = v128.load64_splat(p, 64);
  const thirds = sum(xz, yz, zz, l03, l14, l25);
  v128.store64_lane(w, thirds, 0, 16);
  v128.store64_lane(w, thirds, 1, 40);
  const last = sum(
    xz,
    yz,
    zz,
    v128.shuffle<f64>(l6, px, 0, 2),
    v128.shuffle<f64>(l7, py, 0, 2),
    v128.shuffle<f64>(l8, pz, 0, 2),
  );
  v128.store64_lane(w, last, 0, 64);
  store<f64>(w, f64x2.extract_lane(last, 1) + load<f64>(p, 88), 88);
}

// inline
function sum(xs: v128, ys: v128, zs: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(xs, x), f64x2.mul(ys, y)), f64x2.mul(zs, z));
}
