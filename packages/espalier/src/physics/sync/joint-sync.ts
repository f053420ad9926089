/**
 * Updates the joints of the engine from `Joint` components.
 */
import type { Entity } from "../../ecs/index.ts";
import { DISTANCE, Joint, MOTOR, MOUSE, REVOLUTE, WHEEL } from "../components.ts";
import { bodyAtOrAbove, type Context, hasBody, isActive, newState } from "../context.ts";
import type { EngineJoint } from "../engine.ts";
import { InvalidJointError } from "../errors.ts";
import { type JointValues, jointProblem } from "../rules/check-joint.ts";
import type { BodyRecord, BodyRecords } from "./body-records.ts";

export interface JointRecord {
  readonly entity: Entity;
  readonly number: number;
  readonly joint: EngineJoint;
  readonly a: BodyRecord | undefined;
  readonly b: BodyRecord;
  /** Whether its `a` is the body above it. */
  readonly isImplicit: boolean;
}

export class JointSync {
  private readonly context: Context;
  private readonly bodies: BodyRecords;
  private readonly joints = new Map<Entity, JointRecord>();
  /** Joints that currently do not have two bodies, or are inactive. They are suspended until they do. */
  private readonly ended = new Set<Entity>();

  constructor(context: Context, bodies: BodyRecords) {
    this.context = context;
    this.bodies = bodies;
  }

  of(entity: Entity): JointRecord | undefined {
    return this.joints.get(entity);
  }

  get all(): Iterable<JointRecord> {
    return this.joints.values();
  }

  /** Throws when a joint is invalid. */
  check(entity: Entity): void {
    const { world, tree } = this.context;
    if (!world.isAlive(entity) || !world.has(entity, Joint)) return;
    const values = world.get(entity, Joint) as JointValues;
    const [a, b] = this.endsOf(entity, values);
    const refuse = (why: string, others: readonly Entity[] = []): never => {
      throw new InvalidJointError(`Cannot make the joint ${tree.label(entity)}: ${why}`, {
        entities: [entity, ...others],
      });
    };
    // A working joint whose body lost its RigidBody is suspended, like one whose body was destroyed.
    if (!this.ended.has(entity) && !this.joints.has(entity)) {
      for (const [side, end] of [
        ["a", values.kind === MOUSE ? null : a],
        ["b", b],
      ] as const) {
        if (end === null || hasBody(this.context, end)) continue;
        refuse(`its ${side}, ${tree.label(end)}, has no RigidBody. Add one, or join another.`, [end]);
      }
    }
    if (a !== null && a === b) refuse(`it joins ${tree.label(a)} with itself. Set two entities.`, [a]);
    const why = jointProblem(values);
    if (why !== undefined) refuse(why);
  }

  update(entity: Entity): void {
    const { context } = this;
    const { world, engine } = context;
    const record = this.joints.get(entity);
    const isThere = world.isAlive(entity) && world.has(entity, Joint);
    if (!isThere || !isActive(context, entity)) {
      if (record !== undefined) this.remove(record);
      if (isThere) this.ended.add(entity);
      else this.ended.delete(entity);
      return;
    }
    const values = world.get(entity, Joint) as JointValues;
    const [first, second] = this.endsOf(entity, values);
    const a = first === null ? undefined : this.bodies.of(first);
    const b = second === null ? undefined : this.bodies.of(second);
    if (b === undefined || (a === undefined && values.kind !== MOUSE)) {
      if (record !== undefined) this.remove(record);
      this.ended.add(entity);
      return;
    }
    const joint = this.toEngine(values, values.kind === MOUSE ? undefined : a, b);
    if (record !== undefined) {
      const fresh = { ...joint, length: values.length < 0 ? record.joint.length : joint.length };
      if (engine.updateJoint(record.number, record.joint, fresh)) {
        this.joints.set(entity, { ...record, joint: fresh });
        return;
      }
      this.remove(record);
    }
    const made: JointRecord = {
      entity,
      number: engine.createJoint(joint),
      joint,
      a: values.kind === MOUSE ? undefined : a,
      b,
      isImplicit: values.a === null && values.kind !== MOUSE,
    };
    this.joints.set(entity, made);
    this.ended.delete(entity);
    made.a?.joints.add(entity);
    b.joints.add(entity);
  }

  /** A body is about to be destroyed. Returns the entities of its joints. */
  bodyGoing(body: BodyRecord): readonly Entity[] {
    const lost = [...body.joints];
    for (const entity of lost) {
      const record = this.joints.get(entity);
      if (record === undefined) continue;
      this.remove(record);
      this.ended.add(entity);
    }
    return lost;
  }

  /** Updates joints that depend on the structure of the tree: on the body above them, or on active ancestors. */
  updateAll(): void {
    for (const { entity, isImplicit } of [...this.joints.values()]) {
      if (isImplicit || !isActive(this.context, entity)) this.update(entity);
    }
    for (const entity of [...this.ended]) this.update(entity);
  }

  /** Called when the engine's world was destroyed with all joints. */
  forget(): void {
    for (const entity of this.joints.keys()) this.ended.add(entity);
    this.joints.clear();
  }

  private remove(record: JointRecord): void {
    this.context.engine.destroyJoint(record.number);
    this.joints.delete(record.entity);
    record.a?.joints.delete(record.entity);
    record.b.joints.delete(record.entity);
  }

  private endsOf(entity: Entity, { a, b }: JointValues): readonly [Entity | null, Entity | null] {
    return [a ?? bodyAtOrAbove(this.context, entity), b];
  }

  private toEngine(values: JointValues, a: BodyRecord | undefined, b: BodyRecord): EngineJoint {
    const metres = 1 / this.context.unitsPerMetre;
    const { a: _a, b: _b, ...rest } = values;
    // Angles stay as they are, lengths are metres to the engine.
    const isAngle = values.kind === REVOLUTE;
    const turns = values.kind === REVOLUTE || values.kind === WHEEL || values.kind === MOTOR;
    const joint = {
      ...rest,
      a: a?.number ?? 0,
      b: b.number,
      anchorAX: values.anchorAX * metres,
      anchorAY: values.anchorAY * metres,
      anchorBX: values.anchorBX * metres,
      anchorBY: values.anchorBY * metres,
      lower: isAngle ? values.lower : values.lower * metres,
      upper: isAngle ? values.upper : values.upper * metres,
      motorSpeed: values.motorSpeed * (turns ? 1 : metres),
      length: values.length * metres,
      velocityX: values.velocityX * metres,
      velocityY: values.velocityY * metres,
      targetX: values.targetX * metres,
      targetY: values.targetY * metres,
    };
    if (values.kind === DISTANCE && values.length < 0 && a !== undefined)
      joint.length = this.distance(joint, a, b);
    return joint;
  }

  /** The current distance of the two anchors, in metres. */
  private distance(joint: EngineJoint, a: BodyRecord, b: BodyRecord): number {
    const at = (body: BodyRecord, x: number, y: number) => {
      const state = this.context.engine.stateOf(body.number, newState());
      return {
        x: state.x + state.cosine * x - state.sine * y,
        y: state.y + state.sine * x + state.cosine * y,
      };
    };
    const p = at(a, joint.anchorAX, joint.anchorAY);
    const q = at(b, joint.anchorBX, joint.anchorBY);
    // The engine treats shorter distances as 0.
    return Math.max(Math.hypot(q.x - p.x, q.y - p.y), 0.005);
  }
}
