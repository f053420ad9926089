/**
 * Physics over a tree: what users call.
 */
import {
  type AnyComponent,
  type ArgumentTest,
  DEVELOPMENT,
  describeValue,
  type Entity,
  type EntityLike,
  expectArguments,
  type Finding,
  handleOf,
  indexOf,
  registerCheck,
} from "../ecs/index.ts";
import { paceOf } from "../inherit/index.ts";
import type { Point, Transforms2D } from "../transform/index.ts";
import { wrongBodies } from "./check-bodies.ts";
import { physicsComponents, RigidBody } from "./components.ts";
import { type Context, newState } from "./context.ts";
import { type DebugPicture, debugPicture } from "./debug/debug.ts";
import { hashStates } from "./debug/hash.ts";
import type { PhysicsEngine } from "./engine.ts";
import {
  DisposedPhysicsError,
  InvalidPhysicsNumberError,
  NoBodyError,
  PhysicsBusyError,
  PhysicsError,
} from "./errors.ts";
import { PhysicsEvents } from "./events.ts";
import {
  type CastHit,
  castRay,
  castShape,
  type Found,
  isFinite32,
  overlapPoint,
  overlapShape,
  type Placed,
  type QueryOptions,
  requireFinite,
} from "./queries.ts";
import { Layers } from "./rules/layers.ts";
import { checkEngine, checkPhysicsOptions, type PhysicsOptions, requireTimeOf } from "./rules/options.ts";
import { refuseValues } from "./rules/refuse-values.ts";
import { enforceRules } from "./rules/rules.ts";
import type { ColliderShape } from "./shapes/shape.ts";
import { type BodyRecord, BodyRecords } from "./sync/body-records.ts";
import { BodySync } from "./sync/body-sync.ts";
import { ChangeSync } from "./sync/change-sync.ts";
import { ColliderSync } from "./sync/collider-sync.ts";
import { Followers } from "./sync/followers.ts";
import { JointSync } from "./sync/joint-sync.ts";
import { MotionStore } from "./sync/motion-store.ts";
import { WriteBack } from "./sync/write-back.ts";

/** In seconds. The engine computes with 32 bits and divides by it; what it makes of much longer ones is not a number. */
const LONGEST_STEP = 60;

const anEntity: ArgumentTest = {
  expected: "the number of an entity; that of an object of a game is its id",
  fits: (value) => typeof value === "number",
};

/**
 * Gives the entities of a space bodies. From then on an entity with a `RigidBody` is moved by the engine in every `step`,
 * and its children follow it through the tree.
 *
 * @example
 * ```ts
 * import { loadBox2D } from "espalier/physics/box2d";
 *
 * const space = createTransforms2D(tree);
 * const physics = createPhysics(space, await loadBox2D(), { gravity: { x: 0, y: -10 } });
 * const ball = world.spawn(space.at(0, 10), RigidBody, Collider({ shapes: [{ type: "circle", radius: 0.5 }] }));
 * physics.step(1 / 60);
 * space.localOf(ball).y < 10; // → true
 * ```
 *
 * @throws EngineNotLoadedError when the engine was not awaited, InvalidPhysicsOptionsError, EngineLimitError.
 */
export function createPhysics(
  space: Transforms2D,
  engine: PhysicsEngine,
  options: PhysicsOptions = {},
): Physics {
  return new Physics(space, engine, options);
}

/** Bodies, colliders and joints in step with a tree. Made by `createPhysics`. */
export class Physics {
  /** The space whose entities it moves. */
  readonly space: Transforms2D;
  /** How many units of the transforms are a metre. */
  readonly unitsPerMetre: number;
  /** The components of this room. A game takes them into the format of its scene files. */
  readonly components: readonly AnyComponent[] = physicsComponents;
  private readonly context: Context;
  private readonly engine: PhysicsEngine;
  private readonly options: PhysicsOptions;
  private readonly records: BodyRecords;
  private readonly bodySync: BodySync;
  private readonly colliderSync: ColliderSync;
  private readonly jointSync: JointSync;
  private readonly changes: ChangeSync;
  private readonly writer: WriteBack;
  private readonly events: PhysicsEvents;
  private readonly followers: Followers;
  private readonly motion: MotionStore;
  private readonly ends: readonly (() => void)[];
  private readonly endCheck: (() => void) | undefined;
  private readonly velocity = newState();
  private gravity: Point;
  private timeOf: Entity | null;
  private isDisposed = false;
  private isStepping = false;

  /** @internal Use `createPhysics`. */
  constructor(space: Transforms2D, engine: PhysicsEngine, options: PhysicsOptions) {
    checkEngine(engine);
    checkPhysicsOptions(space, options);
    const { tree } = space;
    this.space = space;
    this.unitsPerMetre = options.unitsPerMetre ?? 1;
    this.engine = engine;
    this.options = options;
    this.gravity = options.gravity ?? { x: 0, y: -10 * (options.unitsPerMetre ?? 1) };
    this.timeOf = options.timeOf === undefined ? null : requireTimeOf(space, options.timeOf);
    const layers = new Layers(options.layers ?? ["default"], engine.limits.layers);
    this.context = {
      world: tree.world,
      tree,
      space,
      engine: this.createEngineWorld(),
      engineName: engine.name,
      range: engine.limits.range,
      bodyLimit: engine.limits.bodies,
      unitsPerMetre: options.unitsPerMetre ?? 1,
      layers,
      childBodies: options.childBodies ?? "refuse",
    };
    this.records = new BodyRecords();
    this.bodySync = new BodySync(this.context, this.records, options.onTeleport === "stop");
    this.colliderSync = new ColliderSync(this.context, this.records, this.bodySync);
    this.jointSync = new JointSync(this.context, this.records);
    this.changes = new ChangeSync(
      this.context,
      this.records,
      this.bodySync,
      this.colliderSync,
      this.jointSync,
    );
    this.writer = new WriteBack(this.context, this.records);
    this.followers = new Followers(this.context, this.records, this.bodySync);
    this.motion = new MotionStore(this.context, this.records, this.changes);
    this.events = new PhysicsEvents(tree.world, this.context.unitsPerMetre, options.eventCapacity);
    this.ends = this.attach();
    if (DEVELOPMENT)
      this.endCheck = registerCheck(tree.world, { name: "physics", check: () => this.wrong() });
  }

  // Time -------------------------------------------------------------------------------------------------------------------

  /**
   * Goes on by `dt` seconds, best the same every time. Carries over what changed in the world, lets the engine compute, and
   * writes the transforms of the bodies that moved. Call `space.propagate()` afterwards. With `timeOf` the pace of that entity
   * counts: at 0 nothing is simulated.
   *
   * @throws PhysicsError when something cannot be simulated: nothing has moved then.
   */
  step(dt: number): void {
    this.requireUsable("step");
    const passed = Number.isFinite(dt) && dt > 0 ? dt * this.pace() : undefined;
    if (passed === undefined || !(passed <= LONGEST_STEP)) {
      throw new InvalidPhysicsNumberError(
        `Cannot step by ${describeValue(passed ?? dt)} seconds: a step takes a finite time above 0 and up to ${LONGEST_STEP} seconds. Use a fixed one, such as 1 / 60.`,
        { value: dt, limit: LONGEST_STEP },
      );
    }
    this.requireIdle("step");
    this.changes.sync();
    // The engine divides by it, in 32 bits.
    if (Math.fround(passed) === 0) return;
    this.isStepping = true;
    try {
      this.advance(passed);
    } finally {
      this.isStepping = false;
    }
  }

  /** Carries over what changed in the world, without moving anything. `step` and everything that asks does so by itself. */
  sync(): void {
    this.requireUsable("sync");
    this.changes.sync();
  }

  /** Down the screen is positive y where y grows downwards. Wakes no body. */
  setGravity(x: number, y: number): void {
    this.requireUsable("set the gravity");
    requireFinite("set the gravity", { x, y });
    this.gravity = { x, y };
    this.context.engine.setGravity(x / this.context.unitsPerMetre, y / this.context.unitsPerMetre);
  }

  /** Takes over the option `timeOf` from now on: the entity by whose pace everything is simulated, or `null` for none. */
  setTimeOf(entity: EntityLike | null): void {
    this.requireUsable("set whose time passes");
    this.timeOf = entity === null ? null : requireTimeOf(this.space, entity);
  }

  // What happened ----------------------------------------------------------------------------------------------------------

  /** Shapes that began or ceased to touch. */
  get contacts(): PhysicsEvents["contacts"] {
    return this.events.contacts;
  }

  /** Shapes that met faster than `hitSpeed`. */
  get hits(): PhysicsEvents["hits"] {
    return this.events.hits;
  }

  /** Entities that entered and left sensors. */
  get sensors(): PhysicsEvents["sensors"] {
    return this.events.sensors;
  }

  // One body ---------------------------------------------------------------------------------------------------------------

  /** Whether the entity has a body that is simulated; not while it is inactive. */
  isSimulated(entity: EntityLike): boolean {
    this.sync();
    return this.records.of(handleOf(this.context.world, entity))?.enabled ?? false;
  }

  /** Whether the `Joint` of an entity holds two bodies. It rests while one is missing, was destroyed, or it is inactive. */
  isHolding(joint: EntityLike): boolean {
    this.sync();
    return this.jointSync.of(handleOf(this.context.world, joint)) !== undefined;
  }

  /** How fast the body moves, in units per second. */
  velocityOf(entity: EntityLike): Point {
    const { number } = this.bodyOf(entity, "read the velocity");
    const { engine, unitsPerMetre } = this.context;
    const { velocityX, velocityY } = engine.velocityOf(number, this.velocity);
    return { x: velocityX * unitsPerMetre, y: velocityY * unitsPerMetre };
  }

  /** How fast the body turns, in radians per second. */
  angularVelocityOf(entity: EntityLike): number {
    const { number } = this.bodyOf(entity, "read the angular velocity");
    return this.context.engine.velocityOf(number, this.velocity).angularVelocity;
  }

  /** The component keeps what it says: that is what the body started with. */
  setVelocity(entity: EntityLike, x: number, y: number): void {
    if (!(isFinite32(x) && isFinite32(y))) requireFinite("set the velocity", { x, y });
    const { number } = this.bodyOf(entity, "set the velocity");
    const { engine, unitsPerMetre } = this.context;
    engine.setVelocity(number, x / unitsPerMetre, y / unitsPerMetre);
  }

  /** Sets how fast the body turns, in radians per second. */
  setAngularVelocity(entity: EntityLike, angularVelocity: number): void {
    requireFinite("set the angular velocity", { angularVelocity });
    const { number } = this.bodyOf(entity, "set the angular velocity");
    this.context.engine.setBody(number, { angularVelocity });
  }

  /** A force in newtons for the next step, at the centre of mass or at a point of the world. Wakes the body. */
  applyForce(entity: EntityLike, x: number, y: number, at?: Point): void {
    const { number, point } = this.pushed(entity, "apply a force", x, y, at);
    this.context.engine.applyForce(number, x, y, point.x, point.y);
  }

  /** A push in newton seconds, at the centre of mass or at a point of the world: it changes the velocity at once. */
  applyImpulse(entity: EntityLike, x: number, y: number, at?: Point): void {
    const { number, point } = this.pushed(entity, "apply an impulse", x, y, at);
    this.context.engine.applyImpulse(number, x, y, point.x, point.y);
  }

  /** Turns the body during the next step. */
  applyTorque(entity: EntityLike, torque: number): void {
    requireFinite("apply a torque", { torque });
    this.context.engine.applyTorque(this.bodyOf(entity, "apply a torque").number, torque);
  }

  /** Changes how fast the body turns, at once. */
  applyAngularImpulse(entity: EntityLike, impulse: number): void {
    requireFinite("apply an angular impulse", { impulse });
    this.context.engine.applyAngularImpulse(this.bodyOf(entity, "apply an angular impulse").number, impulse);
  }

  /** In kilograms; 0 unless the body is dynamic. */
  massOf(entity: EntityLike): number {
    return this.context.engine.massOf(this.bodyOf(entity, "read the mass").number);
  }

  /** Whether the body is awake: simulated, not at rest. */
  isAwake(entity: EntityLike): boolean {
    return this.context.engine.isAwake(this.bodyOf(entity, "ask whether it is awake").number);
  }

  /** Wakes the body, or lets it sleep with all that touch it. */
  setAwake(entity: EntityLike, awake: boolean): void {
    expectArguments("wake a body", ["awake", awake, "boolean"]);
    this.context.engine.setAwake(this.bodyOf(entity, "wake it").number, awake);
  }

  /**
   * Gives a kinematic root the velocity that brings it to a position within a step of `dt` seconds, so that it carries and
   * pushes others on its way. Writing its transform would put it there without a way.
   */
  moveTo(entity: EntityLike, x: number, y: number, rotation: number, dt: number): void {
    requireFinite("move it", { x, y, rotation });
    requireFinite("move it", { dt });
    const { number } = this.bodyOf(entity, "move it");
    const { engine, unitsPerMetre } = this.context;
    engine.setTarget(number, x / unitsPerMetre, y / unitsPerMetre, rotation, dt);
  }

  // Asking -----------------------------------------------------------------------------------------------------------------

  /** The first that a ray from one point to another meets. Like all queries without sensors, unless `sensors` is true. */
  castRay(
    fromX: number,
    fromY: number,
    toX: number,
    toY: number,
    options: QueryOptions = {},
  ): CastHit | undefined {
    return this.castRayAll(fromX, fromY, toX, toY, options)[0];
  }

  /** All that a ray meets, nearest first. */
  castRayAll(fromX: number, fromY: number, toX: number, toY: number, options: QueryOptions = {}): CastHit[] {
    this.sync();
    return castRay(this.context, fromX, fromY, toX, toY, options);
  }

  /** All that a shape meets on its way by (`dx`, `dy`), nearest first. */
  castShape(
    shape: ColliderShape,
    from: Placed,
    dx: number,
    dy: number,
    options: QueryOptions = {},
  ): CastHit[] {
    this.sync();
    return castShape(this.context, shape, from, dx, dy, options);
  }

  /** All shapes that overlap the given one. */
  overlapShape(shape: ColliderShape, at: Placed = {}, options: QueryOptions = {}): Found[] {
    this.sync();
    return overlapShape(this.context, shape, at, options);
  }

  /** All shapes that contain a point. */
  overlapPoint(x: number, y: number, options: QueryOptions = {}): Found[] {
    this.sync();
    return overlapPoint(this.context, x, y, options);
  }

  // Everything -------------------------------------------------------------------------------------------------------------

  /** What the engine holds. */
  get counts() {
    this.sync();
    return this.context.engine.counts;
  }

  /** Shapes, joints and contacts as outlines in the world, for a renderer of your choice. */
  debugPicture(): DebugPicture {
    this.sync();
    return debugPicture(this.context, this.records, this.colliderSync, this.jointSync);
  }

  /**
   * A number that is the same for the same positions and velocities of all bodies, to the last bit: compare runs, and players
   * of one game, by it.
   */
  hash(): number {
    this.sync();
    const bodies = [...this.records].sort((a, b) => indexOf(a.entity) - indexOf(b.entity));
    return hashStates(this.context.engine, bodies);
  }

  /**
   * Writes the velocities of all bodies and whether they are awake into their components, and notifies their listeners.
   * Snapshots, files, clones and undo do so by themselves; this is for queries and tools that read `RigidBody`.
   */
  storeVelocities(): void {
    this.sync();
    this.motion.storeAll();
    for (const { entity } of this.records) this.context.world.touch(entity, RigidBody);
  }

  /**
   * Recreates everything in the engine from components and transforms. Bodies go on as they were; what the engine
   * remembers of earlier contacts is gone. After taking and after restoring a snapshot it makes the same steps lead to the
   * same positions, to the last bit.
   */
  rebuild(): void {
    this.requireUsable("rebuild");
    this.requireIdle("rebuild");
    // What waits may wake bodies that sleep: their components say so only afterwards.
    this.changes.sync();
    this.motion.storeAll();
    const { context } = this;
    context.engine.dispose();
    for (const record of [...this.records]) {
      this.records.remove(record);
      this.colliderSync.bodyGone(record);
    }
    this.jointSync.forget();
    context.engine = this.createEngineWorld();
    this.changes.markAll();
    this.changes.sync();
  }

  /**
   * Lets go of the engine's world and of the rules on the tree. Components stay, with the velocities of the last step.
   * Doing it again does nothing.
   */
  dispose(): void {
    if (this.isDisposed) return;
    this.requireIdle("dispose of the physics");
    if (!this.context.world.isDisposed) this.motion.storeAll();
    this.isDisposed = true;
    this.endCheck?.();
    this.changes.close();
    for (const end of this.ends) end();
    this.context.engine.dispose();
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** How fast time passes for all bodies. */
  private pace(): number {
    const { timeOf, context } = this;
    return timeOf === null || !context.world.isAlive(timeOf) ? 1 : paceOf(context.tree).of(timeOf);
  }

  private advance(dt: number): void {
    const { engine } = this.context;
    this.followers.send(dt);
    this.records.noteWork();
    engine.step(dt, this.options.substeps ?? 4);
    engine.readMoves();
    if (engine.moves.count > 0) this.changes.writeBack(this.writer);
    this.followers.arrive();
    if (this.events.hasReaders) engine.readEvents(this.events);
  }

  /** For the self-test. What cannot be simulated is refused by the next step, and is no fault. */
  private wrong(): Iterable<Finding> {
    if (this.isStepping) return [];
    try {
      this.changes.sync();
    } catch (error) {
      if (error instanceof PhysicsError) return [];
      throw error;
    }
    const { context, records, bodySync, colliderSync, jointSync } = this;
    return wrongBodies({ context, records, bodySync, colliderSync, jointSync });
  }

  /** Listens to writes to the world, and to code that is about to read it. */
  private attach(): (() => void)[] {
    const { context, motion } = this;
    return [
      enforceRules(context),
      refuseValues(context, (entity) => motion.store(entity)),
      // A body that goes may come back by an undo, with what it did.
      context.world.observe(RigidBody, { name: "physics", removing: (entity) => motion.store(entity) }),
      context.world.observeCapture({
        name: "physics",
        before: () => motion.storeAll(),
        restored: () => this.changes.noteRestored(),
      }),
    ];
  }

  private createEngineWorld(): Context["engine"] {
    const { options, gravity } = this;
    const metres = 1 / (options.unitsPerMetre ?? 1);
    return this.engine.createWorld({
      gravityX: gravity.x * metres,
      gravityY: gravity.y * metres,
      sleep: options.sleep ?? true,
      continuous: options.continuous ?? true,
      hitSpeed: (options.hitSpeed ?? 1 / metres) * metres,
    });
  }

  private pushed(entity: EntityLike, doing: string, x: number, y: number, at: Point | undefined) {
    requireFinite(doing, { x, y });
    if (at !== undefined) {
      expectArguments(doing, ["the point", at, "object"]);
      requireFinite(doing, { "at.x": at.x, "at.y": at.y });
    }
    const { number } = this.bodyOf(entity, doing);
    const { engine, unitsPerMetre } = this.context;
    const point = { x: (at?.x ?? 0) / unitsPerMetre, y: (at?.y ?? 0) / unitsPerMetre };
    if (at === undefined) engine.centreOf(number, point);
    return { number, point };
  }

  private bodyOf(given: EntityLike, doing: string): BodyRecord {
    this.requireUsable(doing);
    const entity = handleOf(this.context.world, given);
    this.changes.sync();
    const record = this.records.of(entity);
    // What is done to one body may wake others.
    this.records.noteWork();
    if (record !== undefined) return record;
    const { world, tree } = this.context;
    expectArguments(doing, ["the entity", entity, anEntity]);
    const why = world.isAlive(entity)
      ? "it has no RigidBody. Add one"
      : "it was destroyed. Check world.isAlive first";
    throw new NoBodyError(`Cannot ${doing} of ${tree.label(entity)}: ${why}.`, { entities: [entity] });
  }

  private requireIdle(doing: string): void {
    if (this.isStepping) throw new PhysicsBusyError(doing);
  }

  private requireUsable(doing: string): void {
    if (this.isDisposed) throw new DisposedPhysicsError(doing);
  }
}
