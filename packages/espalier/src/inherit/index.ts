/**
 * Values that flow down a tree: the one propagation, and the presets most programs want.
 *
 * @packageDocumentation
 */

export { InvalidInheritedError } from "./errors.ts";
export {
  createInherited,
  defineInherited,
  type Inherited,
  type InheritedOptions,
} from "./inherited.ts";
export { inheritedOf } from "./inherited-of.ts";
export type { FoldingCombine, InheritedDefinition, Rule } from "./inherited-values.ts";
export type { KernelChoice } from "./kernel.ts";
export { loadKernel } from "./load-kernel.ts";
export { type Pace, paceOf } from "./pace.ts";
export {
  Active,
  activity,
  HIDDEN,
  INHERIT,
  inheritComponents,
  TimeScale,
  timeScale,
  VISIBLE,
  Visibility,
  visibility,
  ZIndex,
  zIndex,
} from "./presets.ts";
export { product, sum } from "./sum-product.ts";
export { type Activity, active, activityOf, Inactive } from "./taking-part.ts";
