/**
 * The shapes a collider can have, as plain data, which is written to scene files as it is.
 */

/** A point in the space of the collider's entity. */
export interface ShapePoint {
  /** The x relative to the entity. */
  readonly x: number;
  /** The y relative to the entity. */
  readonly y: number;
}

/** The material of a shape, and what it collides with. */
export interface ShapeMaterial {
  /** Kilograms per square metre; 1 if left out. 0 adds no mass. */
  readonly density?: number;
  /** 0.6 if left out. */
  readonly friction?: number;
  /** The fraction of speed kept in a bounce, 0 to 1; 0 if left out. */
  readonly restitution?: number;
  /** Reports overlaps and does not collide. */
  readonly sensor?: boolean;
  /** The layer it is on, one of those given to `createPhysics`; the first if left out. */
  readonly layer?: string;
  /** The layers it collides with; all if left out. Both shapes must allow it. */
  readonly collidesWith?: readonly string[];
  /** Shapes of the same positive group always collide, of the same negative group never, whatever the layers say. */
  readonly group?: number;
}

/** A rectangle; `width` and `height` are full lengths. */
export interface BoxShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "box";
  /** The full width. */
  readonly width: number;
  /** The full height. */
  readonly height: number;
  /** The x of its centre; 0 if left out. */
  readonly x?: number;
  /** The y of its centre; 0 if left out. */
  readonly y?: number;
  /** In radians. */
  readonly rotation?: number;
  /** Rounds the corners outwards. */
  readonly radius?: number;
}

/** A circle. */
export interface CircleShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "circle";
  /** The radius. */
  readonly radius: number;
  /** The x of its centre; 0 if left out. */
  readonly x?: number;
  /** The y of its centre; 0 if left out. */
  readonly y?: number;
}

/** Two half circles and the area between them. */
export interface CapsuleShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "capsule";
  /** The x of the first centre. */
  readonly x1: number;
  /** The y of the first centre. */
  readonly y1: number;
  /** The x of the second centre. */
  readonly x2: number;
  /** The y of the second centre. */
  readonly y2: number;
  /** The radius of the half circles. */
  readonly radius: number;
}

/** A convex polygon of 3 to 8 points, in either winding order. */
export interface PolygonShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "polygon";
  /** The corners, in order. */
  readonly points: readonly ShapePoint[];
  /** Rounds the corners outwards. 0 if left out. */
  readonly radius?: number;
}

/** A line that collides on both sides. Has no mass. */
export interface SegmentShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "segment";
  /** The x of the first end. */
  readonly x1: number;
  /** The y of the first end. */
  readonly y1: number;
  /** The x of the second end. */
  readonly x2: number;
  /** The y of the second end. */
  readonly y2: number;
}

/**
 * A line through many points, over whose joints bodies slide without catching. Solid from one side only: along
 * the order of the points the free side is on the right if y points up, and on the left if y points
 * down. For static bodies.
 */
export interface ChainShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "chain";
  /** The points, in order. */
  readonly points: readonly ShapePoint[];
  /** Whether the last point is connected to the first. */
  readonly loop?: boolean;
}

/** A shape of a collider. */
export type ColliderShape = BoxShape | CircleShape | CapsuleShape | PolygonShape | SegmentShape | ChainShape;
