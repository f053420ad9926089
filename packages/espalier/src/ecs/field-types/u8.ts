import type { Field, FieldType } from "./field-type.ts";
import { integerType, numberField } from "./integer.ts";

export const u8Type: FieldType<"u8", Uint8Array> = /* @__PURE__ */ integerType("u8", Uint8Array, 0, 255);

/** Integer from 0 to 255. */
export const u8: (initial?: number) => Field<number, "u8"> = /* @__PURE__ */ numberField(u8Type);
