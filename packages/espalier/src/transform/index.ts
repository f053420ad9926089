/**
 * Local to world, in the plane and in three dimensions.
 *
 * @packageDocumentation
 */

export { type KernelChoice, loadKernel } from "../inherit/index.ts";
export { requireSpace2D } from "./checks/require-space.ts";
export { transformComponents } from "./components.ts";
export {
  InvalidFillError,
  InvalidSpaceError,
  InvalidTransformError,
  SingularTransformError,
  TransformError,
  UnrepresentableTransformError,
} from "./errors.ts";
export {
  createWorldFill,
  type FillMembers,
  type WorldFill,
  type WorldFillOptions,
} from "./fill/fill-changed.ts";
export type { FillPlane, FillWidth } from "./fill/fill-layout.ts";
export { type FillRotationsOptions, fillRotations } from "./fill/fill-rotations.ts";
export { type FillOptions, type FillSource, fillWorlds } from "./fill/fill-worlds.ts";
export { requireMatrixSpace, type WorldRows, worldRowsOf } from "./fill/world-rows.ts";
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
} from "./maths/affine2d.ts";
export { toGameY, toScreenY } from "./maths/coordinates.ts";
export { type EasingName, easings } from "./maths/easing.ts";
export { type Euler, type EulerOrder, eulerToQuaternion, quaternionToEuler } from "./maths/euler.ts";
export type { Local3D, Quaternion, Vector3 } from "./maths/matrix3d.ts";
export { createNearby, type Nearby, type NearbyOptions, type NearestOptions } from "./nearby/nearby.ts";
export type { TransformBatch } from "./spaces/batch.ts";
export {
  defineTransform,
  type Inherits,
  type SpaceDefinition,
  type SpaceOptions,
} from "./spaces/define-transform.ts";
export { type InheritMask, InheritTransform } from "./spaces/inherit-mask.ts";
export type { MatrixSpace } from "./spaces/matrix-space.ts";
export { type RawTransforms, rawTransforms } from "./spaces/raw-transforms.ts";
export { createRectTransforms, type RectSchema, RectTransform, rectSpace } from "./spaces/rect.ts";
export { createSpace, type Space } from "./spaces/space.ts";
export { space3D } from "./spaces/space-3d.ts";
export {
  type AnySpace,
  setInherit,
  setSkew,
  setTopLevel,
  transformBatch,
  worldMatrix4,
} from "./spaces/space-functions.ts";
export type { TransformSpace } from "./spaces/transform-space.ts";
export { type Schema2D, Transform2D, type Transforms2DOptions } from "./transform-2d.ts";
export { type Schema3D, Transform3D, type Transforms3DOptions } from "./transform-3d.ts";
export { createTransforms2D, type Transforms2D } from "./transforms-2d.ts";
export { createTransforms3D, type Transforms3D } from "./transforms-3d.ts";
export type { WorldView2D } from "./world-terms/world-term-2d.ts";
export type { WorldView3D } from "./world-terms/world-term-3d.ts";
