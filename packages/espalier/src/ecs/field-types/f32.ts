import type { Field, FieldType } from "./field-type.ts";
import { floatType } from "./float.ts";
import { numberField } from "./integer.ts";

const LARGEST = 3.4028234663852886e38;

export const f32Type: FieldType<"f32", Float32Array> = /* @__PURE__ */ floatType({
  kind: "f32",
  array: Float32Array,
  largest: LARGEST,
  schema: { type: "number", minimum: -LARGEST, maximum: LARGEST },
  single: { round: Math.fround, shortest: shortestDecimal },
});

/** 32-bit float. Reads give the rounded value. */
export const f32: (initial?: number) => Field<number, "f32"> = /* @__PURE__ */ numberField(f32Type);

/** The shortest decimal that reads back as the same 32-bit float: 0.1, not 0.10000000149011612. */
function shortestDecimal(value: number): number {
  // A room may keep more digits than the field asks for; they are all written.
  if (Number.isInteger(value) || Math.fround(value) !== value) return value;
  // What people write has few digits: the same result as below, without making texts.
  const few = Math.round(value * 1000) / 1000;
  if (Math.abs(value) < 1000 && Math.fround(few) === value) return few;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
