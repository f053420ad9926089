/** Values that flow down a tree: the one propagation, and the presets most programs want. */
export { InvalidInheritedError } from "./errors.ts";
export {
  createInherited,
  defineInherited,
  type Inherited,
  type InheritedDefinition,
  type Rule,
} from "./inherited.ts";
export {
  Active,
  activity,
  HIDDEN,
  INHERIT,
  inheritComponents,
  VISIBLE,
  Visibility,
  visibility,
  ZIndex,
  zIndex,
} from "./presets.ts";
