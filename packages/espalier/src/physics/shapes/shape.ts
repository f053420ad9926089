/**
 * The shapes a collider can have, as plain data: they stand in scene files as they are.
 */

/** A place in the space of the collider's entity. */
export interface ShapePoint {
  readonly x: number;
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
  readonly type: "box";
  readonly width: number;
  readonly height: number;
  /** Its centre; the origin of the entity if left out. */
  readonly x?: number;
  readonly y?: number;
  /** In radians. */
  readonly rotation?: number;
  /** Rounds the corners outwards. */
  readonly radius?: number;
}

/** A circle. */
export interface CircleShape extends ShapeMaterial {
  readonly type: "circle";
  readonly radius: number;
  readonly x?: number;
  readonly y?: number;
}

/** Two half circles and what lies between them. */
export interface CapsuleShape extends ShapeMaterial {
  readonly type: "capsule";
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly radius: number;
}

/** A convex polygon of 3 to 8 points, in either direction round. */
export interface PolygonShape extends ShapeMaterial {
  readonly type: "polygon";
  readonly points: readonly ShapePoint[];
  readonly radius?: number;
}

/** A line that both sides bump into. Has no mass. */
export interface SegmentShape extends ShapeMaterial {
  readonly type: "segment";
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/**
 * A line through many points, over whose joints things slide without catching. Solid from one side only: what walks along
 * it in the order of the points has the free side on its right hand where y grows upwards, on its left where y grows
 * downwards. For static bodies.
 */
export interface ChainShape extends ShapeMaterial {
  readonly type: "chain";
  readonly points: readonly ShapePoint[];
  /** Joins the last point with the first. */
  readonly loop?: boolean;
}

/** A shape of a collider. */
export type ColliderShape = BoxShape | CircleShape | CapsuleShape | PolygonShape | SegmentShape | ChainShape;
