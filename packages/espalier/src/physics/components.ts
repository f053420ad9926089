/**
 * The components of physics: a body, its shapes, joints between bodies.
 *
 * Lengths, positions and speeds are in the units of the transforms; masses, forces and torques are in kilograms, newtons and
 * newton metres. The scale between both is `unitsPerMetre` of `createPhysics`.
 */
import {
  type AnyComponent,
  bool,
  type Component,
  component,
  type Entity,
  entityRef,
  type Field,
  f32,
  finite,
  named,
  object,
  u8,
} from "../ecs/index.ts";
import { shapesProblem } from "./rules/check-shape.ts";
import type { ColliderShape } from "./shapes/shape.ts";

/** Never moves by itself; nothing pushes it. */
export const STATIC = 0;
/** Moves by its velocity; nothing pushes it. */
export const KINEMATIC = 1;
/** Moved by forces, contacts and joints. */
export const DYNAMIC = 2;

const number = (initial = 0) => finite(f32(initial));

type Float = Field<number, "f32">;
type Flag = Field<boolean, "bool">;

/**
 * Makes an entity a body of the physics. It must have a transform, and no ancestor may move it: it is a root, or below
 * folders, which have no transform. `velocityX`, `velocityY`, `angularVelocity` and `awake` are the initial values of the body, and
 * writing them changes it. Steps do not write them; snapshots, files, clones and undo get the current values, and
 * `physics.velocityOf` reads them at any time.
 */
export const RigidBody: Component<{
  /** `STATIC`, `KINEMATIC` or `DYNAMIC`, the default. */
  type: Field<number, "u8">;
  /** Units per second along x. */
  velocityX: Float;
  /** Units per second along y. */
  velocityY: Float;
  /** Radians per second. */
  angularVelocity: Float;
  /** How fast its velocity fades, per second. */
  linearDamping: Float;
  /** How fast its turning fades, per second. */
  angularDamping: Float;
  /** The factor of gravity for it. 1 if left out. */
  gravityScale: Float;
  /** Keeps it from passing through other bodies when it is fast. */
  bullet: Flag;
  /** Never turns. */
  fixedRotation: Flag;
  /** Sleeps when it is at rest. On if left out. */
  allowSleep: Flag;
  /** Whether it starts awake; with a velocity it always does. On if left out. */
  awake: Flag;
}> = /* @__PURE__ */ component("RigidBody", {
  type: /* @__PURE__ */ named(/* @__PURE__ */ u8(DYNAMIC), ["static", "kinematic", "dynamic"]),
  velocityX: /* @__PURE__ */ number(),
  velocityY: /* @__PURE__ */ number(),
  angularVelocity: /* @__PURE__ */ number(),
  linearDamping: /* @__PURE__ */ number(),
  angularDamping: /* @__PURE__ */ number(),
  gravityScale: /* @__PURE__ */ number(1),
  bullet: /* @__PURE__ */ bool(),
  fixedRotation: /* @__PURE__ */ bool(),
  allowSleep: /* @__PURE__ */ bool(true),
  awake: /* @__PURE__ */ bool(true),
});

/**
 * The shapes of an entity. They belong to its own body or, where it has none, to that of the nearest ancestor that has
 * one: together these make a compound body.
 */
export const Collider: Component<{
  /** The shapes, in the space of the entity. */
  shapes: Field<readonly ColliderShape[], "object">;
}> = /* @__PURE__ */ component("Collider", {
  shapes: /* @__PURE__ */ object<readonly ColliderShape[]>(() => [], shapesProblem),
});

/** Turns about a common point. */
export const REVOLUTE = 0;
/** Slides along an axis without turning. */
export const PRISMATIC = 1;
/** Keeps a distance, stiff or as a spring. */
export const DISTANCE = 2;
/** Holds both together, stiff or as a spring. */
export const WELD = 3;
/** A wheel: turns freely, and slides along an axis on a spring. */
export const WHEEL = 4;
/** Drives `b` towards a velocity relative to `a`. */
export const MOTOR = 5;
/** Pulls a point of `b` towards `targetX`, `targetY`, as when dragged with the mouse. */
export const MOUSE = 6;

/**
 * A joint between the bodies of two entities. It belongs on an entity of its own, usually a child of one of the two, so
 * that it is destroyed with it; if `a` is left out, it is the nearest body at or above the joint. While one of the two is missing or
 * dead, the joint is inactive.
 *
 * | Field | Meaning |
 * | --- | --- |
 * | `anchorAX` … `anchorBY` | where it is attached to each body, in the body's own space |
 * | `axis` | direction of the sliding axis on `a`, in radians (prismatic, wheel) |
 * | `angle` | rotation of `b` relative to `a` that counts as 0 (revolute, prismatic, weld) |
 * | `limit`, `lower`, `upper` | bounds of angle, translation or length |
 * | `motor`, `motorSpeed`, `motorMax` | drives it, with at most this much torque or force |
 * | `spring`, `hertz`, `damping` | makes it soft; also for weld (`hertz` above 0) and mouse |
 * | `length` | rest length (distance); negative uses the distance when the joint is created |
 * | `velocityX`, `velocityY`, `motorSpeed`, `motorMax`, `torqueMax` | the target velocities of a motor joint |
 */
export const Joint: Component<{
  /** `REVOLUTE` (the default), `PRISMATIC`, `DISTANCE`, `WELD`, `WHEEL`, `MOTOR` or `MOUSE`. */
  kind: Field<number, "u8">;
  /** The first body; the nearest one at or above the joint if left out. */
  a: Field<Entity | null, "entity">;
  /** The second body. */
  b: Field<Entity | null, "entity">;
  /** The x of the anchor, in the space of `a`. */
  anchorAX: Float;
  /** The y of the anchor, in the space of `a`. */
  anchorAY: Float;
  /** The x of the anchor, in the space of `b`. */
  anchorBX: Float;
  /** The y of the anchor, in the space of `b`. */
  anchorBY: Float;
  /** The direction of the sliding axis on `a`, in radians. */
  axis: Float;
  /** The rotation of `b` relative to `a` that counts as 0. */
  angle: Float;
  /** Whether `lower` and `upper` bound it. */
  limit: Flag;
  /** The least angle, translation or length. */
  lower: Float;
  /** The greatest angle, translation or length. */
  upper: Float;
  /** Whether it is driven. */
  motor: Flag;
  /** How fast it is driven. */
  motorSpeed: Float;
  /** The greatest torque or force of the motor. */
  motorMax: Float;
  /** Whether it yields like a spring. */
  spring: Flag;
  /** The stiffness of the spring: oscillations per second. */
  hertz: Float;
  /** How fast oscillations fade: 1, the default, stops without overshooting. */
  damping: Float;
  /** The rest length of a distance joint; negative, the default, uses the distance when the joint is created. */
  length: Float;
  /** The velocity along x that a motor joint drives at. */
  velocityX: Float;
  /** The velocity along y that a motor joint drives at. */
  velocityY: Float;
  /** The greatest torque of a motor joint. */
  torqueMax: Float;
  /** The x that a mouse joint pulls towards. */
  targetX: Float;
  /** The y that a mouse joint pulls towards. */
  targetY: Float;
  /** Lets the two bodies collide with each other. */
  collideConnected: Flag;
}> = /* @__PURE__ */ component("Joint", {
  kind: /* @__PURE__ */ named(/* @__PURE__ */ u8(REVOLUTE), [
    "revolute",
    "prismatic",
    "distance",
    "weld",
    "wheel",
    "motor",
    "mouse",
  ]),
  a: /* @__PURE__ */ entityRef(),
  b: /* @__PURE__ */ entityRef(),
  anchorAX: /* @__PURE__ */ number(),
  anchorAY: /* @__PURE__ */ number(),
  anchorBX: /* @__PURE__ */ number(),
  anchorBY: /* @__PURE__ */ number(),
  axis: /* @__PURE__ */ number(),
  angle: /* @__PURE__ */ number(),
  limit: /* @__PURE__ */ bool(),
  lower: /* @__PURE__ */ number(),
  upper: /* @__PURE__ */ number(),
  motor: /* @__PURE__ */ bool(),
  motorSpeed: /* @__PURE__ */ number(),
  motorMax: /* @__PURE__ */ number(),
  spring: /* @__PURE__ */ bool(),
  hertz: /* @__PURE__ */ number(),
  damping: /* @__PURE__ */ number(1),
  length: /* @__PURE__ */ number(-1),
  velocityX: /* @__PURE__ */ number(),
  velocityY: /* @__PURE__ */ number(),
  torqueMax: /* @__PURE__ */ number(),
  targetX: /* @__PURE__ */ number(),
  targetY: /* @__PURE__ */ number(),
  collideConnected: /* @__PURE__ */ bool(),
});

/** The components of this room, for scene formats: `createSceneFormat({ components: [physicsComponents] })`. */
export const physicsComponents: readonly AnyComponent[] = [RigidBody, Collider, Joint];
