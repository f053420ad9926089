/**
 * The contract between this room and an engine: numbers in, numbers out, in metres and radians. It knows no entities
 * and no trees; bodies and joints are numbers that the engine gives out, above 0.
 *
 * Everything that arrives here was checked: finite numbers, bodies that exist, shapes with an area.
 */

/** What an engine can hold at most. */
export interface EngineLimits {
  /** Points of a polygon. */
  readonly polygonPoints: number;
  /** Layers that shapes can be on. */
  readonly layers: number;
  /** Bodies of one world. */
  readonly bodies: number;
  /** The farthest place from the origin, in metres. */
  readonly range: number;
}

/** A loaded engine: makes worlds that share nothing. */
export interface PhysicsEngine {
  /** Shown in messages. */
  readonly name: string;
  readonly limits: EngineLimits;
  /** @throws EngineLimitError when it cannot hold another one. */
  createWorld<Owner>(options: EngineWorldOptions): EngineWorld<Owner>;
}

/** Options of a world of the engine. */
export interface EngineWorldOptions {
  readonly gravityX: number;
  readonly gravityY: number;
  /** Lets bodies at rest sleep. */
  readonly sleep: boolean;
  /** Keeps fast bodies from passing through static ones. */
  readonly continuous: boolean;
  /** The slowest approach that counts as a hit, in metres per second. */
  readonly hitSpeed: number;
}

/** 0 static, 1 kinematic, 2 dynamic. */
export interface EngineBody {
  type: number;
  velocityX: number;
  velocityY: number;
  angularVelocity: number;
  linearDamping: number;
  angularDamping: number;
  gravityScale: number;
  bullet: boolean;
  fixedRotation: boolean;
  allowSleep: boolean;
  /** One that falls asleep takes along all that touch it. */
  awake: boolean;
}

/** A form in the space of its body. Points are x, y, x, y, … */
export type EngineGeometry =
  | { readonly type: "circle"; readonly x: number; readonly y: number; readonly radius: number }
  | { readonly type: "capsule" | "segment"; readonly points: readonly number[]; readonly radius: number }
  | { readonly type: "polygon"; readonly points: readonly number[]; readonly radius: number }
  | { readonly type: "chain"; readonly points: readonly number[]; readonly loop: boolean };

/** How a shape of the engine slides, bounces and weighs. */
export interface EngineMaterial {
  readonly density: number;
  readonly friction: number;
  readonly restitution: number;
  readonly sensor: boolean;
  /** The layer it is on, as one bit. */
  readonly category: bigint;
  /** The layers it collides with, one bit each. */
  readonly mask: bigint;
  readonly group: number;
}

/** A joint between two bodies; the fields are those of the `Joint` component, in metres. */
export interface EngineJoint {
  readonly kind: number;
  /** 0 for the mouse joint. */
  readonly a: number;
  readonly b: number;
  readonly anchorAX: number;
  readonly anchorAY: number;
  readonly anchorBX: number;
  readonly anchorBY: number;
  readonly axis: number;
  readonly angle: number;
  readonly limit: boolean;
  readonly lower: number;
  readonly upper: number;
  readonly motor: boolean;
  readonly motorSpeed: number;
  readonly motorMax: number;
  readonly spring: boolean;
  readonly hertz: number;
  readonly damping: number;
  readonly length: number;
  readonly velocityX: number;
  readonly velocityY: number;
  readonly torqueMax: number;
  readonly targetX: number;
  readonly targetY: number;
  readonly collideConnected: boolean;
}

/** The bodies that a step moved. The arrays are reused and may be longer than `count`. */
export interface EngineMoves {
  count: number;
  bodies: Int32Array;
  /** x, y, cosine, sine of each. */
  values: Float32Array;
  /** 1 where the body fell asleep in this step. */
  asleep: Uint8Array;
}

/** Where a body is and how it moves. */
export interface EngineState {
  x: number;
  y: number;
  cosine: number;
  sine: number;
  velocityX: number;
  velocityY: number;
  angularVelocity: number;
}

/** How much an engine holds. */
export interface EngineCounts {
  readonly bodies: number;
  readonly shapes: number;
  readonly joints: number;
  readonly contacts: number;
  readonly awake: number;
  /** Bytes the engine has in use, all its worlds together. */
  readonly bytes: number;
}

/** Told of the events of the last step. `Owner` is what was given with the shape. */
export interface EngineEvents<Owner> {
  contactBegan(a: Owner, b: Owner): void;
  contactEnded(a: Owner, b: Owner): void;
  hit(a: Owner, b: Owner, x: number, y: number, normalX: number, normalY: number, speed: number): void;
  sensorBegan(sensor: Owner, visitor: Owner): void;
  sensorEnded(sensor: Owner, visitor: Owner): void;
}

/** Told of what a ray or a shape on its way meets, in no order. */
export type EngineHit<Owner> = (
  owner: Owner,
  x: number,
  y: number,
  normalX: number,
  normalY: number,
  fraction: number,
) => void;

/** One world of an engine. */
export interface EngineWorld<Owner> {
  createBody(body: EngineBody, x: number, y: number, angle: number): number;
  /** Its shapes and joints go too. */
  destroyBody(body: number): void;
  setBody(body: number, values: Partial<EngineBody>): void;
  setTransform(body: number, x: number, y: number, angle: number): void;
  /** Gives it the velocity that brings it there in `dt` seconds. */
  setTarget(body: number, x: number, y: number, angle: number, dt: number): void;
  /** Takes the body out of the world without destroying it, or back in. */
  setEnabled(body: number, enabled: boolean): void;
  setAwake(body: number, awake: boolean): void;
  isAwake(body: number): boolean;
  massOf(body: number): number;
  stateOf(body: number, out: EngineState): EngineState;
  applyForce(body: number, x: number, y: number, atX: number, atY: number): void;
  applyImpulse(body: number, x: number, y: number, atX: number, atY: number): void;
  applyTorque(body: number, torque: number): void;
  applyAngularImpulse(body: number, impulse: number): void;
  /** The centre of mass in the world, written into `x` and `y` of `out`. */
  centreOf(body: number, out: { x: number; y: number }): void;

  /** Why the engine cannot take this form (points closer than its tolerance); nothing if it can. */
  geometryProblem(geometry: EngineGeometry): string | undefined;
  createShape(body: number, geometry: EngineGeometry, material: EngineMaterial, owner: Owner): number;
  destroyShape(shape: number): void;

  createJoint(joint: EngineJoint): number;
  destroyJoint(joint: number): void;
  /** Changes what a living joint can change (motor, limits, spring, target); `false` when it must be recreated. */
  updateJoint(joint: number, before: EngineJoint, now: EngineJoint): boolean;

  setGravity(x: number, y: number): void;
  step(dt: number, substeps: number): void;
  readonly moves: EngineMoves;
  /** Brings `moves` up to date with the last step. */
  readMoves(): void;
  readEvents(events: EngineEvents<Owner>): void;

  castRay(x: number, y: number, dx: number, dy: number, mask: bigint, hit: EngineHit<Owner>): void;
  castShape(geometry: EngineGeometry, dx: number, dy: number, mask: bigint, hit: EngineHit<Owner>): void;
  overlapShape(geometry: EngineGeometry, mask: bigint, found: (owner: Owner) => void): void;
  overlapPoint(x: number, y: number, mask: bigint, found: (owner: Owner) => void): void;
  /** The points where bodies touch. */
  contactPoints(body: number, visit: (x: number, y: number, normalX: number, normalY: number) => void): void;

  readonly counts: EngineCounts;
  dispose(): void;
}
