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
  handleOf,
  indexOf,
  registerCheck,
} from "../ecs/index.ts";
import { paceOf } from "../inherit/index.ts";
import type { Point, Transforms2D } from "../transform/index.ts";
import { physicsComponents, RigidBody } from "./components.ts";
import { type Context, newState } from "./context.ts";
import { type DebugPicture, debugPicture } from "./debug/debug.ts";
import { hashStates } from "./debug/hash.ts";
import type { PhysicsEngine } from "./engine.ts";
import { DisposedPhysicsError, InvalidPhysicsNumberError, NoBodyError, PhysicsBusyError } from "./errors.ts";
import type { PhysicsEvents } from "./events.ts";
import {
  type CastHit,
  castRay,
  castShape,
  type Found,
  isFinite32,
  overlapPoint,
  overlapShape,
  type Pose,
  type QueryOptions,
  requireFinite,
} from "./queries.ts";
import { checkEngine, checkPhysicsOptions, type PhysicsOptions, requireTimeOf } from "./rules/options.ts";
import type { ColliderShape } from "./shapes/shape.ts";
import type { BodyRecord, BodyRecords } from "./sync/body-records.ts";
import type { ChangeSync } from "./sync/change-sync.ts";
import { Simulation } from "./sync/simulation.ts";

/** In seconds. The engine computes with 32 bits and divides by it; much longer ones give NaN. */
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

/** Bodies, colliders and joints synchronised with a tree. Created by `createPhysics`. */
export class Physics {
  /** The space whose entities it moves. */
  readonly space: Transforms2D;
  /** How many units of the transforms make a metre. */
  readonly unitsPerMetre: number;
  /** The components of this room. A game adds them to the format of its scene files. */
  readonly components: readonly AnyComponent[] = physicsComponents;
  private readonly simulation: Simulation;
  // The context of the simulation: calls for one body use it directly.
  private readonly context: Context;
  private readonly records: BodyRecords;
  private readonly changes: ChangeSync;
  private readonly endCheck: (() => void) | undefined;
  private readonly velocity = newState();
  private timeOf: Entity | null;
  private isDisposed = false;

  /** @internal Use `createPhysics`. */
  constructor(space: Transforms2D, engine: PhysicsEngine, options: PhysicsOptions) {
    checkEngine(engine);
    checkPhysicsOptions(space, options);
    this.space = space;
    this.unitsPerMetre = options.unitsPerMetre ?? 1;
    this.timeOf = options.timeOf === undefined ? null : requireTimeOf(space, options.timeOf);
    const simulation = new Simulation(space, engine, options);
    this.simulation = simulation;
    this.context = simulation.context;
    this.records = simulation.records;
    this.changes = simulation.changes;
    if (DEVELOPMENT)
      this.endCheck = registerCheck(space.tree.world, { name: "physics", check: () => simulation.wrong() });
  }

  // Time -------------------------------------------------------------------------------------------------------------------

  /**
   * Advances by `dt` seconds, preferably the same every time. Applies changes of the world, runs the engine, and
   * writes the transforms of the bodies that moved. Call `space.propagate()` afterwards. With `timeOf` the pace of that entity
   * applies: at 0 nothing is simulated.
   *
   * @throws PhysicsError when something cannot be simulated; nothing has moved then.
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
    if (Math.fround(passed) !== 0) this.simulation.step(passed);
  }

  /** Applies changes of the world without moving anything. `step` and all queries do so automatically. */
  sync(): void {
    this.requireUsable("sync");
    this.changes.sync();
  }

  /** Changes the gravity. Down is positive y if y points down on the screen. Wakes no body. */
  setGravity(x: number, y: number): void {
    this.requireUsable("set the gravity");
    requireFinite("set the gravity", { x, y });
    this.simulation.setGravity(x, y);
  }

  /** Replaces the option `timeOf`: the entity whose pace the simulation follows, or `null` for none. */
  setTimeOf(entity: EntityLike | null): void {
    this.requireUsable("set whose time passes");
    this.timeOf = entity === null ? null : requireTimeOf(this.space, entity);
  }

  // Events ----------------------------------------------------------------------------------------------------------

  /** Shapes that began or stopped touching. */
  get contacts(): PhysicsEvents["contacts"] {
    return this.simulation.events.contacts;
  }

  /** Shapes that collided faster than `hitSpeed`. */
  get hits(): PhysicsEvents["hits"] {
    return this.simulation.events.hits;
  }

  /** Entities that entered and left sensors. */
  get sensors(): PhysicsEvents["sensors"] {
    return this.simulation.events.sensors;
  }

  // One body ---------------------------------------------------------------------------------------------------------------

  /** Whether the entity has a body that is simulated; not while it is inactive. */
  isSimulated(entity: EntityLike): boolean {
    this.sync();
    return this.records.of(handleOf(this.context.world, entity))?.enabled ?? false;
  }

  /** Whether the `Joint` of an entity connects two bodies. It does not while one is missing or destroyed, or the joint is inactive. */
  isHolding(joint: EntityLike): boolean {
    this.sync();
    return this.simulation.jointSync.of(handleOf(this.context.world, joint)) !== undefined;
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

  /** Sets the velocity of the body. The component keeps its values, which are those that the body started with. */
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

  /** Applies a force in newtons during the next step, at the centre of mass or at a point of the world. Wakes the body. */
  applyForce(entity: EntityLike, x: number, y: number, at?: Point): void {
    const { number, point } = this.pushed(entity, "apply a force", x, y, at);
    this.context.engine.applyForce(number, x, y, point.x, point.y);
  }

  /** Applies an impulse in newton seconds, at the centre of mass or at a point of the world: it changes the velocity at once. */
  applyImpulse(entity: EntityLike, x: number, y: number, at?: Point): void {
    const { number, point } = this.pushed(entity, "apply an impulse", x, y, at);
    this.context.engine.applyImpulse(number, x, y, point.x, point.y);
  }

  /** Applies a torque during the next step. */
  applyTorque(entity: EntityLike, torque: number): void {
    requireFinite("apply a torque", { torque });
    this.context.engine.applyTorque(this.bodyOf(entity, "apply a torque").number, torque);
  }

  /** Changes the angular velocity of the body at once. */
  applyAngularImpulse(entity: EntityLike, impulse: number): void {
    requireFinite("apply an angular impulse", { impulse });
    this.context.engine.applyAngularImpulse(this.bodyOf(entity, "apply an angular impulse").number, impulse);
  }

  /** The mass in kilograms; 0 unless the body is dynamic. */
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
   * Gives a kinematic root the velocity that moves it to a position within a step of `dt` seconds, so that it carries and
   * pushes others on its way. Writing its transform would teleport it.
   */
  moveTo(entity: EntityLike, x: number, y: number, rotation: number, dt: number): void {
    requireFinite("move it", { x, y, rotation });
    requireFinite("move it", { dt });
    const { number } = this.bodyOf(entity, "move it");
    const { engine, unitsPerMetre } = this.context;
    engine.setTarget(number, x / unitsPerMetre, y / unitsPerMetre, rotation, dt);
  }

  // Queries -----------------------------------------------------------------------------------------------------------------

  /** The first shape that a ray from one point to another hits. Like all queries it ignores sensors, unless `sensors` is true. */
  castRay(
    fromX: number,
    fromY: number,
    toX: number,
    toY: number,
    options: QueryOptions = {},
  ): CastHit | undefined {
    return this.castRayAll(fromX, fromY, toX, toY, options)[0];
  }

  /** All shapes that a ray hits, nearest first. */
  castRayAll(fromX: number, fromY: number, toX: number, toY: number, options: QueryOptions = {}): CastHit[] {
    this.sync();
    return castRay(this.context, fromX, fromY, toX, toY, options);
  }

  /** All shapes that a shape hits when it moves by (`dx`, `dy`), nearest first. */
  castShape(shape: ColliderShape, from: Pose, dx: number, dy: number, options: QueryOptions = {}): CastHit[] {
    this.sync();
    return castShape(this.context, shape, from, dx, dy, options);
  }

  /** All shapes that overlap the given one. */
  overlapShape(shape: ColliderShape, at: Pose = {}, options: QueryOptions = {}): Found[] {
    this.sync();
    return overlapShape(this.context, shape, at, options);
  }

  /** All shapes that contain a point. */
  overlapPoint(x: number, y: number, options: QueryOptions = {}): Found[] {
    this.sync();
    return overlapPoint(this.context, x, y, options);
  }

  // Everything -------------------------------------------------------------------------------------------------------------

  /** The content of the engine in numbers. */
  get counts() {
    this.sync();
    return this.context.engine.counts;
  }

  /** Shapes, joints and contacts as outlines in the world, for a renderer of your choice. */
  debugPicture(): DebugPicture {
    this.sync();
    const { context, records, colliderSync, jointSync } = this.simulation;
    return debugPicture(context, records, colliderSync, jointSync);
  }

  /**
   * A number that is the same for the same positions and velocities of all bodies, to the last bit: for comparing runs, or players
   * of one game.
   */
  hash(): number {
    this.sync();
    const bodies = [...this.records].sort((a, b) => indexOf(a.entity) - indexOf(b.entity));
    return hashStates(this.context.engine, bodies);
  }

  /**
   * Writes the velocities of all bodies and whether they are awake into their components, and notifies their listeners.
   * Snapshots, files, clones and undo do so automatically; this is for queries and tools that read `RigidBody`.
   */
  storeVelocities(): void {
    this.sync();
    this.simulation.motion.storeAll();
    for (const { entity } of this.records) this.context.world.touch(entity, RigidBody);
  }

  /**
   * Recreates everything in the engine from components and transforms. Bodies continue as they were, but the engine
   * forgets earlier contacts. If called after taking and after restoring a snapshot, the same steps lead to the
   * same positions, to the last bit.
   */
  rebuild(): void {
    this.requireUsable("rebuild");
    this.requireIdle("rebuild");
    this.simulation.rebuild();
  }

  /**
   * Frees the engine's world and removes the rules of the tree. Components stay, with the velocities of the last step.
   * Calling it again does nothing.
   */
  dispose(): void {
    if (this.isDisposed) return;
    this.requireIdle("dispose of the physics");
    if (!this.context.world.isDisposed) this.simulation.motion.storeAll();
    this.isDisposed = true;
    this.endCheck?.();
    this.simulation.close();
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** How fast time passes for all bodies. */
  private pace(): number {
    const { timeOf, context } = this;
    return timeOf === null || !context.world.isAlive(timeOf) ? 1 : paceOf(context.tree).of(timeOf);
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
    // A change of one body may wake others.
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
    if (this.simulation.isStepping) throw new PhysicsBusyError(doing);
  }

  private requireUsable(doing: string): void {
    if (this.isDisposed) throw new DisposedPhysicsError(doing);
  }
}
