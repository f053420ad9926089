/**
 * Stores the motion of bodies in their components. Reading it after every step takes a call per body, more than the step
 * itself. So velocities and sleep are written into `RigidBody` just before they are read or replaced: by a snapshot, a file,
 * a clone, an undo, or the destruction of the body.
 *
 * Raw columns are written: no listener is notified, and no history records it.
 */
import { type Entity, indexOf } from "../../ecs/index.ts";
import { RigidBody, STATIC } from "../components.ts";
import { type Context, newState } from "../context.ts";
import type { BodyRecord, BodyRecords } from "./body-records.ts";
import type { ChangeSync } from "./change-sync.ts";

export class MotionStore {
  private readonly context: Context;
  private readonly records: BodyRecords;
  private readonly changes: ChangeSync;
  private readonly state = newState();
  /** `work` of the records when all of them were last written. */
  private storedAt = -1;

  constructor(context: Context, records: BodyRecords, changes: ChangeSync) {
    this.context = context;
    this.records = records;
    this.changes = changes;
  }

  /** Updates the components of all bodies. */
  storeAll(): void {
    const { records } = this;
    for (const entity of this.changes.pendingBodies) this.wakeWritten(entity);
    if (this.storedAt === records.work) return;
    for (const record of records) this.write(record);
    this.storedAt = records.work;
  }

  /** Updates the component of one entity. */
  store(entity: Entity): void {
    const record = this.records.of(entity);
    if (record !== undefined) this.write(record);
  }

  /** A velocity written to a sleeping body wakes it in the next step. The component is set to awake now, for a snapshot or a file. */
  private wakeWritten(entity: Entity): void {
    const { world } = this.context;
    const record = this.records.of(entity);
    if (record === undefined || !world.isAlive(entity) || !world.has(entity, RigidBody)) return;
    const { seen, enabled, follows } = record;
    if (seen.awake || !enabled || follows || seen.type === STATIC) return;
    const { velocityX, velocityY, angularVelocity, awake } = world.columns(RigidBody);
    const index = indexOf(entity);
    if (velocityX[index] !== 0 || velocityY[index] !== 0 || angularVelocity[index] !== 0) awake[index] = 1;
  }

  private write(record: BodyRecord): void {
    const { context, state } = this;
    const { entity, number, enabled } = record;
    // A loop that writes several fields of a body reads once.
    if (record.readAt === this.records.work) return;
    if (record.seen.type === STATIC || record.follows) return;
    // Pending changes are newer than the engine's state; the component was complete when they were written.
    if (this.changes.pendingBodies.has(entity)) return;
    const { engine, unitsPerMetre } = context;
    const columns = context.world.columns(RigidBody);
    const index = indexOf(entity);
    // A body outside of the engine's world neither sleeps nor wakes.
    const awake = enabled ? engine.isAwake(number) : record.seen.awake;
    const isResting = enabled && !awake;
    if (!isResting) engine.velocityOf(number, state);
    columns.velocityX[index] = isResting ? 0 : state.velocityX * unitsPerMetre;
    columns.velocityY[index] = isResting ? 0 : state.velocityY * unitsPerMetre;
    columns.angularVelocity[index] = isResting ? 0 : state.angularVelocity;
    columns.awake[index] = awake ? 1 : 0;
    // The component now equals the motion of the body: nothing to apply.
    record.readAt = this.records.work;
    record.seen = {
      ...record.seen,
      velocityX: columns.velocityX[index],
      velocityY: columns.velocityY[index],
      angularVelocity: columns.angularVelocity[index],
      awake,
    };
  }
}
