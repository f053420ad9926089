import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

export const i16Type: FieldType<"i16", Int16Array> = /* @__PURE__ */ integerType(
  "i16",
  Int16Array,
  -32768,
  32767,
);

/** Integer from -32,768 to 32,767. */
export const i16: (initial?: number) => Field<number, "i16"> = /* @__PURE__ */ numberField(i16Type);
