/**
 * Entities that follow others without being their children: following cameras, attached gizmos.
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
  u8,
} from "../../ecs/index.ts";

type Number32 = Field<number, "f32">;

/** The fields of `Follow`. */
export type FollowSchema = {
  /** The entity that is followed. */
  target: Field<Entity | null, "entity">;
  /** The offset from the target along x. */
  offsetX: Number32;
  /** The offset from the target along y. */
  offsetY: Number32;
  /** The time in seconds in which it covers about two thirds of the distance; 0, the default, is at once. */
  damping: Number32;
  /** Whether the bounds apply. */
  bounded: Field<boolean, "bool">;
  /** The lowest x. */
  minX: Number32;
  /** The lowest y. */
  minY: Number32;
  /** The highest x. */
  maxX: Number32;
  /** The highest y. */
  maxY: Number32;
};

const number = (initial = 0): Number32 => finite(f32(initial));

/**
 * Moves the entity towards its target, every step after physics. `damping` is the time in seconds in which it covers about
 * two thirds of the distance; 0 is at once. With `bounded` the view of a camera stays within the bounds; any other entity
 * stays within them itself.
 */
export const Follow: Component<FollowSchema> = /* @__PURE__ */ component(
  "Follow",
  {
    target: /* @__PURE__ */ entityRef(),
    offsetX: /* @__PURE__ */ number(),
    offsetY: /* @__PURE__ */ number(),
    damping: /* @__PURE__ */ number(),
    bounded: /* @__PURE__ */ bool(),
    minX: /* @__PURE__ */ number(),
    minY: /* @__PURE__ */ number(),
    maxX: /* @__PURE__ */ number(),
    maxY: /* @__PURE__ */ number(),
  },
  { storage: "sparse" },
);

/** The fields of `Attached`. */
export type AttachedSchema = {
  /** The entity it is attached to. */
  target: Field<Entity | null, "entity">;
  /** The x of the point, relative to the target. */
  x: Number32;
  /** The y of the point, relative to the target. */
  y: Number32;
  /** Whether it also rotates with the target. */
  turns: Field<boolean, "bool">;
  /** What happens when the target is destroyed: one of `whenGone`, `keep` if left out. */
  whenGone: Field<number, "u8">;
};

/** What happens to an attached entity whose target was destroyed: the values of `Attached.whenGone`. */
export const whenGone = { keep: 0, destroy: 1 } as const;

/**
 * Keeps the entity at a point of its target, in the target's own coordinates, without being its child: a debug gizmo, a
 * health bar, a name. With `turns` it also has the target's rotation. It is not destroyed with the target, unless
 * `whenGone` says so.
 */
export const Attached: Component<AttachedSchema> = /* @__PURE__ */ component(
  "Attached",
  {
    target: /* @__PURE__ */ entityRef(),
    x: /* @__PURE__ */ number(),
    y: /* @__PURE__ */ number(),
    turns: /* @__PURE__ */ bool(),
    whenGone: /* @__PURE__ */ named(/* @__PURE__ */ u8(0), ["keep", "destroy"]),
  },
  { storage: "sparse" },
);

/** The components of this folder. */
export const motionComponents: readonly AnyComponent[] = [Follow, Attached];
