/**
 * The shapes a collider can have, as plain data: they stand in scene files as they are.
 */

/** A point in the space of the collider's entity. */
export interface ShapePoint {
  /** The x as seen from the entity. */
  readonly x: number;
  /** The y as seen from the entity. */
  readonly y: number;
}

/** What every shape can say about its material and what it collides with. */
export interface ShapeMaterial {
  /** Kilograms per square metre; 1 if left out. 0 adds no mass. */
  readonly density?: number;
  /** 0.6 if left out. */
  readonly friction?: number;
  /** How much of the speed a bounce gives back, 0 to 1; 0 if left out. */
  readonly restitution?: number;
  /** Reports overlaps and does not collide. */
  readonly sensor?: boolean;
  /** The layer it is on, one of those given to `createPhysics`; the first if left out. */
  readonly layer?: string;
  /** The layers it collides with; all if left out. Both shapes must want it. */
  readonly collidesWith?: readonly string[];
  /** Shapes of the same positive group always collide, of the same negative group never, whatever the layers say. */
  readonly group?: number;
}

/** A rectangle; `width` and `height` are whole sides. */
export interface BoxShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "box";
  /** The whole width. */
  readonly width: number;
  /** The whole height. */
  readonly height: number;
  /** Its centre; the origin of the entity if left out. */
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

/** Two half circles and what lies between them. */
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

/** A convex polygon of 3 to 8 points, in either direction round. */
export interface PolygonShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "polygon";
  /** The corners, in order. */
  readonly points: readonly ShapePoint[];
  /** Rounds the corners outwards. 0 if left out. */
  readonly radius?: number;
}

/** A line that both sides bump into. Has no mass. */
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
 * A line through many points, over whose joints things slide without catching. Solid from one side only: what walks along
 * it in the order of the points has the free side on its right hand where y grows upwards, on its left where y grows
 * downwards. For static bodies.
 */
export interface ChainShape extends ShapeMaterial {
  /** The kind of shape. */
  readonly type: "chain";
  /** The points, in order. */
  readonly points: readonly ShapePoint[];
  /** Joins the last point with the first. */
  readonly loop?: boolean;
}

/** A shape of a collider. */
export type ColliderShape = BoxShape | CircleShape | CapsuleShape | PolygonShape | SegmentShape | ChainShape;
