import type { Field, FieldType } from "./field-type.ts";
import { floatType } from "./float.ts";
import { numberField } from "./integer.ts";

export const f64Type: FieldType<"f64", Float64Array> = /* @__PURE__ */ floatType({
  kind: "f64",
  array: Float64Array,
  // Number.MAX_VALUE, written out: looking it up would keep this file in bundles that do not use it.
  largest: 1.7976931348623157e308,
  schema: { type: "number" },
});

/** 64-bit float. */
export const f64: (initial?: number) => Field<number, "f64"> = /* @__PURE__ */ numberField(f64Type);
