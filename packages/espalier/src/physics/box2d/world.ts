/**
 * One world of Box2D behind the contract of engines.
 *
 * Bodies are known by the index Box2D gives them. It reuses indices and traps on a destroyed body, so ids
 * are kept here and looked up for every call.
 */
import type {
  EngineBody,
  EngineCounts,
  EngineEvents,
  EngineGeometry,
  EngineHit,
  EngineJoint,
  EngineMaterial,
  EngineMoves,
  EngineState,
  EngineVelocity,
  EngineWorld,
  EngineWorldOptions,
} from "../engine.ts";
import { Bodies } from "./bodies.ts";
import { readEvents } from "./events.ts";
import { Joints } from "./joints.ts";
import type { Module, WorldId } from "./module.ts";
import { MoveReader } from "./moves.ts";
import { castRay, castShape, contactPoints, overlapPoint, overlapShape, type QueryHost } from "./queries.ts";
import { Scratch } from "./scratch.ts";
import { geometryProblem, Shapes } from "./shapes.ts";

export class Box2DWorld<Owner> implements EngineWorld<Owner> {
  private readonly module: Module;
  private readonly id: WorldId;
  private readonly scratch: Scratch;
  private readonly bodies: Bodies;
  private readonly shapes: Shapes<Owner>;
  private readonly joints: Joints;
  private readonly reader: MoveReader;
  private readonly host: QueryHost<Owner>;
  private readonly onDispose: () => void;
  private disposed = false;

  constructor(module: Module, options: EngineWorldOptions, memoryReads: boolean, onDispose: () => void) {
    this.module = module;
    const def = module.b2DefaultWorldDef();
    def.gravity.Set(options.gravityX, options.gravityY);
    def.enableSleep = options.sleep;
    def.enableContinuous = options.continuous;
    def.hitEventThreshold = options.hitSpeed;
    this.id = module.b2CreateWorld(def);
    def.delete();
    this.scratch = new Scratch(module);
    this.bodies = new Bodies(module, this.id, this.scratch);
    this.shapes = new Shapes(module, this.scratch);
    this.joints = new Joints(module, this.id, (body) => this.bodies.idOf(body));
    this.reader = new MoveReader(module, this.id, memoryReads);
    this.host = { module, world: this.id, scratch: this.scratch, ownerOf: (id) => this.shapes.ownerOf(id) };
    this.onDispose = onDispose;
  }

  // Bodies -----------------------------------------------------------------------------------------------------------------

  createBody(body: EngineBody, x: number, y: number, angle: number): number {
    return this.bodies.create(body, x, y, angle);
  }

  destroyBody(body: number): void {
    this.bodies.idOf(body);
    this.shapes.bodyGone(body);
    this.bodies.destroy(body);
  }

  setBody(body: number, values: Partial<EngineBody>): void {
    this.bodies.set(body, values);
  }

  setVelocity(body: number, x: number, y: number): void {
    this.bodies.setVelocity(body, x, y);
  }

  setTransform(body: number, x: number, y: number, angle: number): void {
    this.bodies.setTransform(body, x, y, angle);
  }

  setTarget(body: number, x: number, y: number, angle: number, dt: number): void {
    this.bodies.setTarget(body, x, y, angle, dt);
  }

  setEnabled(body: number, enabled: boolean): void {
    this.bodies.setEnabled(body, enabled);
  }

  setAwake(body: number, awake: boolean): void {
    this.module.b2Body_SetAwake(this.bodies.idOf(body), awake);
  }

  isAwake(body: number): boolean {
    return this.module.b2Body_IsAwake(this.bodies.idOf(body));
  }

  massOf(body: number): number {
    return this.module.b2Body_GetMass(this.bodies.idOf(body));
  }

  stateOf(body: number, out: EngineState): EngineState {
    return this.bodies.stateOf(body, out);
  }

  velocityOf(body: number, out: EngineVelocity): EngineVelocity {
    return this.bodies.velocityOf(body, out);
  }

  centreOf(body: number, out: { x: number; y: number }): void {
    const centre = this.module.b2Body_GetWorldCenterOfMass(this.bodies.idOf(body));
    out.x = centre.x;
    out.y = centre.y;
    centre.delete();
  }

  applyForce(body: number, x: number, y: number, atX: number, atY: number): void {
    const { vector, point } = this.scratch;
    vector.Set(x, y);
    point.Set(atX, atY);
    this.module.b2Body_ApplyForce(this.bodies.idOf(body), vector, point, true);
  }

  applyImpulse(body: number, x: number, y: number, atX: number, atY: number): void {
    const { vector, point } = this.scratch;
    vector.Set(x, y);
    point.Set(atX, atY);
    this.module.b2Body_ApplyLinearImpulse(this.bodies.idOf(body), vector, point, true);
  }

  applyTorque(body: number, torque: number): void {
    this.module.b2Body_ApplyTorque(this.bodies.idOf(body), torque, true);
  }

  applyAngularImpulse(body: number, impulse: number): void {
    this.module.b2Body_ApplyAngularImpulse(this.bodies.idOf(body), impulse, true);
  }

  // Shapes and joints ------------------------------------------------------------------------------------------------------

  geometryProblem(geometry: EngineGeometry): string | undefined {
    return geometryProblem(this.scratch.polygons, geometry);
  }

  createShape(body: number, geometry: EngineGeometry, material: EngineMaterial, owner: Owner): number {
    return this.shapes.create(body, this.bodies.idOf(body), geometry, material, owner);
  }

  destroyShape(shape: number): void {
    this.shapes.destroy(shape);
  }

  createJoint(joint: EngineJoint): number {
    return this.joints.create(joint);
  }

  destroyJoint(joint: number): void {
    this.joints.destroy(joint);
  }

  updateJoint(joint: number, before: EngineJoint, now: EngineJoint): boolean {
    return this.joints.update(joint, before, now);
  }

  // Stepping ---------------------------------------------------------------------------------------------------------------

  setGravity(x: number, y: number): void {
    this.scratch.vector.Set(x, y);
    this.module.b2World_SetGravity(this.id, this.scratch.vector);
  }

  step(dt: number, substeps: number): void {
    this.shapes.age();
    this.module.b2World_Step(this.id, dt, substeps);
  }

  get moves(): EngineMoves {
    return this.reader.moves;
  }

  readMoves(): void {
    this.reader.read();
  }

  readEvents(events: EngineEvents<Owner>): void {
    readEvents(this.module, this.id, this.host.ownerOf, events);
  }

  // Queries -----------------------------------------------------------------------------------------------------------------

  castRay(x: number, y: number, dx: number, dy: number, mask: bigint, hit: EngineHit<Owner>): void {
    castRay(this.host, x, y, dx, dy, mask, hit);
  }

  castShape(geometry: EngineGeometry, dx: number, dy: number, mask: bigint, hit: EngineHit<Owner>): void {
    castShape(this.host, geometry, dx, dy, mask, hit);
  }

  overlapShape(geometry: EngineGeometry, mask: bigint, found: (owner: Owner) => void): void {
    overlapShape(this.host, geometry, mask, found);
  }

  overlapPoint(x: number, y: number, mask: bigint, found: (owner: Owner) => void): void {
    overlapPoint(this.host, x, y, mask, found);
  }

  contactPoints(body: number, visit: (x: number, y: number, normalX: number, normalY: number) => void): void {
    contactPoints(this.module, this.bodies.idOf(body), visit);
  }

  get counts(): EngineCounts {
    const { handles } = this.joints;
    const counters = this.module.b2World_GetCounters(this.id);
    const counts = {
      bodies: counters.bodyCount - handles,
      shapes: counters.shapeCount,
      joints: counters.jointCount,
      contacts: counters.contactCount,
      // Bodies that represent a mouse never sleep.
      awake: this.module.b2World_GetAwakeBodyCount(this.id) - handles,
      bytes: this.module.GetMemoryStats().allocatedSpace,
    };
    counters.delete();
    return counts;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.module.b2DestroyWorld(this.id);
    this.scratch.dispose();
    this.onDispose();
  }
}
