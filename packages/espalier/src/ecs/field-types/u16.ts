import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

export const u16Type: FieldType<"u16", Uint16Array> = /* @__PURE__ */ integerType(
  "u16",
  Uint16Array,
  0,
  65535,
);

/** Integer from 0 to 65,535. */
export const u16: (initial?: number) => Field<number, "u16"> = /* @__PURE__ */ numberField(u16Type);
