/**
 * Updates the bodies of the engine from components and transforms.
 */
import { type Entity, indexOf } from "../../ecs/index.ts";
import { decompose2D, type Local2D, rawTransforms } from "../../transform/index.ts";
import { RigidBody } from "../components.ts";
import { type Context, hasBody, isActive, isOn, moverOf } from "../context.ts";
import type { EngineBody } from "../engine.ts";
import { BodyWithoutTransformError, InvalidBodyError } from "../errors.ts";
import { bodyProblem } from "../rules/check-body.ts";
import { childBodyError, mayBeChild } from "../rules/rules.ts";
import { type BodyRecord, type BodyRecords, type BodyValues, TRANSFORM_WIDTH } from "./body-records.ts";

/** The fields of the component that the engine has too, by the same names. */
const fields = [
  "type",
  "velocityX",
  "velocityY",
  "angularVelocity",
  "linearDamping",
  "angularDamping",
  "gravityScale",
  "bullet",
  "fixedRotation",
  "allowSleep",
  "awake",
] as const satisfies readonly (keyof EngineBody & keyof BodyValues)[];

export class BodySync {
  private readonly context: Context;
  private readonly records: BodyRecords;
  private readonly stopsOnTeleport: boolean;

  constructor(context: Context, records: BodyRecords, stopsOnTeleport: boolean) {
    this.context = context;
    this.records = records;
    this.stopsOnTeleport = stopsOnTeleport;
  }

  /** Throws when the body of an entity is invalid. */
  check(entity: Entity): void {
    const { context } = this;
    if (!hasBody(context, entity)) return;
    const { world, tree, space } = context;
    const values = world.get(entity, RigidBody) as BodyValues;
    this.checkParent(entity, values.type);
    const why = bodyProblem(values);
    if (why !== undefined)
      throw new InvalidBodyError(`Cannot give ${tree.label(entity)} ${why}`, { entities: [entity] });
    if (!world.has(entity, space.component)) {
      throw new BodyWithoutTransformError(
        `Cannot simulate ${tree.label(entity)}: it has a RigidBody and no ${space.component.name}. Add one, as with space.at(x, y).`,
        { entities: [entity], component: space.component.name },
      );
    }
    this.checkRange(entity);
  }

  /** Throws when an ancestor of the entity moves it, and its body may not be moved. */
  checkParent(entity: Entity, type: number): void {
    const { context } = this;
    if (mayBeChild(context, type)) return;
    const parent = context.tree.parentOf(entity);
    const mover = moverOf(context, entity);
    if (mover === null) return;
    const { tree } = context;
    const where = `${tree.label(entity)} under ${tree.label(parent as Entity)}`;
    throw childBodyError(context, `simulate ${where}`, entity, mover);
  }

  /** Throws when an entity is farther from the origin than the engine can compute. */
  checkRange(entity: Entity): void {
    const { space, tree, range, unitsPerMetre, engineName } = this.context;
    const { x, y } = space.worldPosition(entity);
    if (Math.max(Math.abs(x), Math.abs(y)) <= range * unitsPerMetre) return;
    throw new InvalidBodyError(
      `Cannot simulate ${tree.label(entity)} at (${x}, ${y}): ${engineName} computes up to ${range} metres from the origin, which are ${range * unitsPerMetre} units. Move it closer, or raise unitsPerMetre.`,
      { entities: [entity], limit: range },
    );
  }

  create(entity: Entity): BodyRecord {
    const { context, records } = this;
    const values = context.world.get(entity, RigidBody) as BodyValues;
    const parent = context.tree.parentOf(entity);
    const follows = moverOf(context, entity) !== null;
    const { x, y, rotation } = this.worldPose(entity, follows);
    const metres = 1 / context.unitsPerMetre;
    const number = context.engine.createBody(this.startOf(values), x * metres, y * metres, rotation);
    const record: BodyRecord = {
      entity,
      number,
      seen: values,
      readAt: -1,
      enabled: true,
      follows,
      still: false,
      colliders: new Set(),
      joints: new Set(),
    };
    records.add(record, parent === null ? 0 : indexOf(parent));
    if (record.follows) records.followers.add(record);
    this.remember(record);
    this.updateActivity(record);
    return record;
  }

  /** Applies the changed fields of the component, and only those. */
  update(record: BodyRecord): void {
    const { context } = this;
    const values = context.world.get(record.entity, RigidBody) as BodyValues;
    const { seen } = record;
    record.seen = values;
    const changed: Partial<Record<keyof EngineBody, number | boolean>> = {};
    let all: EngineBody | undefined;
    for (const field of fields) {
      if (values[field] === seen[field]) continue;
      all ??= this.toEngine(values);
      changed[field] = all[field];
    }
    if (all !== undefined) context.engine.setBody(record.number, changed as Partial<EngineBody>);
    this.updateActivity(record);
  }

  /** @param isParentActive - Whether all ancestors are active, if known already. */
  updateActivity(record: BodyRecord, isParentActive?: boolean): void {
    const { context } = this;
    const { entity } = record;
    const enabled =
      isParentActive === undefined ? isActive(context, entity) : isParentActive && isOn(context, entity);
    if (record.enabled === enabled) return;
    record.enabled = enabled;
    this.context.engine.setEnabled(record.number, enabled);
  }

  /** Whether the local transform differs from the one the engine has. */
  differs({ entity, number }: BodyRecord): boolean {
    const { space } = this.context;
    const { transforms } = this.records;
    const raw = rawTransforms(space);
    const { locals } = raw;
    const row = raw.rowOf(entity);
    const at = number * TRANSFORM_WIDTH;
    return (
      transforms[at] !== locals[row] ||
      transforms[at + 1] !== locals[row + 1] ||
      transforms[at + 2] !== locals[row + 2]
    );
  }

  /** Whether scale or skew differ from those that the shapes were created with. */
  isRescaled({ entity, number }: BodyRecord): boolean {
    const { space } = this.context;
    const { transforms } = this.records;
    const raw = rawTransforms(space);
    const { locals } = raw;
    const row = raw.rowOf(entity);
    const at = number * TRANSFORM_WIDTH;
    for (let k = 3; k < TRANSFORM_WIDTH; k++) if (transforms[at + k] !== locals[row + k]) return true;
    return false;
  }

  /** Moves the body to the entity's transform. */
  teleport(record: BodyRecord, stops = this.stopsOnTeleport): void {
    const { engine, unitsPerMetre } = this.context;
    const { x, y, rotation } = this.worldPose(record.entity, record.follows);
    engine.setTransform(record.number, x / unitsPerMetre, y / unitsPerMetre, rotation);
    if (stops) engine.setBody(record.number, { velocityX: 0, velocityY: 0, angularVelocity: 0 });
    if (record.enabled) engine.setAwake(record.number, true);
    this.remember(record);
  }

  /** Moves the body of an entity that a snapshot restored; its motion is set later. */
  putBack(record: BodyRecord): void {
    const { engine, unitsPerMetre } = this.context;
    const { x, y, rotation } = this.worldPose(record.entity, false);
    engine.setTransform(record.number, x / unitsPerMetre, y / unitsPerMetre, rotation);
    this.remember(record);
  }

  /** Sets the motion of the body from its component, including whether it sleeps. */
  setMotion({ number, seen }: BodyRecord): void {
    const { velocityX, velocityY, angularVelocity, awake } = this.startOf(seen);
    this.context.engine.setBody(number, { velocityX, velocityY, angularVelocity, awake });
  }

  /** Records that the engine has the current local transform. */
  remember({ entity, number }: BodyRecord): void {
    const { space } = this.context;
    const row = rawTransforms(space).rowOf(entity);
    this.records.transforms.set(
      rawTransforms(space).locals.subarray(row, row + TRANSFORM_WIDTH),
      number * TRANSFORM_WIDTH,
    );
  }

  /**
   * The ancestors of a body may have changed, and whether they move it.
   * @param parent - The index of its parent; 0 for a root.
   */
  updateParent(record: BodyRecord, parent: number, follows: boolean): void {
    const { parents } = this.records;
    const isAsBefore = follows === record.follows && (!follows || parent === parents[record.number]);
    parents[record.number] = parent;
    if (isAsBefore) return;
    record.follows = follows;
    record.still = false;
    if (record.follows) this.records.followers.add(record);
    else this.records.followers.delete(record);
    this.teleport(record, true);
  }

  /** Scale and skew of a body, which its shapes use; its position and rotation belong to the engine. */
  scaleOf({ entity, follows }: BodyRecord): Local2D {
    const { space } = this.context;
    const local = follows ? decompose2D(space.worldOf(entity)) : space.localOf(entity);
    return { x: 0, y: 0, rotation: 0, scaleX: local.scaleX, scaleY: local.scaleY, skew: local.skew };
  }

  /** If no ancestor moves it, the local values equal the world values, to the last bit. */
  worldPose(entity: Entity, follows: boolean): { x: number; y: number; rotation: number } {
    const { space } = this.context;
    if (!follows) return space.localOf(entity);
    const { x, y } = space.worldPosition(entity);
    return { x, y, rotation: space.worldRotation(entity) };
  }

  /** What a body starts with: one that was given a velocity while it slept is awake. */
  private startOf(values: BodyValues): EngineBody {
    const { velocityX, velocityY, angularVelocity, awake } = values;
    const moves = velocityX !== 0 || velocityY !== 0 || angularVelocity !== 0;
    return this.toEngine(values, awake || moves);
  }

  private toEngine(values: BodyValues, awake = values.awake): EngineBody {
    const metres = 1 / this.context.unitsPerMetre;
    const { type, angularVelocity, linearDamping, angularDamping, gravityScale } = values;
    const { bullet, fixedRotation, allowSleep } = values;
    return {
      type,
      velocityX: values.velocityX * metres,
      velocityY: values.velocityY * metres,
      angularVelocity,
      linearDamping,
      angularDamping,
      gravityScale,
      bullet,
      fixedRotation,
      allowSleep,
      awake,
    };
  }
}
