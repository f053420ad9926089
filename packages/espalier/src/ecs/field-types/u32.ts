import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

export const u32Type: FieldType<"u32", Uint32Array> = /* @__PURE__ */ integerType(
  "u32",
  Uint32Array,
  0,
  4294967295,
);

/** Integer from 0 to 2^32 - 1. */
export const u32: (initial?: number) => Field<number, "u32"> = /* @__PURE__ */ numberField(u32Type);
