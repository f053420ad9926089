/**
 * The contract between this room and an engine: numbers in, numbers out, in metres and radians. It knows no entities
 * and no trees; bodies and joints are numbers that the engine assigns, above 0.
 *
 * All arguments were checked: finite numbers, bodies that exist, shapes with an area.
 */

/** The limits of an engine. */
export interface EngineLimits {
  /** Points of a polygon. */
  readonly polygonPoints: number;
  /** Layers that shapes can be on. */
  readonly layers: number;
  /** Bodies of one world. */
  readonly bodies: number;
  /** The largest distance from the origin, in metres. */
  readonly range: number;
}

/** A loaded engine: creates worlds that share nothing. */
export interface PhysicsEngine {
  /** Shown in messages. */
  readonly name: string;
  /** Its limits. */
  readonly limits: EngineLimits;
  /** @throws EngineLimitError when it cannot hold another one. */
  /** Creates an empty world. */
  createWorld<Owner>(options: EngineWorldOptions): EngineWorld<Owner>;
}

/** Options of a world of the engine. */
export interface EngineWorldOptions {
  /** Metres per second squared along x. */
  readonly gravityX: number;
  /** Metres per second squared along y. */
  readonly gravityY: number;
  /** Lets bodies at rest sleep. */
  readonly sleep: boolean;
  /** Keeps fast bodies from passing through static ones. */
  readonly continuous: boolean;
  /** The lowest approach speed that counts as a hit, in metres per second. */
  readonly hitSpeed: number;
}

/** 0 static, 1 kinematic, 2 dynamic. */
export interface EngineBody {
  /** 0 static, 1 kinematic, 2 dynamic. */
  type: number;
  /** Metres per second along x. */
  velocityX: number;
  /** Metres per second along y. */
  velocityY: number;
  /** Radians per second. */
  angularVelocity: number;
  /** How fast its velocity fades, per second. */
  linearDamping: number;
  /** How fast its turning fades, per second. */
  angularDamping: number;
  /** The factor of gravity for it. */
  gravityScale: number;
  /** Whether it is kept from passing through others when it is fast. */
  bullet: boolean;
  /** Whether it never turns. */
  fixedRotation: boolean;
  /** Whether it may sleep when it is at rest. */
  allowSleep: boolean;
  /** Whether it is awake. When it falls asleep, so do all bodies that touch it. */
  awake: boolean;
}

/** A form in the space of its body. Points are x, y, x, y, … */
export type EngineGeometry =
  | {
      /** The kind of form. */
      readonly type: "circle";
      /** The x of the centre. */
      readonly x: number;
      /** The y of the centre. */
      readonly y: number;
      /** The radius. */
      readonly radius: number;
    }
  | {
      /** The kind of form. */
      readonly type: "capsule" | "segment";
      /** The two ends. */
      readonly points: readonly number[];
      /** The radius of the half circles; 0 for a segment. */
      readonly radius: number;
    }
  | {
      /** The kind of form. */
      readonly type: "polygon";
      /** The corners, in order. */
      readonly points: readonly number[];
      /** Rounds the corners outwards. */
      readonly radius: number;
    }
  | {
      /** The kind of form. */
      readonly type: "chain";
      /** The points, in order. */
      readonly points: readonly number[];
      /** Whether the last point is connected to the first. */
      readonly loop: boolean;
    };

/** The material of a shape of the engine. */
export interface EngineMaterial {
  /** Kilograms per square metre. */
  readonly density: number;
  /** How much it resists sliding. */
  readonly friction: number;
  /** The fraction of speed kept in a bounce. */
  readonly restitution: number;
  /** Whether it reports overlaps and does not collide. */
  readonly sensor: boolean;
  /** The layer it is on, as one bit. */
  readonly category: bigint;
  /** The layers it collides with, one bit each. */
  readonly mask: bigint;
  /** Shapes of the same positive group always collide, of the same negative group never. */
  readonly group: number;
}

/** A joint between two bodies; the fields are those of the `Joint` component, in metres. */
export interface EngineJoint {
  /** One of the kinds of `Joint`. */
  readonly kind: number;
  /** 0 for the mouse joint. */
  readonly a: number;
  /** The second body. */
  readonly b: number;
  /** The x of the anchor, in the space of `a`. */
  readonly anchorAX: number;
  /** The y of the anchor, in the space of `a`. */
  readonly anchorAY: number;
  /** The x of the anchor, in the space of `b`. */
  readonly anchorBX: number;
  /** The y of the anchor, in the space of `b`. */
  readonly anchorBY: number;
  /** The direction of the sliding axis on `a`, in radians. */
  readonly axis: number;
  /** The rotation of `b` relative to `a` that counts as 0. */
  readonly angle: number;
  /** Whether `lower` and `upper` bound it. */
  readonly limit: boolean;
  /** The least angle, translation or length. */
  readonly lower: number;
  /** The greatest angle, translation or length. */
  readonly upper: number;
  /** Whether it is driven. */
  readonly motor: boolean;
  /** How fast it is driven: radians or metres per second. */
  readonly motorSpeed: number;
  /** The greatest torque or force of the motor. */
  readonly motorMax: number;
  /** Whether it yields like a spring. */
  readonly spring: boolean;
  /** The stiffness of the spring: oscillations per second. */
  readonly hertz: number;
  /** How fast oscillations fade: 1 stops without overshooting. */
  readonly damping: number;
  /** The rest length of a distance joint; negative uses the distance when it is created. */
  readonly length: number;
  /** The velocity along x that a motor joint drives at. */
  readonly velocityX: number;
  /** The velocity along y that a motor joint drives at. */
  readonly velocityY: number;
  /** The greatest torque of a motor joint. */
  readonly torqueMax: number;
  /** The x that a mouse joint pulls towards. */
  readonly targetX: number;
  /** The y that a mouse joint pulls towards. */
  readonly targetY: number;
  /** Whether the two bodies collide with each other. */
  readonly collideConnected: boolean;
}

/** The bodies that a step moved. The arrays are reused and may be longer than `count`. */
export interface EngineMoves {
  /** How many bodies moved. */
  count: number;
  /** The numbers of the bodies. */
  bodies: Int32Array;
  /** Four numbers for each: x, y, cosine and sine. */
  values: Float32Array;
  /** 1 if the body fell asleep in this step. */
  asleep: Uint8Array;
}

/** How a body moves. */
export interface EngineVelocity {
  /** Metres per second along x. */
  velocityX: number;
  /** Metres per second along y. */
  velocityY: number;
  /** Radians per second. */
  angularVelocity: number;
}

/** The position, rotation and velocity of a body. */
export interface EngineState extends EngineVelocity {
  /** The x of its origin. */
  x: number;
  /** The y of its origin. */
  y: number;
  /** The cosine of its rotation. */
  cosine: number;
  /** The sine of its rotation. */
  sine: number;
}

/** The content of an engine in numbers. */
export interface EngineCounts {
  /** How many bodies there are. */
  readonly bodies: number;
  /** How many shapes there are. */
  readonly shapes: number;
  /** How many joints there are. */
  readonly joints: number;
  /** How many pairs of shapes touch. */
  readonly contacts: number;
  /** How many bodies are awake. */
  readonly awake: number;
  /** Bytes the engine has in use, all its worlds together. */
  readonly bytes: number;
}

/** Receives the events of the last step. `Owner` is what was given with the shape. */
export interface EngineEvents<Owner> {
  /** Two shapes began to touch. */
  contactBegan(a: Owner, b: Owner): void;
  /** Two shapes stopped touching. */
  contactEnded(a: Owner, b: Owner): void;
  /** Two shapes met faster than `hitSpeed`. */
  hit(a: Owner, b: Owner, x: number, y: number, normalX: number, normalY: number, speed: number): void;
  /** A shape entered a sensor. */
  sensorBegan(sensor: Owner, visitor: Owner): void;
  /** A shape left a sensor. */
  sensorEnded(sensor: Owner, visitor: Owner): void;
}

/** Called for each shape that a ray or a moving shape hits, in no particular order. */
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
  /** Creates a body at a position. Returns its number. */
  createBody(body: EngineBody, x: number, y: number, angle: number): number;
  /** Destroys a body with its shapes and joints. */
  destroyBody(body: number): void;
  /** Changes some of its values. */
  setBody(body: number, values: Partial<EngineBody>): void;
  /** Changes how fast it moves, in metres per second. Wakes it unless both are 0. */
  setVelocity(body: number, x: number, y: number): void;
  /** Moves it somewhere at once. */
  setTransform(body: number, x: number, y: number, angle: number): void;
  /** Sets the velocity that moves it there in `dt` seconds. */
  setTarget(body: number, x: number, y: number, angle: number, dt: number): void;
  /** Removes the body from the simulation without destroying it, or adds it again. */
  setEnabled(body: number, enabled: boolean): void;
  /** Wakes it, or lets it sleep. */
  setAwake(body: number, awake: boolean): void;
  /** Whether it is awake. */
  isAwake(body: number): boolean;
  /** Its mass in kilograms. */
  massOf(body: number): number;
  /** Its position, rotation and velocity, written into `out`. */
  stateOf(body: number, out: EngineState): EngineState;
  /** Its velocity, written into `out`. */
  velocityOf(body: number, out: EngineVelocity): EngineVelocity;
  /** Pushes it at a point of the world, until the end of the step. */
  applyForce(body: number, x: number, y: number, atX: number, atY: number): void;
  /** Changes its momentum at a point of the world, at once. */
  applyImpulse(body: number, x: number, y: number, atX: number, atY: number): void;
  /** Applies a torque, until the end of the step. */
  applyTorque(body: number, torque: number): void;
  /** Changes its angular velocity at once. */
  applyAngularImpulse(body: number, impulse: number): void;
  /** The centre of mass in the world, written into `x` and `y` of `out`. */
  centreOf(body: number, out: { x: number; y: number }): void;

  /** Why the engine cannot use this form (points closer than its tolerance); `undefined` if it can. */
  geometryProblem(geometry: EngineGeometry): string | undefined;
  /** Adds a shape to a body. Returns its number; `owner` is passed to events and queries. */
  createShape(body: number, geometry: EngineGeometry, material: EngineMaterial, owner: Owner): number;
  /** Removes a shape. */
  destroyShape(shape: number): void;

  /** Joins two bodies. Returns the number of the joint. */
  createJoint(joint: EngineJoint): number;
  /** Removes a joint. */
  destroyJoint(joint: number): void;
  /** Updates the changeable fields of a joint (motor, limits, spring, target); `false` when it must be recreated. */
  updateJoint(joint: number, before: EngineJoint, now: EngineJoint): boolean;

  /** Changes the gravity, in metres per second squared. */
  setGravity(x: number, y: number): void;
  /** Advances by `dt` seconds, computed in `substeps` parts. */
  step(dt: number, substeps: number): void;
  /** The bodies that the last step moved, after a call of `readMoves`. */
  readonly moves: EngineMoves;
  /** Updates `moves` from the last step. */
  readMoves(): void;
  /** Reports the events of the last step. */
  readEvents(events: EngineEvents<Owner>): void;

  /** Reports the shapes that a ray hits. */
  castRay(x: number, y: number, dx: number, dy: number, mask: bigint, hit: EngineHit<Owner>): void;
  /** Reports the shapes that a moving form hits. */
  castShape(geometry: EngineGeometry, dx: number, dy: number, mask: bigint, hit: EngineHit<Owner>): void;
  /** Reports the shapes that overlap a form. */
  overlapShape(geometry: EngineGeometry, mask: bigint, found: (owner: Owner) => void): void;
  /** Reports the shapes that contain a point. */
  overlapPoint(x: number, y: number, mask: bigint, found: (owner: Owner) => void): void;
  /** The points where bodies touch. */
  contactPoints(body: number, visit: (x: number, y: number, normalX: number, normalY: number) => void): void;

  /** Its content in numbers. */
  readonly counts: EngineCounts;
  /** Frees the world with everything in it. */
  dispose(): void;
}
