/**
 * An input in the form for the world. Server and predicting clients use the same function, because a step that differs by a
 * sign is corrected forever.
 */
import type { Field } from "espalier";
import type { FieldPlan } from "./field-plans.ts";

/** Values by field, from outside. */
export type InputValues = { readonly [field: string]: unknown };

/**
 * The values of an input, each valid for its field: a number that is not finite, out of the range of its kind, or of another type
 * is replaced by the default. Bounds need no check, because the wire cannot encode values beyond them.
 */
export function valuesOf(plan: readonly FieldPlan[], frame: InputValues): { [field: string]: unknown } {
  const values: { [field: string]: unknown } = {};
  for (const { name, field } of plan) {
    const given = fieldValue(field, frame[name]);
    const fits = given !== undefined && field.type.misfit(field, given) === undefined;
    values[name] = fits ? given : initialOf(field);
  }
  return values;
}

/** The initial values of an input. */
export function initialValues(plan: readonly FieldPlan[]): { [field: string]: unknown } {
  return valuesOf(plan, {});
}

function fieldValue({ type, names }: Field, value: unknown): unknown {
  if (type.valueKind === "boolean") return typeof value === "boolean" ? value : undefined;
  if (!Number.isFinite(value)) return undefined;
  return type.valueKind === "choice" ? names?.[value as number] : value;
}

function initialOf({ initial }: Field): unknown {
  return typeof initial === "function" ? initial() : initial;
}
