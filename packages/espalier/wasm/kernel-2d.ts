// The 2D kernel in AssemblyScript. `npm run wasm` compiles it into src/transform/kernel-2d-bytes.ts.
//
// The same operations in the same order as `javaScriptKernel`, each rounded to 32 bits, so that both give the same
// bits: no fused multiply-add, no reordering.

/** Computes slots from..to-1. `local`, `world` and `parent` are byte offsets of the arrays. */
export function propagate(local: usize, world: usize, parent: usize, from: i32, to: i32): void {
  for (let slot = from; slot < to; slot++) {
    const l = local + ((<usize>slot) << 5);
    const w = world + ((<usize>slot) << 5);
    const p = world + ((<usize>load<i32>(parent + ((<usize>slot) << 2))) << 5);
    const linear = v128.load(p); // pa pb pc pd
    const first = v128.load(l); // x y rotation scaleX
    const second = v128.load(l + 16); // scaleY skew cos sin
    const cosSin = v128.shuffle<f32>(second, second, 2, 3, 2, 3); // cos sin cos sin
    const sinCos = v128.shuffle<f32>(second, second, 3, 2, 3, 2); // sin cos sin cos
    const skew = f32x4.splat(f32x4.extract_lane(second, 1));
    const scaleX = f32x4.splat(f32x4.extract_lane(first, 3));
    const scaleY = f32x4.splat(f32x4.extract_lane(second, 0));
    const ab = f32x4.mul(cosSin, scaleX); // a b a b
    // c = (skew cos - sin) scaleY, d = (skew sin + cos) scaleY: the sign of the sine is turned before adding.
    const turned = v128.xor(sinCos, i32x4(0x80000000, 0, 0x80000000, 0));
    const cd = f32x4.mul(f32x4.add(f32x4.mul(skew, cosSin), turned), scaleY); // c d c d
    const parentAB = v128.shuffle<f32>(linear, linear, 0, 1, 0, 1);
    const parentCD = v128.shuffle<f32>(linear, linear, 2, 3, 2, 3);
    const along = v128.shuffle<f32>(ab, cd, 0, 0, 4, 4); // a a c c
    const across = v128.shuffle<f32>(ab, cd, 1, 1, 5, 5); // b b d d
    v128.store(w, f32x4.add(f32x4.mul(parentAB, along), f32x4.mul(parentCD, across)));
    const x = f32x4.splat(f32x4.extract_lane(first, 0));
    const y = f32x4.splat(f32x4.extract_lane(first, 1));
    const offset = v128.load64_zero(p, 16); // px py 0 0
    const moved = f32x4.add(f32x4.add(f32x4.mul(parentAB, x), f32x4.mul(parentCD, y)), offset);
    v128.store64_lane(w, moved, 0, 16);
  }
}
