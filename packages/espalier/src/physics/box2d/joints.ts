/**
 * Joints in the engine. Each kind has its own definition and setters there; the fields they share are filled here.
 */
import type { EngineJoint } from "../engine.ts";
import type { BodyId, JointId, Module, WorldId } from "./module.ts";

/** The kinds in the order of the contract. */
const REVOLUTE = 0;
const PRISMATIC = 1;
const DISTANCE = 2;
const WELD = 3;
const WHEEL = 4;
const MOTOR = 5;
const MOUSE = 6;

interface Made {
  readonly id: JointId;
  /** The body that represents the mouse. */
  readonly handle: BodyId | undefined;
}

export class Joints {
  private readonly module: Module;
  private readonly world: WorldId;
  private readonly bodyId: (body: number) => BodyId;
  private readonly joints = new Map<number, Made>();
  private next = 1;

  constructor(module: Module, world: WorldId, bodyId: (body: number) => BodyId) {
    this.module = module;
    this.world = world;
    this.bodyId = bodyId;
  }

  create(joint: EngineJoint): number {
    const handle = joint.kind === MOUSE ? this.createHandle(joint) : undefined;
    const id = this.createId(joint, handle ?? this.bodyId(joint.a), this.bodyId(joint.b));
    const number = this.next++;
    this.joints.set(number, { id, handle });
    return number;
  }

  destroy(number: number): void {
    const made = this.joints.get(number);
    if (made === undefined) return;
    this.joints.delete(number);
    // It was already destroyed if one of its bodies was.
    if (this.module.b2Joint_IsValid(made.id)) this.module.b2DestroyJoint(made.id, true);
    if (made.handle !== undefined) this.module.b2DestroyBody(made.handle);
  }

  /** How many bodies represent a mouse. */
  get handles(): number {
    let count = 0;
    for (const { handle } of this.joints.values()) if (handle !== undefined) count++;
    return count;
  }

  update(number: number, before: EngineJoint, now: EngineJoint): boolean {
    const made = this.joints.get(number);
    if (made === undefined || !this.module.b2Joint_IsValid(made.id)) return false;
    const live: readonly string[] = liveFields[now.kind] ?? [];
    for (const key of Object.keys(now) as (keyof EngineJoint)[]) {
      if (now[key] !== before[key] && !live.includes(key)) return false;
    }
    this.apply(made, now);
    this.module.b2Joint_WakeBodies(made.id);
    return true;
  }

  private apply({ id, handle }: Made, joint: EngineJoint): void {
    const { module } = this;
    if (joint.kind === REVOLUTE) {
      module.b2RevoluteJoint_EnableMotor(id, joint.motor);
      module.b2RevoluteJoint_SetMotorSpeed(id, joint.motorSpeed);
      module.b2RevoluteJoint_SetMaxMotorTorque(id, joint.motorMax);
      module.b2RevoluteJoint_EnableLimit(id, joint.limit);
      module.b2RevoluteJoint_SetLimits(id, joint.lower, joint.upper);
    } else if (joint.kind === PRISMATIC) {
      module.b2PrismaticJoint_EnableMotor(id, joint.motor);
      module.b2PrismaticJoint_SetMotorSpeed(id, joint.motorSpeed);
      module.b2PrismaticJoint_SetMaxMotorForce(id, joint.motorMax);
      module.b2PrismaticJoint_EnableLimit(id, joint.limit);
      module.b2PrismaticJoint_SetLimits(id, joint.lower, joint.upper);
    } else if (joint.kind === WHEEL) {
      module.b2WheelJoint_EnableMotor(id, joint.motor);
      module.b2WheelJoint_SetMotorSpeed(id, joint.motorSpeed);
      module.b2WheelJoint_SetMaxMotorTorque(id, joint.motorMax);
    } else if (joint.kind === MOTOR) {
      const velocity = new module.b2Vec2(joint.velocityX, joint.velocityY);
      module.b2MotorJoint_SetLinearVelocity(id, velocity);
      velocity.delete();
      module.b2MotorJoint_SetAngularVelocity(id, joint.motorSpeed);
      module.b2MotorJoint_SetMaxVelocityForce(id, joint.motorMax);
      module.b2MotorJoint_SetMaxVelocityTorque(id, joint.torqueMax);
    } else if (joint.kind === MOUSE && handle !== undefined) {
      const point = new module.b2Vec2(joint.targetX, joint.targetY);
      const rotation = new module.b2Rot();
      rotation.SetAngle(0);
      module.b2Body_SetTransform(handle, point, rotation);
      point.delete();
      rotation.delete();
    }
  }

  private createHandle(joint: EngineJoint): BodyId {
    const { module } = this;
    const def = module.b2DefaultBodyDef();
    def.type = module.b2BodyType.b2_kinematicBody;
    def.position.Set(joint.targetX, joint.targetY);
    def.enableSleep = false;
    const id = module.b2CreateBody(this.world, def);
    def.delete();
    return id;
  }

  private createId(joint: EngineJoint, a: BodyId, b: BodyId): JointId {
    const { module, world } = this;
    switch (joint.kind) {
      case REVOLUTE: {
        const def = module.b2DefaultRevoluteJointDef();
        fillBase(def.base, joint, a, b, joint.angle, 0);
        fillDrive(def, joint);
        def.lowerAngle = joint.lower;
        def.upperAngle = joint.upper;
        def.maxMotorTorque = joint.motorMax;
        return finish(def, module.b2CreateRevoluteJoint(world, def));
      }
      case PRISMATIC: {
        const def = module.b2DefaultPrismaticJointDef();
        fillBase(def.base, joint, a, b, joint.axis, joint.axis - joint.angle);
        fillDrive(def, joint);
        def.lowerTranslation = joint.lower;
        def.upperTranslation = joint.upper;
        def.maxMotorForce = joint.motorMax;
        return finish(def, module.b2CreatePrismaticJoint(world, def));
      }
      case DISTANCE: {
        const def = module.b2DefaultDistanceJointDef();
        fillBase(def.base, joint, a, b, 0, 0);
        fillDrive(def, joint);
        def.length = joint.length;
        if (joint.limit) {
          def.minLength = joint.lower;
          def.maxLength = joint.upper;
        }
        def.maxMotorForce = joint.motorMax;
        return finish(def, module.b2CreateDistanceJoint(world, def));
      }
      case WELD: {
        const def = module.b2DefaultWeldJointDef();
        fillBase(def.base, joint, a, b, joint.angle, 0);
        def.linearHertz = joint.spring ? joint.hertz : 0;
        def.angularHertz = joint.spring ? joint.hertz : 0;
        def.linearDampingRatio = joint.damping;
        def.angularDampingRatio = joint.damping;
        return finish(def, module.b2CreateWeldJoint(world, def));
      }
      case WHEEL: {
        const def = module.b2DefaultWheelJointDef();
        fillBase(def.base, joint, a, b, joint.axis, 0);
        fillDrive(def, joint);
        def.lowerTranslation = joint.lower;
        def.upperTranslation = joint.upper;
        def.maxMotorTorque = joint.motorMax;
        return finish(def, module.b2CreateWheelJoint(world, def));
      }
      default: {
        const def = module.b2DefaultMotorJointDef();
        fillBase(def.base, joint, a, b, joint.kind === MOTOR ? joint.angle : 0, 0);
        if (joint.kind === MOTOR) {
          // Reading this field gives a copy.
          const velocity = new module.b2Vec2(joint.velocityX, joint.velocityY);
          def.linearVelocity = velocity;
          velocity.delete();
          def.angularVelocity = joint.motorSpeed;
          def.maxVelocityForce = joint.motorMax;
          def.maxVelocityTorque = joint.torqueMax;
        }
        def.linearHertz = joint.hertz;
        def.linearDampingRatio = joint.damping;
        def.maxSpringForce = joint.kind === MOUSE || joint.spring ? joint.motorMax : 0;
        return finish(def, module.b2CreateMotorJoint(world, def));
      }
    }
  }
}

/** The fields that can change while a joint exists. */
const liveFields: { readonly [kind: number]: readonly (keyof EngineJoint)[] } = {
  [REVOLUTE]: ["motor", "motorSpeed", "motorMax", "limit", "lower", "upper"],
  [PRISMATIC]: ["motor", "motorSpeed", "motorMax", "limit", "lower", "upper"],
  [WHEEL]: ["motor", "motorSpeed", "motorMax"],
  [MOTOR]: ["velocityX", "velocityY", "motorSpeed", "motorMax", "torqueMax"],
  [MOUSE]: ["targetX", "targetY"],
};

type Base = ReturnType<Module["b2DefaultRevoluteJointDef"]>["base"];

function fillBase(
  base: Base,
  joint: EngineJoint,
  a: BodyId,
  b: BodyId,
  angleA: number,
  angleB: number,
): void {
  base.bodyIdA = a;
  base.bodyIdB = b;
  // A mouse joint has no anchor on the handle.
  if (joint.kind !== MOUSE) base.localFrameA.p.Set(joint.anchorAX, joint.anchorAY);
  base.localFrameA.q.SetAngle(angleA);
  base.localFrameB.p.Set(joint.anchorBX, joint.anchorBY);
  base.localFrameB.q.SetAngle(angleB);
  base.collideConnected = joint.collideConnected;
}

interface Driven {
  enableSpring: boolean;
  enableLimit: boolean;
  enableMotor: boolean;
  hertz: number;
  dampingRatio: number;
  motorSpeed: number;
}

function fillDrive(def: Driven, joint: EngineJoint): void {
  def.enableSpring = joint.spring;
  def.hertz = joint.hertz;
  def.dampingRatio = joint.damping;
  def.enableLimit = joint.limit;
  def.enableMotor = joint.motor;
  def.motorSpeed = joint.motorSpeed;
}

function finish(def: { delete(): void }, id: JointId): JointId {
  def.delete();
  return id;
}
