// The 2D kernels in AssemblyScript. `npm run wasm` compiles them into src/transform/kernels/kernel-2d-bytes.ts.
//
// The same operations in the same order as in `run-2d.ts` and `local-matrix-2d.ts`, so that both give the same bits:
// everything is computed in 64 bits and rounded once, when it is stored; no fused multiply-add, no reordering.
//
// Addresses are of slot 0. A local record has 40 bytes (x, y, rotation, scaleX, scaleY, skew, a, b, c, d), a world record
// 32 (a, b, c, d, x, y and two spare), a parent 4.

/** `world = parent's world * local` for slots from..to - 1, in order. Returns `to`. */
export function propagate(local: usize, world: usize, parent: usize, from: i32, to: i32): i32 {
  let l = local + <usize>from * 40;
  let w = world + ((<usize>from) << 5);
  let at = parent + ((<usize>from) << 2);
  const end = parent + ((<usize>to) << 2);
  while (at < end) {
    const p = world + ((<usize>load<i32>(at)) << 5);
    const ab = wide(v128.load64_zero(p));
    const cd = wide(v128.load64_zero(p, 8));
    const xy = wide(v128.load64_zero(p, 16));
    const a = wide(v128.load32_splat(l, 24));
    const b = wide(v128.load32_splat(l, 28));
    const c = wide(v128.load32_splat(l, 32));
    const d = wide(v128.load32_splat(l, 36));
    const x = wide(v128.load32_splat(l));
    const y = wide(v128.load32_splat(l, 4));
    v128.store64_lane(w, narrow(f64x2.add(f64x2.mul(ab, a), f64x2.mul(cd, b))), 0);
    v128.store64_lane(w, narrow(f64x2.add(f64x2.mul(ab, c), f64x2.mul(cd, d))), 0, 8);
    v128.store64_lane(w, narrow(f64x2.add(f64x2.add(f64x2.mul(ab, x), f64x2.mul(cd, y)), xy)), 0, 16);
    l += 40;
    w += 32;
    at += 4;
  }
  return to;
}

/** Two floats as 64-bit numbers. */
function wide(floats: v128): v128 {
  return f64x2.promote_low_f32x4(floats);
}

/** And back. */
function narrow(values: v128): v128 {
  return f32x4.demote_f64x2_zero(values);
}

// Constants come from memory: V8 builds a vector constant anew wherever it stands, which costs four instructions.
const TABLE: usize = memory.data<f64>([
  0.6366197723675814, 6755399441055744, 1.5707963267341256, 6.077100506506192e-11, -0.16666666641626524,
  0.008333329385889463, -0.00019839334836096632, 0.0000027183114939898219, -0.499999997251031,
  0.04166662332373906, -0.001388676377460993, 0.000024390448796277409, 1, -0.0,
]);

function constant(index: usize): v128 {
  return v128.load64_splat(TABLE + (index << 3));
}

/**
 * Computes a, b, c, d of four local records, at these addresses, from their rotation, scaleX, scaleY, skew. Gives the bits
 * of the largest rotations, see `isLarge`, in the first two lanes.
 *
 * Four, in two pairs, step by step: so each constant is fetched once for both.
 */
function compose(
  at0: usize,
  at1: usize,
  at2: usize,
  at3: usize,
  record0: v128,
  record1: v128,
  record2: v128,
  record3: v128,
): v128 {
  const lowA = v128.shuffle<f32>(record0, record1, 0, 4, 1, 5); // both rotations, both scaleX
  const lowB = v128.shuffle<f32>(record2, record3, 0, 4, 1, 5);
  const angleA = f64x2.promote_low_f32x4(lowA);
  const angleB = f64x2.promote_low_f32x4(lowB);
  // Adding 1.5 * 2^52 rounds to an integer, which the lowest bits then hold.
  const perQuarter = constant(0);
  const round = constant(1);
  const shiftedA = f64x2.add(f64x2.mul(angleA, perQuarter), round);
  const shiftedB = f64x2.add(f64x2.mul(angleB, perQuarter), round);
  const halfPiHigh = constant(2);
  const halfPiLow = constant(3);
  const rA = rest(angleA, f64x2.sub(shiftedA, round), halfPiHigh, halfPiLow);
  const rB = rest(angleB, f64x2.sub(shiftedB, round), halfPiHigh, halfPiLow);
  const zA = f64x2.mul(rA, rA);
  const zB = f64x2.mul(rB, rB);
  const zzA = f64x2.mul(zA, zA);
  const zzB = f64x2.mul(zB, zB);
  const s1 = constant(4);
  const s2 = constant(5);
  const s3 = constant(6);
  const s4 = constant(7);
  const sinA = sine(rA, zA, zzA, s1, s2, s3, s4);
  const sinB = sine(rB, zB, zzB, s1, s2, s3, s4);
  const c0 = constant(12);
  const c1 = constant(8);
  const c2 = constant(9);
  const c3 = constant(10);
  const c4 = constant(11);
  const cosA = cosine(zA, zzA, c0, c1, c2, c3, c4);
  const cosB = cosine(zB, zzB, c0, c1, c2, c3, c4);
  const sign = constant(13);
  // Behind the rotations and scaleX come both scaleY and both skews.
  storeLinear(at0, at1, lowA, v128.shuffle<f32>(record0, record1, 2, 6, 3, 7), shiftedA, sinA, cosA, sign);
  storeLinear(at2, at3, lowB, v128.shuffle<f32>(record2, record3, 2, 6, 3, 7), shiftedB, sinB, cosB, sign);
  return i32x4.max_u(i32x4.shl(lowA, 1), i32x4.shl(lowB, 1));
}

/** 1 if one of the first two lanes holds the bits of a float of 100,000 or more, without its sign; 0 otherwise. */
function isLarge(bits: v128): i32 {
  const limit = i32x4.splat(reinterpret<i32>(<f32>100000) << 1);
  return i64x2.extract_lane(i32x4.ge_u(bits, limit), 0) !== 0 ? 1 : 0;
}

/** What is left of an angle after so many quarters of a turn. */
// inline
function rest(angle: v128, quarter: v128, high: v128, low: v128): v128 {
  return f64x2.sub(f64x2.sub(angle, f64x2.mul(quarter, high)), f64x2.mul(quarter, low));
}

// In pairs of terms: each waits for fewer before it.

// inline
function sine(r: v128, z: v128, zz: v128, s1: v128, s2: v128, s3: v128, s4: v128): v128 {
  const low = f64x2.add(s1, f64x2.mul(z, s2));
  const high = f64x2.add(s3, f64x2.mul(z, s4));
  return f64x2.add(r, f64x2.mul(f64x2.mul(r, z), f64x2.add(low, f64x2.mul(zz, high))));
}

// inline
function cosine(z: v128, zz: v128, c0: v128, c1: v128, c2: v128, c3: v128, c4: v128): v128 {
  const low = f64x2.add(c0, f64x2.mul(z, c1));
  const high = f64x2.add(c2, f64x2.mul(z, c3));
  return f64x2.add(low, f64x2.mul(zz, f64x2.add(high, f64x2.mul(zz, c4))));
}

/** Stores a, b, c, d of two records, given sine and cosine of what is left of their angles, and the quarters. */
// inline
function storeLinear(
  at0: usize,
  at1: usize,
  low: v128,
  high: v128,
  shifted: v128,
  s: v128,
  c: v128,
  sign: v128,
): void {
  // Odd quarters exchange sine and cosine; the signs follow from the quarter too.
  const odd = i64x2.shl(shifted, 63);
  const exchange = v128.and(v128.xor(s, c), i64x2.lt_s(odd, i64x2.splat(0)));
  const negative = v128.and(i64x2.shl(shifted, 62), sign);
  const sin = v128.xor(v128.xor(s, exchange), negative);
  const cos = v128.xor(v128.xor(c, exchange), v128.xor(negative, odd));
  const scaleX = f64x2.promote_low_f32x4(v128.shuffle<f32>(low, low, 2, 3, 2, 3));
  const scaleY = f64x2.promote_low_f32x4(high);
  const skew = f64x2.promote_low_f32x4(v128.shuffle<f32>(high, high, 2, 3, 2, 3));
  const a = f32x4.demote_f64x2_zero(f64x2.mul(cos, scaleX));
  const b = f32x4.demote_f64x2_zero(f64x2.mul(sin, scaleX));
  const x = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.sub(f64x2.mul(skew, cos), sin), scaleY));
  const y = f32x4.demote_f64x2_zero(f64x2.mul(f64x2.add(f64x2.mul(skew, sin), cos), scaleY));
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
  v128.store(at0, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), 24);
  v128.store(at1, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 24);
}

/**
 * Computes a, b, c, d of the local records from..to - 1, four at a time, so that up to three behind them are computed too.
 * Gives 1 if there is a rotation that is too large to be computed here.
 */
export function composeAll(local: usize, from: i32, to: i32): i32 {
  let l = local + <usize>from * 40;
  const end = local + <usize>to * 40;
  let most = i64x2.splat(0);
  while (l < end) {
    const first = v128.load(l, 8);
    const second = v128.load(l, 48);
    const third = v128.load(l, 88);
    const fourth = v128.load(l, 128);
    most = i32x4.max_u(most, compose(l, l + 40, l + 80, l + 120, first, second, third, fourth));
    l += 160;
  }
  return isLarge(most);
}

/**
 * Writes rows of `width` floats (3: x, y, rotation; 5: and scaleX, scaleY; 6: and skew) to the records of the listed slots.
 */
export function writeRows(local: usize, slots: usize, rows: usize, width: i32, count: i32): i32 {
  const stride = (<usize>width) << 2;
  const end = slots + ((<usize>count) << 2);
  let row = rows;
  for (let at = slots; at < end; at += 4) {
    const l = local + <usize>load<i32>(at) * 40;
    store<i64>(l, load<i64>(row));
    if (width === 3) store<i32>(l, load<i32>(row, 8), 8);
    else {
      store<i64>(l, load<i64>(row, 8), 8);
      if (width === 5) store<i32>(l, load<i32>(row, 16), 16);
      else store<i64>(l, load<i64>(row, 16), 16);
    }
    row += stride;
  }
  return 0;
}

/**
 * Whether all floats are finite; reads up to fifteen more, which must be. Without their signs floats are in the order of
 * their bits, and those that are not finite come last.
 */
export function areFinite(values: usize, count: i32): i32 {
  const end = values + ((<usize>count) << 2);
  let most = i64x2.splat(0);
  for (let at = values; at < end; at += 64) {
    const low = i32x4.max_u(i32x4.shl(v128.load(at), 1), i32x4.shl(v128.load(at, 16), 1));
    const high = i32x4.max_u(i32x4.shl(v128.load(at, 32), 1), i32x4.shl(v128.load(at, 48), 1));
    most = i32x4.max_u(most, i32x4.max_u(low, high));
  }
  return v128.any_true(i32x4.ge_u(most, i32x4.splat(0xff000000))) ? 0 : 1;
}
