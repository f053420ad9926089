/**
 * Bodies in the engine, by index. No call reaches the engine for a body that is gone: it would trap.
 */
import type { EngineBody, EngineState } from "../engine.ts";
import { NoBodyError } from "../errors.ts";
import type { BodyId, Module, Scratch, WorldId } from "./module.ts";

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
    const def = module.b2DefaultBodyDef();
    def.type = typeOf(module, body.type);
    def.position.Set(x, y);
    def.rotation.SetAngle(angle);
    def.linearVelocity.Set(body.velocityX, body.velocityY);
    def.angularVelocity = body.angularVelocity;
    def.linearDamping = body.linearDamping;
    def.angularDamping = body.angularDamping;
    def.gravityScale = body.gravityScale;
    def.isBullet = body.bullet;
    def.motionLocks.angularZ = body.fixedRotation;
    def.enableSleep = body.allowSleep;
    def.isAwake = body.awake;
    const id = module.b2CreateBody(this.world, def);
    def.delete();
    this.ids[id.index1] = id;
    return id.index1;
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
    this.setVelocity(body, id, values);
    // Last: a velocity wakes.
    if (values.awake !== undefined) module.b2Body_SetAwake(id, values.awake);
  }

  private setVelocity(body: number, id: BodyId, values: Partial<EngineBody>): void {
    const { velocityX, velocityY, angularVelocity } = values;
    const parked = this.parked.get(body);
    if (parked !== undefined) {
      parked.x = velocityX ?? parked.x;
      parked.y = velocityY ?? parked.y;
      parked.angular = angularVelocity ?? parked.angular;
      return;
    }
    const { vector } = this.scratch;
    if (velocityX !== undefined || velocityY !== undefined) {
      const now = this.module.b2Body_GetLinearVelocity(id);
      vector.Set(velocityX ?? now.x, velocityY ?? now.y);
      now.delete();
      this.module.b2Body_SetLinearVelocity(id, vector);
    }
    if (angularVelocity !== undefined) this.module.b2Body_SetAngularVelocity(id, angularVelocity);
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
    this.setVelocity(body, id, { velocityX: parked.x, velocityY: parked.y, angularVelocity: parked.angular });
  }

  stateOf(body: number, out: EngineState): EngineState {
    const id = this.idOf(body);
    const transform = this.module.b2Body_GetTransform(id);
    out.x = transform.p.x;
    out.y = transform.p.y;
    out.cosine = transform.q.c;
    out.sine = transform.q.s;
    transform.delete();
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
