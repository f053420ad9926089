/**
 * The content of the engine as outlines in the world: plain data that any renderer can draw.
 */
import type { Entity } from "../../ecs/index.ts";
import { DYNAMIC, KINEMATIC, MOUSE } from "../components.ts";
import { type Context, newState } from "../context.ts";
import type { EngineGeometry, EngineState } from "../engine.ts";
import type { BodyRecords } from "../sync/body-records.ts";
import type { ColliderSync } from "../sync/collider-sync.ts";
import type { JointSync } from "../sync/joint-sync.ts";

/** One shape. Points are x, y, x, y, … in the units of the transforms. */
export interface DebugShape {
  /** The entity with the body. */
  readonly body: Entity;
  /** The entity with the collider. */
  readonly collider: Entity;
  /** How its points are meant: a circle, an open line, or a closed outline. */
  readonly form: "circle" | "line" | "outline";
  /** The centre of a circle, with a second point on it that shows its rotation; otherwise the corners in order. */
  readonly points: readonly number[];
  /** The radius of the circle, or of rounded corners. */
  readonly radius: number;
  /** The state of its body. */
  readonly state: "static" | "kinematic" | "awake" | "asleep" | "disabled";
  /** Whether it only reports overlaps. */
  readonly sensor: boolean;
}

/** One joint, as a line between its anchors. */
export interface DebugJoint {
  /** The entity with the `Joint`. */
  readonly joint: Entity;
  /** The two anchors, as x, y, x, y. */
  readonly points: readonly [number, number, number, number];
}

/** A point where bodies touch. */
export interface DebugContact {
  /** The x of the point in the world. */
  readonly x: number;
  /** The y of the point in the world. */
  readonly y: number;
  /** The x of the direction in which the bodies push each other. */
  readonly normalX: number;
  /** The y of the direction in which the bodies push each other. */
  readonly normalY: number;
}

/** The lines and points that show what the engine sees. */
export interface DebugPicture {
  /** All shapes of all bodies. */
  readonly shapes: readonly DebugShape[];
  /** All active joints. */
  readonly joints: readonly DebugJoint[];
  /** All points where bodies touch. */
  readonly contacts: readonly DebugContact[];
}

export function debugPicture(
  context: Context,
  records: BodyRecords,
  colliders: ColliderSync,
  joints: JointSync,
): DebugPicture {
  const { engine, unitsPerMetre: units } = context;
  const shapes: DebugShape[] = [];
  const contacts: DebugContact[] = [];
  const stateAt = (number: number) => engine.stateOf(number, newState());
  for (const record of records) {
    const at = stateAt(record.number);
    const { type } = record.seen;
    const moving = engine.isAwake(record.number) ? "awake" : "asleep";
    const state = !record.enabled
      ? "disabled"
      : type === DYNAMIC
        ? moving
        : type === KINEMATIC
          ? "kinematic"
          : "static";
    for (const collider of record.colliders) {
      for (const { geometry, sensor } of colliders.recordsOf(collider)) {
        shapes.push({ body: record.entity, collider, state, sensor, ...outline(geometry, at, units) });
      }
    }
    // Every contact has a dynamic body; one between two of them is visited twice and drawn over itself.
    if (type === DYNAMIC && record.enabled) {
      engine.contactPoints(record.number, (x, y, normalX, normalY) =>
        contacts.push({ x: x * units, y: y * units, normalX, normalY }),
      );
    }
  }
  const lines: DebugJoint[] = [];
  for (const { entity, joint, a, b } of joints.all) {
    const [bx, by] = pointOf(stateAt(b.number), joint.anchorBX, joint.anchorBY, units);
    const [ax, ay] =
      a === undefined || joint.kind === MOUSE
        ? [joint.targetX * units, joint.targetY * units]
        : pointOf(stateAt(a.number), joint.anchorAX, joint.anchorAY, units);
    lines.push({ joint: entity, points: [ax, ay, bx, by] });
  }
  return { shapes, joints: lines, contacts };
}

function outline(geometry: EngineGeometry, at: EngineState, units: number) {
  if (geometry.type === "circle") {
    const { x, y, radius } = geometry;
    return {
      form: "circle" as const,
      points: [...pointOf(at, x, y, units), ...pointOf(at, x + radius, y, units)],
      radius: radius * units,
    };
  }
  const points: number[] = [];
  for (let k = 0; k < geometry.points.length; k += 2) {
    points.push(...pointOf(at, geometry.points[k], geometry.points[k + 1], units));
  }
  const isOpen = geometry.type === "segment" || geometry.type === "capsule";
  if (geometry.type === "chain") {
    if (geometry.loop) points.push(points[0], points[1]);
    return { form: "line" as const, points, radius: 0 };
  }
  return { form: isOpen ? ("line" as const) : ("outline" as const), points, radius: geometry.radius * units };
}

/** A point of a body in the world. */
function pointOf({ x, y, cosine, sine }: EngineState, u: number, v: number, units: number): [number, number] {
  return [(x + cosine * u - sine * v) * units, (y + sine * u + cosine * v) * units];
}
