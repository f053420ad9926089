// The 2D kernels in AssemblyScript. `npm run wasm` compiles them into src/transform/kernel-2d-bytes.ts.
//
// The same operations in the same order as in `run.ts` and `linear.ts` of that folder, so that both give the same bits:
// everything is computed in 64 bits and rounded once, when it is stored; no fused multiply-add, no reordering.
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
    const ab = two(p);
    const cd = two(p + 8);
    const xy = two(p + 16);
    store64(w, f64x2.add(f64x2.mul(ab, one(l + 24)), f64x2.mul(cd, one(l + 28))));
    store64(w + 8, f64x2.add(f64x2.mul(ab, one(l + 32)), f64x2.mul(cd, one(l + 36))));
    store64(w + 16, f64x2.add(f64x2.add(f64x2.mul(ab, one(l)), f64x2.mul(cd, one(l + 4))), xy));
    l += 40;
    w += 32;
    at += 4;
  }
}

/** Two floats, as 64-bit numbers. */
function two(address: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(address));
}

/** One float, twice. */
function one(address: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load32_splat(address));
}

function store64(address: usize, values: v128): void {
  v128.store64_lane(address, f32x4.demote_f64x2_zero(values), 0);
}

// Constants come from memory: V8 builds a vector constant anew wherever it stands, which costs four instructions.
const TABLE: usize = memory.data<f64>([
  0.6366197723675814, 6755399441055744, 1.5707963267341256, 6.077100506506192e-11, -0.16666666641626524,
  0.008333329385889463, -0.00019839334836096632, 0.0000027183114939898219, -0.499999997251031,
  0.04166662332373906, -0.001388676377460993, 0.000024390448796277409, 1, 100000, -0.0,
]);
const LOWEST: usize = memory.data<i64>([1]);

function constant(index: usize): v128 {
  return v128.load64_splat(TABLE + (index << 3));
}

/**
 * Computes a, b, c, d of two local records, `l` and `m`, from their rotation, scaleX, scaleY, skew. Gives a mask of those
 * whose rotation is too large to be computed here.
 */
function compose(l: usize, m: usize, first: v128, second: v128): v128 {
  const low = v128.shuffle<f32>(first, second, 0, 4, 1, 5); // both rotations, both scaleX
  const high = v128.shuffle<f32>(first, second, 2, 6, 3, 7); // both scaleY, both skews
  const angle = f64x2.promote_low_f32x4(low);
  // Adding 1.5 * 2^52 rounds to an integer, which the lowest bits then hold.
  const shifted = f64x2.add(f64x2.mul(angle, constant(0)), constant(1));
  const quarter = f64x2.sub(shifted, constant(1));
  const r = f64x2.sub(f64x2.sub(angle, f64x2.mul(quarter, constant(2))), f64x2.mul(quarter, constant(3)));
  const z = f64x2.mul(r, r);
  // In pairs of terms: each waits for fewer before it.
  const zz = f64x2.mul(z, z);
  const sinLow = f64x2.add(constant(4), f64x2.mul(z, constant(5)));
  const sinHigh = f64x2.add(constant(6), f64x2.mul(z, constant(7)));
  const s = f64x2.add(r, f64x2.mul(f64x2.mul(r, z), f64x2.add(sinLow, f64x2.mul(zz, sinHigh))));
  const cosLow = f64x2.add(constant(12), f64x2.mul(z, constant(8)));
  const cosHigh = f64x2.add(constant(9), f64x2.mul(z, constant(10)));
  const c = f64x2.add(cosLow, f64x2.mul(zz, f64x2.add(cosHigh, f64x2.mul(zz, constant(11)))));
  // Odd quarters exchange sine and cosine; the signs follow from the quarter too.
  const lowest = v128.load64_splat(LOWEST);
  const exchange = v128.and(v128.xor(s, c), i64x2.eq(v128.and(shifted, lowest), lowest));
  const negative = v128.and(i64x2.shl(shifted, 62), constant(14));
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
  v128.store(m, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 24);
  return f64x2.ge(f64x2.abs(angle), constant(13));
}

/**
 * Computes a, b, c, d of the local records from..to - 1; of an odd number of them, of the record behind them too. Gives 1
 * if there is a rotation that is too large to be computed here.
 */
export function composeAll(local: usize, from: i32, to: i32): i32 {
  let l = local + <usize>from * 40;
  const end = local + <usize>to * 40;
  let large = i64x2.splat(0);
  while (l < end) {
    large = v128.or(large, compose(l, l + 40, v128.load(l, 8), v128.load(l, 48)));
    l += 80;
  }
  return v128.any_true(large) ? 1 : 0;
}

/**
 * Writes rows of `width` floats (3: x, y, rotation; 5: and scaleX, scaleY; 6: and skew) to the records of the listed
 * slots and computes their a, b, c, d. Gives 1 if there is a rotation that is too large to be computed here.
 */
export function writeRows(local: usize, slots: usize, rows: usize, width: i32, count: i32): i32 {
  const stride = (<usize>width) << 2;
  let large = i64x2.splat(0);
  for (let k = 0; k < count; k += 2) {
    const next = min(k + 1, count - 1);
    const l = local + <usize>load<i32>(slots + ((<usize>k) << 2)) * 40;
    const m = local + <usize>load<i32>(slots + ((<usize>next) << 2)) * 40;
    const first = writeRow(l, rows + <usize>k * stride, width);
    const second = writeRow(m, rows + <usize>next * stride, width);
    large = v128.or(large, compose(l, m, first, second));
  }
  return v128.any_true(large) ? 1 : 0;
}

/** Writes one row and gives rotation, scaleX, scaleY, skew. */
function writeRow(l: usize, row: usize, width: i32): v128 {
  store<i64>(l, load<i64>(row));
  let values: v128;
  if (width === 5) values = v128.load32_lane(l, v128.load(row, 8), 3, 20);
  else if (width === 6) values = v128.load(row, 8);
  else values = v128.load32_lane(row, v128.load(l, 8), 0, 8);
  v128.store(l, values, 8);
  return values;
}

/** Whether all floats are finite; reads up to three more, which must be. */
export function areFinite(values: usize, count: i32): i32 {
  const end = values + ((<usize>count) << 2);
  let bad = i64x2.splat(0);
  for (let at = values; at < end; at += 16) {
    const four = v128.load(at);
    bad = v128.or(bad, f32x4.ne(f32x4.sub(four, four), f32x4.splat(0)));
  }
  return v128.any_true(bad) ? 0 : 1;
}
