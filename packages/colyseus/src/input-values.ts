/**
 * An input as the world takes it. Server and predicting clients use the same function, because a step that differs by a sign is corrected forever.
 */
import type { Field } from "espalier";
import type { FieldPlan } from "./field-plans.ts";

/** Values by field, from outside. */
export type InputValues = { readonly [field: string]: unknown };

/**
 * The values of an input, each one that its field may hold: a number that is not finite, beyond the end of its kind, or of another type
 * is the default. Bounds hold by themselves, because the wire has no code beyond them.
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

/** The values of an input that nothing was done to. */
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
