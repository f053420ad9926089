/**
 * Lists and pairs that users read are those of the world: in development they cannot be changed.
 */
import { DEVELOPMENT } from "../development.ts";

/** Read once: in the default build the constant itself reads `process.env`, which takes 100 ns. */
const isFreezing = DEVELOPMENT;

/** Freezes a value in development builds. */
export function frozen<Value>(value: Value): Value {
  return isFreezing ? Object.freeze(value) : value;
}
