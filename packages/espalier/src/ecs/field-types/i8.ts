import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

export const i8Type: FieldType<"i8", Int8Array> = /* @__PURE__ */ integerType("i8", Int8Array, -128, 127);

/** Integer from -128 to 127. */
export const i8: (initial?: number) => Field<number, "i8"> = /* @__PURE__ */ numberField(i8Type);
