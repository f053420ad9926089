/**
 * Contacts between bodies in a step, with the entities they belong to.
 */
import { createChannel, type Entity, type EventChannel, type World } from "../ecs/index.ts";
import type { ShapeOwner } from "./context.ts";

/** The two sides of an event. */
export interface Pair {
  /** The entity with the first body. It may be dead by now. */
  readonly a: Entity;
  /** The entity with the second body. It may be dead by now. */
  readonly b: Entity;
  /** The entity with the first collider: the same, or one below it. */
  readonly colliderA: Entity;
  /** The entity with the second collider. */
  readonly colliderB: Entity;
  /** The index in `Collider.shapes` of the first collider. */
  readonly shapeA: number;
  /** The index in `Collider.shapes` of the second collider. */
  readonly shapeB: number;
}

/** Two shapes began or stopped touching. For a destroyed shape contacts end in the next step. */
export interface ContactEvent extends Pair {
  /** Whether they began or stopped touching. */
  readonly type: "began" | "ended";
}

/** Two shapes collided faster than `hitSpeed`. */
export interface HitEvent extends Pair {
  /** The x of the point of contact. */
  readonly x: number;
  /** The y of the point of contact. */
  readonly y: number;
  /** The x of the normal from `a` to `b`. */
  readonly normalX: number;
  /** The y of the normal from `a` to `b`. */
  readonly normalY: number;
  /** How fast they approached each other, in units per second. */
  readonly speed: number;
}

/** `b` entered or left the sensor `a`. */
export interface SensorEvent extends Pair {
  /** Whether `b` entered or left. */
  readonly type: "entered" | "left";
}

export class PhysicsEvents {
  readonly contacts: EventChannel<ContactEvent>;
  readonly hits: EventChannel<HitEvent>;
  readonly sensors: EventChannel<SensorEvent>;
  private readonly counts = [0, 0, 0];
  private readonly unitsPerMetre: number;

  /** @internal */
  constructor(world: World, unitsPerMetre: number, capacity: number | undefined) {
    this.unitsPerMetre = unitsPerMetre;
    const options = (k: number) => ({
      ...(capacity === undefined ? {} : { capacity }),
      onReaders: (count: number) => {
        this.counts[k] = count;
      },
    });
    this.contacts = createChannel(world, "physics contacts", options(0));
    this.hits = createChannel(world, "physics hits", options(1));
    this.sensors = createChannel(world, "physics sensors", options(2));
  }

  /** Whether there are readers; if not, the engine's events are not read. @internal */
  get hasReaders(): boolean {
    return this.counts[0] + this.counts[1] + this.counts[2] > 0;
  }

  /** @internal */
  contactBegan(a: ShapeOwner, b: ShapeOwner): void {
    if (this.counts[0] > 0) this.contacts.emit({ type: "began", ...pair(a, b) });
  }

  /** @internal */
  contactEnded(a: ShapeOwner, b: ShapeOwner): void {
    if (this.counts[0] > 0) this.contacts.emit({ type: "ended", ...pair(a, b) });
  }

  /** @internal */
  hit(
    a: ShapeOwner,
    b: ShapeOwner,
    x: number,
    y: number,
    normalX: number,
    normalY: number,
    speed: number,
  ): void {
    if (this.counts[1] === 0) return;
    const units = this.unitsPerMetre;
    this.hits.emit({ ...pair(a, b), x: x * units, y: y * units, normalX, normalY, speed: speed * units });
  }

  /** @internal */
  sensorBegan(a: ShapeOwner, b: ShapeOwner): void {
    if (this.counts[2] > 0) this.sensors.emit({ type: "entered", ...pair(a, b) });
  }

  /** @internal */
  sensorEnded(a: ShapeOwner, b: ShapeOwner): void {
    if (this.counts[2] > 0) this.sensors.emit({ type: "left", ...pair(a, b) });
  }
}

function pair(a: ShapeOwner, b: ShapeOwner): Pair {
  return {
    a: a.body,
    b: b.body,
    colliderA: a.collider,
    colliderB: b.collider,
    shapeA: a.shape,
    shapeB: b.shape,
  };
}
