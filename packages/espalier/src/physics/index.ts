/**
 * Bodies, colliders and joints, synchronised with the tree. The engine comes from a room of its own: `espalier/physics/box2d`.
 *
 * @packageDocumentation
 */

export {
  Collider,
  DISTANCE,
  DYNAMIC,
  Joint,
  KINEMATIC,
  MOTOR,
  MOUSE,
  PRISMATIC,
  physicsComponents,
  REVOLUTE,
  RigidBody,
  STATIC,
  WELD,
  WHEEL,
} from "./components.ts";
export type { DebugContact, DebugJoint, DebugPicture, DebugShape } from "./debug/debug.ts";
export {
  createPhysicsDebug,
  type DebugDrawingOptions,
  type DebugForms,
  type DebugStyle,
  type PhysicsDebug,
} from "./debug/debug-drawing.ts";
export type {
  EngineBody,
  EngineCounts,
  EngineEvents,
  EngineGeometry,
  EngineHit,
  EngineJoint,
  EngineLimits,
  EngineMaterial,
  EngineMoves,
  EngineState,
  EngineWorld,
  EngineWorldOptions,
  PhysicsEngine,
} from "./engine.ts";
export {
  BodyOnChildError,
  BodyWithoutShapesError,
  BodyWithoutTransformError,
  DisposedPhysicsError,
  EngineLimitError,
  EngineNotLoadedError,
  InvalidBodyError,
  InvalidJointError,
  InvalidPhysicsNumberError,
  InvalidPhysicsOptionsError,
  InvalidShapeError,
  NoBodyError,
  PhysicsBusyError,
  PhysicsError,
  UnknownLayerError,
} from "./errors.ts";
export type { ContactEvent, HitEvent, Pair, SensorEvent } from "./events.ts";
export { createPhysics, type Physics } from "./physics.ts";
export type { CastHit, Found, Pose, QueryOptions } from "./queries.ts";
export type { PhysicsOptions } from "./rules/options.ts";
export type {
  BoxShape,
  CapsuleShape,
  ChainShape,
  CircleShape,
  ColliderShape,
  PolygonShape,
  SegmentShape,
  ShapeMaterial,
  ShapePoint,
} from "./shapes/shape.ts";
export { type TileArea, type TileGrid, type TileOutline, tileOutlines } from "./shapes/tile-outlines.ts";
