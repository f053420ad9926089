import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

export const i32Type: FieldType<"i32", Int32Array> = /* @__PURE__ */ integerType(
  "i32",
  Int32Array,
  -2147483648,
  2147483647,
);

/** Integer from -2^31 to 2^31 - 1. */
export const i32: (initial?: number) => Field<number, "i32"> = /* @__PURE__ */ numberField(i32Type);
