// The 2D kernels in AssemblyScript. `npm run wasm` compiles them into src/transform/kernel-2d-bytes.ts.
//
// The same operations in the same order as in `kernel-2d.ts` and `linear.ts` of that folder, so that both give the same
// bits: no fused multiply-add, no reordering. Matrices are multiplied in 32 bits, trigonometry is done in 64.
//
// Addresses are of slot 0. A local record has 40 bytes (x, y, rotation, scaleX, scaleY, skew, a, b, c, d), a world record
// 32 (a, b, c, d, x, y and two spare), a parent 4.

/** `world = parent's world * local` for slots from..to - 1, in order. */
export function propagate(local: usize, world: usize, parent: usize, from: i32, to: i32): void {
  let l = local + <usize>from * 40;
  let w = world + ((<usize>from) << 5);
  let at = parent + ((<usize>from) << 2);
  const end = parent + ((<usize>to) << 2);
  while (at < end) {
    const p = world + ((<usize>load<i32>(at)) << 5);
    const own = v128.load(l, 24); // a b c d
    const ab = v128.load64_splat(p); // of the parent: a b a b
    const cd = v128.load64_splat(p, 8); // c d c d
    v128.store(
      w,
      f32x4.add(
        f32x4.mul(ab, v128.shuffle<f32>(own, own, 0, 0, 2, 2)),
        f32x4.mul(cd, v128.shuffle<f32>(own, own, 1, 1, 3, 3)),
      ),
    );
    const moved = f32x4.add(
      f32x4.mul(ab, v128.load32_splat(l)), // x
      f32x4.mul(cd, v128.load32_splat(l, 4)), // y
    );
    v128.store64_lane(w, f32x4.add(moved, v128.load64_zero(p, 16)), 0, 16);
    l += 40;
    w += 32;
    at += 4;
  }
}

// Constants come from memory: V8 builds a vector constant anew wherever it stands, which costs four instructions.
const TABLE: usize = memory.data<f64>([
  0.6366197723675814, 6755399441055744, 1.5707963267341256, 6.077100506506192e-11, 0.0000027525562,
  -0.000198412595, 0.00833333331, -0.16666666666, 2.701e-7, 0.0000248010406, -0.00138888884, 0.0416666666, 1,
  0.5, 100000, -0.0,
]);
const ONE: usize = memory.data<i64>([1]);

function constant(index: usize): v128 {
  return v128.load64_splat(TABLE + (index << 3));
}

/**
 * Computes a, b, c, d of the local records from..to - 1, two at a time; of an odd number of them, of the record behind
 * them too. Gives 1 if there is a rotation that is too large to be computed here.
 */
export function composeLinear(local: usize, from: i32, to: i32): i32 {
  let l = local + <usize>from * 40;
  const end = local + <usize>to * 40;
  let large = i64x2.splat(0);
  while (l < end) {
    const first = v128.load(l, 8); // rotation scaleX scaleY skew
    const second = v128.load(l, 48);
    const low = v128.shuffle<f32>(first, second, 0, 4, 1, 5); // both rotations, both scaleX
    const high = v128.shuffle<f32>(first, second, 2, 6, 3, 7); // both scaleY, both skews
    const angle = f64x2.promote_low_f32x4(low);
    large = v128.or(large, f64x2.ge(f64x2.abs(angle), constant(14)));
    // Adding 1.5 * 2^52 rounds to an integer, which the lowest bits then hold.
    const shifted = f64x2.add(f64x2.mul(angle, constant(0)), constant(1));
    const quarter = f64x2.sub(shifted, constant(1));
    const r = f64x2.sub(f64x2.sub(angle, f64x2.mul(quarter, constant(2))), f64x2.mul(quarter, constant(3)));
    const z = f64x2.mul(r, r);
    let s = f64x2.add(constant(5), f64x2.mul(z, constant(4)));
    s = f64x2.add(constant(6), f64x2.mul(z, s));
    s = f64x2.add(constant(7), f64x2.mul(z, s));
    s = f64x2.add(r, f64x2.mul(f64x2.mul(r, z), s));
    let c = f64x2.sub(constant(9), f64x2.mul(z, constant(8)));
    c = f64x2.add(constant(10), f64x2.mul(z, c));
    c = f64x2.add(constant(11), f64x2.mul(z, c));
    c = f64x2.add(f64x2.sub(constant(12), f64x2.mul(constant(13), z)), f64x2.mul(f64x2.mul(z, z), c));
    // Odd quarters exchange sine and cosine; the signs follow from the quarter too.
    const one = v128.load64_splat(ONE);
    const exchange = v128.and(v128.xor(s, c), i64x2.eq(v128.and(shifted, one), one));
    const negative = v128.and(i64x2.shl(shifted, 62), constant(15));
    const sin = v128.xor(v128.xor(s, exchange), negative);
    const cos = v128.xor(v128.xor(c, exchange), v128.xor(negative, i64x2.shl(shifted, 63)));
    const scaleX = f64x2.promote_low_f32x4(v128.shuffle<f32>(low, low, 2, 3, 2, 3));
    const scaleY = f64x2.promote_low_f32x4(high);
    const skew = f64x2.promote_low_f32x4(v128.shuffle<f32>(high, high, 2, 3, 2, 3));
    const a = f32x4.demote_f64x2_zero(f64x2.mul(cos, scaleX));
    const b = f32x4.demote_f64x2_zero(f64x2.mul(sin, scaleX));
    const x = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.sub(f64x2.mul(skew, cos), sin), scaleY));
    const y = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.add(f64x2.mul(skew, sin), cos), scaleY));
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const cd = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
    v128.store(l, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), 24);
    v128.store(l, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 64);
    l += 80;
  }
  return v128.any_true(large) ? 1 : 0;
}
