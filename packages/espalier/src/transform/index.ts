/** Local to world, in the plane and in three dimensions. */
export type { KernelChoice } from "../inherit/index.ts";
export {
  type Affine2D,
  compose2D,
  decompose2D,
  invert2D,
  type Local2D,
  multiply2D,
  type Point,
  transformDirection,
  transformPoint,
} from "./affine2d.ts";
export type { TransformBatch } from "./batch.ts";
export { transformComponents } from "./components.ts";
export { toGameY, toScreenY } from "./coordinates.ts";
export {
  defineTransform,
  type Inherits,
  type SpaceDefinition,
  type SpaceOptions,
} from "./define-transform.ts";
export {
  InvalidFillError,
  InvalidSpaceError,
  InvalidTransformError,
  SingularTransformError,
  TransformError,
  UnrepresentableTransformError,
} from "./errors.ts";
export { type Euler, type EulerOrder, eulerToQuaternion, quaternionToEuler } from "./euler.ts";
export { createWorldFill, type FillMembers, type WorldFill, type WorldFillOptions } from "./fill-changed.ts";
export type { FillPlane, FillWidth } from "./fill-layout.ts";
export { type FillRotationsOptions, fillRotations } from "./fill-rotations.ts";
export { type FillOptions, type FillSource, fillWorlds } from "./fill-worlds.ts";
export { type InheritMask, InheritTransform } from "./inherit-mask.ts";
export type { Local3D, Quaternion, Vector3 } from "./matrix3d.ts";
export { createRectTransforms, type RectSchema, RectTransform, rectSpace } from "./rect.ts";
export { createSpace, type Space } from "./space.ts";
export { space3D } from "./space-3d.ts";
export { type Schema2D, Transform2D, type Transforms2DOptions } from "./transform-2d.ts";
export { type Schema3D, Transform3D, type Transforms3DOptions } from "./transform-3d.ts";
export type { TransformSpace } from "./transform-space.ts";
export { createTransforms2D, type Transforms2D } from "./transforms-2d.ts";
export { createTransforms3D, type Transforms3D } from "./transforms-3d.ts";
export { type MatrixSpace, type WorldRows, worldRowsOf } from "./world-rows.ts";
export type { WorldView2D } from "./world-term-2d.ts";
export type { WorldView3D } from "./world-term-3d.ts";
