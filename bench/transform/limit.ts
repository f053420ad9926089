// The bare loop in WASM SIMD (AssemblyScript): world = world of the parent x local, over slots in
// parents-first order. Built by `npm run build:limit` in bench/ into limit.wasm.mjs.
//
// Memory, by slot: locals, 8 floats (x, y, cos, sin, scale x, scale y, rotation, unused); worlds, 8
// floats (a, b, c, d, tx, ty, unused, unused); parents, one i32. A root has the parent slot 0, which is
// the identity and no node; the nodes are the slots from 1.

/** Slots `from` to `end` (excluded); their locals have cosine and sine. */
export function propagate(locals: usize, worlds: usize, parents: usize, from: i32, end: i32): void {
  const sign = f32x4(1, 1, -1, 1);
  let local = locals + ((<usize>from) << 5);
  let world = worlds + ((<usize>from) << 5);
  let parent = parents + ((<usize>from) << 2);
  const last = parents + ((<usize>end) << 2);
  while (parent < last) {
    const base = worlds + ((<usize>load<i32>(parent)) << 5);
    const first = v128.load(local); // x y cos sin
    const scales = v128.load64_zero(local, 16); // sx sy 0 0
    // [a b c d] of the local matrix: cos * sx, sin * sx, -sin * sy, cos * sy
    const turned = f32x4.mul(v128.shuffle<f32>(first, first, 2, 3, 3, 2), sign);
    const own = f32x4.mul(turned, v128.shuffle<f32>(scales, scales, 0, 0, 1, 1));
    const matrix = v128.load(base); // A B C D
    const ab = v128.shuffle<f32>(matrix, matrix, 0, 1, 0, 1);
    const cd = v128.shuffle<f32>(matrix, matrix, 2, 3, 2, 3);
    const result = f32x4.add(
      f32x4.mul(ab, v128.shuffle<f32>(own, own, 0, 0, 2, 2)),
      f32x4.mul(cd, v128.shuffle<f32>(own, own, 1, 1, 3, 3)),
    );
    const place = f32x4.add(
      f32x4.add(
        f32x4.mul(ab, v128.shuffle<f32>(first, first, 0, 0, 0, 0)),
        f32x4.mul(cd, v128.shuffle<f32>(first, first, 1, 1, 1, 1)),
      ),
      v128.load64_zero(base, 16), // TX TY 0 0
    );
    v128.store(world, result);
    v128.store64_lane(world, place, 0, 16);
    local += 32;
    world += 32;
    parent += 4;
  }
}

/**
 * Cosine and sine of the rotations of the slots `from` to `end`, four slots at a time, by polynomials
 * (error below 2e-7 for rotations up to some thousand turns, beyond which a float has too few digits).
 */
export function turn(locals: usize, from: i32, end: i32): void {
  let local = locals + ((<usize>from) << 5);
  const last = locals + ((<usize>end) << 5);
  while (local < last) {
    const angle = f32x4(
      load<f32>(local, 24),
      load<f32>(local, 56),
      load<f32>(local, 88),
      load<f32>(local, 120),
    );
    // angle = quarter * pi / 2 + rest, |rest| <= pi / 4
    const quarter = f32x4.nearest(f32x4.mul(angle, f32x4.splat(0.6366197723675814)));
    let rest = f32x4.sub(angle, f32x4.mul(quarter, f32x4.splat(1.5703125)));
    rest = f32x4.sub(rest, f32x4.mul(quarter, f32x4.splat(4.837512969970703e-4)));
    rest = f32x4.sub(rest, f32x4.mul(quarter, f32x4.splat(7.549790126404332e-8)));
    const square = f32x4.mul(rest, rest);
    let sine = f32x4.add(f32x4.mul(f32x4.splat(-1.9515295891e-4), square), f32x4.splat(8.3321608736e-3));
    sine = f32x4.add(f32x4.mul(sine, square), f32x4.splat(-1.6666654611e-1));
    sine = f32x4.add(f32x4.mul(f32x4.mul(sine, square), rest), rest);
    let cosine = f32x4.add(
      f32x4.mul(f32x4.splat(2.443315711809948e-5), square),
      f32x4.splat(-1.388731625493765e-3),
    );
    cosine = f32x4.add(f32x4.mul(cosine, square), f32x4.splat(4.166664568298827e-2));
    cosine = f32x4.mul(f32x4.mul(cosine, square), square);
    cosine = f32x4.add(f32x4.sub(cosine, f32x4.mul(square, f32x4.splat(0.5))), f32x4.splat(1));
    const turns = i32x4.trunc_sat_f32x4_s(quarter);
    const isOdd = i32x4.ne(v128.and(turns, i32x4.splat(1)), i32x4.splat(0));
    const sineSign = i32x4.shl(v128.and(turns, i32x4.splat(2)), 30);
    const cosineSign = i32x4.shl(v128.and(i32x4.add(turns, i32x4.splat(1)), i32x4.splat(2)), 30);
    const sines = v128.xor(v128.bitselect(cosine, sine, isOdd), sineSign);
    const cosines = v128.xor(v128.bitselect(sine, cosine, isOdd), cosineSign);
    const low = v128.shuffle<f32>(cosines, sines, 0, 4, 1, 5); // cos sin of 0, of 1
    const high = v128.shuffle<f32>(cosines, sines, 2, 6, 3, 7);
    v128.store64_lane(local, low, 0, 8);
    v128.store64_lane(local, low, 1, 40);
    v128.store64_lane(local, high, 0, 72);
    v128.store64_lane(local, high, 1, 104);
    local += 128;
  }
}
