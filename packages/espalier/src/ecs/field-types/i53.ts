import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

function wideType(): FieldType<"i53", Float64Array> {
  const { MAX_SAFE_INTEGER: most } = Number;
  const wide = integerType("i53", Float64Array, -most, most);
  return {
    ...wide,
    // A column of floats would keep the sign of zero, which no integer has.
    encode: (value) => (value as number) + 0,
    holds: (held) => Number.isSafeInteger(held) && !Object.is(held, -0),
    code: { ...wide.code, encode: (value) => `${value} + 0` },
  };
}

export const i53Type: FieldType<"i53", Float64Array> = /* @__PURE__ */ wideType();

/** Integer from -(2^53 - 1) to 2^53 - 1: times in milliseconds, money in cents, ids of a database. Eight bytes. */
export const i53: (initial?: number) => Field<number, "i53"> = /* @__PURE__ */ numberField(i53Type);
