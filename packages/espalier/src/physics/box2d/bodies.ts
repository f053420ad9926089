/**
 * Bodies in the engine, by index. No call reaches the engine for a destroyed body: it would trap.
 */
import type { EngineBody, EngineState, EngineVelocity } from "../engine.ts";
import { NoBodyError } from "../errors.ts";
import type { BodyId, Module, WorldId } from "./module.ts";
import type { Scratch } from "./scratch.ts";

interface Velocity {
  x: number;
  y: number;
  angular: number;
}

export class Bodies {
  private readonly module: Module;
  private readonly world: WorldId;
  private readonly scratch: Scratch;
  private readonly ids: (BodyId | undefined)[] = [];
  /** The engine forgets the velocity of a body that is disabled. */
  private readonly parked = new Map<number, Velocity>();
  private readonly velocity: EngineVelocity = { velocityX: 0, velocityY: 0, angularVelocity: 0 };

  constructor(module: Module, world: WorldId, scratch: Scratch) {
    this.module = module;
    this.world = world;
    this.scratch = scratch;
  }

  idOf(body: number): BodyId {
    const id = this.ids[body];
    if (id !== undefined) return id;
    throw new NoBodyError(`Cannot use body ${body} of Box2D: it was destroyed. Keep entities, not bodies.`);
  }

  create(body: EngineBody, x: number, y: number, angle: number): number {
    const { module } = this;
    const { def, position, rotation, linearVelocity, motionLocks } = this.scratch.body;
    def.type = typeOf(module, body.type);
    position.Set(x, y);
    rotation.SetAngle(angle);
    linearVelocity.Set(body.velocityX, body.velocityY);
    def.angularVelocity = body.angularVelocity;
    def.linearDamping = body.linearDamping;
    def.angularDamping = body.angularDamping;
    def.gravityScale = body.gravityScale;
    def.isBullet = body.bullet;
    motionLocks.angularZ = body.fixedRotation;
    def.enableSleep = body.allowSleep;
    def.isAwake = body.awake;
    const id = module.b2CreateBody(this.world, def);
    const number = id.index1;
    this.ids[number] = id;
    return number;
  }

  destroy(body: number): void {
    this.module.b2DestroyBody(this.idOf(body));
    this.ids[body] = undefined;
    this.parked.delete(body);
  }

  set(body: number, values: Partial<EngineBody>): void {
    const { module } = this;
    const id = this.idOf(body);
    if (values.type !== undefined) module.b2Body_SetType(id, typeOf(module, values.type));
    if (values.linearDamping !== undefined) module.b2Body_SetLinearDamping(id, values.linearDamping);
    if (values.angularDamping !== undefined) module.b2Body_SetAngularDamping(id, values.angularDamping);
    if (values.gravityScale !== undefined) module.b2Body_SetGravityScale(id, values.gravityScale);
    if (values.bullet !== undefined) module.b2Body_SetBullet(id, values.bullet);
    if (values.allowSleep !== undefined) module.b2Body_EnableSleep(id, values.allowSleep);
    if (values.fixedRotation !== undefined) {
      this.scratch.locks.angularZ = values.fixedRotation;
      module.b2Body_SetMotionLocks(id, this.scratch.locks);
    }
    this.setMotion(body, id, values);
    // Last, because setting a velocity wakes the body.
    if (values.awake !== undefined) module.b2Body_SetAwake(id, values.awake);
  }

  setVelocity(body: number, x: number, y: number): void {
    const id = this.idOf(body);
    const parked = this.parked.get(body);
    if (parked !== undefined) {
      parked.x = x;
      parked.y = y;
      return;
    }
    const { vector } = this.scratch;
    vector.Set(x, y);
    this.module.b2Body_SetLinearVelocity(id, vector);
  }

  private setMotion(body: number, id: BodyId, values: Partial<EngineBody>): void {
    const { velocityX, velocityY, angularVelocity } = values;
    if (velocityX !== undefined || velocityY !== undefined) {
      // Read only for a component that is left out: an object of the engine costs as much as setting a velocity.
      const isComplete = velocityX !== undefined && velocityY !== undefined;
      const now = isComplete ? this.velocity : this.velocityOf(body, this.velocity);
      this.setVelocity(body, velocityX ?? now.velocityX, velocityY ?? now.velocityY);
    }
    if (angularVelocity === undefined) return;
    const parked = this.parked.get(body);
    if (parked !== undefined) parked.angular = angularVelocity;
    else this.module.b2Body_SetAngularVelocity(id, angularVelocity);
  }

  setTransform(body: number, x: number, y: number, angle: number): void {
    const { point, rotation } = this.scratch;
    point.Set(x, y);
    rotation.SetAngle(angle);
    this.module.b2Body_SetTransform(this.idOf(body), point, rotation);
  }

  setTarget(body: number, x: number, y: number, angle: number, dt: number): void {
    const { transform } = this.scratch;
    transform.p.Set(x, y);
    transform.q.SetAngle(angle);
    this.module.b2Body_SetTargetTransform(this.idOf(body), transform, dt);
  }

  setEnabled(body: number, enabled: boolean): void {
    const id = this.idOf(body);
    if (this.module.b2Body_IsEnabled(id) === enabled) return;
    if (!enabled) {
      const velocity = this.module.b2Body_GetLinearVelocity(id);
      const angular = this.module.b2Body_GetAngularVelocity(id);
      this.module.b2Body_Disable(id);
      this.parked.set(body, { x: velocity.x, y: velocity.y, angular });
      velocity.delete();
      return;
    }
    const parked = this.parked.get(body);
    this.parked.delete(body);
    this.module.b2Body_Enable(id);
    if (parked === undefined) return;
    this.setMotion(body, id, { velocityX: parked.x, velocityY: parked.y, angularVelocity: parked.angular });
  }

  stateOf(body: number, out: EngineState): EngineState {
    const id = this.idOf(body);
    const transform = this.module.b2Body_GetTransform(id);
    const { p, q } = transform;
    out.x = p.x;
    out.y = p.y;
    out.cosine = q.c;
    out.sine = q.s;
    transform.delete();
    this.velocityOf(body, out);
    return out;
  }

  velocityOf(body: number, out: EngineVelocity): EngineVelocity {
    const id = this.idOf(body);
    const parked = this.parked.get(body);
    if (parked !== undefined) {
      out.velocityX = parked.x;
      out.velocityY = parked.y;
      out.angularVelocity = parked.angular;
      return out;
    }
    const velocity = this.module.b2Body_GetLinearVelocity(id);
    out.velocityX = velocity.x;
    out.velocityY = velocity.y;
    velocity.delete();
    out.angularVelocity = this.module.b2Body_GetAngularVelocity(id);
    return out;
  }
}

function typeOf(module: Module, type: number) {
  const { b2_staticBody, b2_kinematicBody, b2_dynamicBody } = module.b2BodyType;
  return type === 0 ? b2_staticBody : type === 1 ? b2_kinematicBody : b2_dynamicBody;
}
