/**
 * Problems with the values of a body, as text. Checked when a body is added or set, and again before it reaches the
 * engine.
 */

import { DYNAMIC } from "../components.ts";
import type { BodyValues } from "../sync/body-records.ts";

/** Why a body cannot have these values; `undefined` when it can. Fields that are left out have their defaults. */
export function bodyProblem(values: Partial<BodyValues>): string | undefined {
  const { type = DYNAMIC } = values;
  if (!Number.isInteger(type) || type < 0 || type > DYNAMIC)
    return `the type ${type}: there are STATIC (0), KINEMATIC (1) and DYNAMIC (2). Use one of them.`;
  for (const field of ["linearDamping", "angularDamping"] as const) {
    const value = values[field] ?? 0;
    if (value < 0)
      return `the ${field} ${value}: damping takes speed away and must not be negative. Use 0 or more.`;
  }
  return undefined;
}
