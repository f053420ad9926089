/**
 * Finds changes of the world since the last time and applies them to the engine: first everything is checked, then
 * everything is changed. Refused changes stay queued, so that nothing is lost when they are corrected.
 */
import { type ChangeKind, type ChangeReader, changesOf, type Entity, indexOf } from "../../ecs/index.ts";
import { flatOrder, Ghost, rawLinks } from "../../hierarchy/index.ts";
import { Active } from "../../inherit/index.ts";
import { InheritTransform } from "../../transform/index.ts";
import { Collider, Joint, RigidBody } from "../components.ts";
import { bodyAtOrAbove, type Context, hasBody } from "../context.ts";
import { EngineLimitError } from "../errors.ts";
import { BodyParents } from "./body-parents.ts";
import type { BodyRecord, BodyRecords } from "./body-records.ts";
import type { BodySync } from "./body-sync.ts";
import type { ColliderSync } from "./collider-sync.ts";
import type { JointSync } from "./joint-sync.ts";
import type { WriteBack } from "./write-back.ts";

export class ChangeSync {
  private readonly context: Context;
  private readonly records: BodyRecords;
  private readonly bodySync: BodySync;
  private readonly colliders: ColliderSync;
  private readonly joints: JointSync;
  private readonly readers: {
    readonly bodies: ChangeReader;
    readonly colliders: ChangeReader;
    readonly joints: ChangeReader;
    transforms: ChangeReader;
    readonly activity: ChangeReader;
    readonly ghosts: ChangeReader;
    readonly masks: ChangeReader;
  };
  private readonly dirtyBodies = new Set<Entity>();
  private readonly dirtyColliders = new Set<Entity>();
  private readonly dirtyJoints = new Set<Entity>();
  private readonly moved = new Set<BodyRecord>();
  /** Bodies that a snapshot restored: they continue as in their components, and moving them does not wake them. */
  private readonly restored = new Set<BodyRecord>();
  /** Whether something changed on which loose colliders, followers and joints may depend. */
  private isTreeDirty = true;
  private treeVersion = -1;
  private readonly parents: BodyParents;

  constructor(
    context: Context,
    records: BodyRecords,
    bodySync: BodySync,
    colliders: ColliderSync,
    joints: JointSync,
  ) {
    this.context = context;
    this.records = records;
    this.parents = new BodyParents(context, records);
    this.bodySync = bodySync;
    this.colliders = colliders;
    this.joints = joints;
    const { world, space } = context;
    this.readers = {
      bodies: changesOf(world, RigidBody),
      colliders: changesOf(world, Collider),
      joints: changesOf(world, Joint),
      transforms: changesOf(world, space.component),
      activity: changesOf(world, Active),
      ghosts: changesOf(world, Ghost),
      masks: changesOf(world, InheritTransform),
    };
    this.markAll();
  }

  /** Marks everything as possibly new to the engine. */
  markAll(): void {
    const { world } = this.context;
    for (const entity of world.query(RigidBody)) this.dirtyBodies.add(entity);
    for (const entity of world.query(Collider)) this.dirtyColliders.add(entity);
    for (const entity of world.query(Joint)) this.dirtyJoints.add(entity);
    this.isTreeDirty = true;
  }

  /** @throws PhysicsError when something cannot be simulated; the engine is unchanged then. */
  sync(): void {
    this.collect();
    const { dirtyBodies, dirtyColliders, dirtyJoints, moved } = this;
    const isClean = dirtyBodies.size + dirtyColliders.size + dirtyJoints.size + moved.size === 0;
    if (isClean && !this.isTreeDirty) return;
    this.check();
    this.apply();
    this.records.noteWork();
    dirtyBodies.clear();
    dirtyColliders.clear();
    dirtyJoints.clear();
    moved.clear();
    this.restored.clear();
    this.isTreeDirty = false;
  }

  /** The entities whose `RigidBody` changed since the last time; some may be dead. */
  get pendingBodies(): ReadonlySet<Entity> {
    if (this.readers.bodies.pending > 0) gather(this.readers.bodies, this.dirtyBodies);
    return this.dirtyBodies;
  }

  /** Records that the changes since the last time come from a snapshot. */
  noteRestored(): void {
    this.collect();
    for (const record of this.moved) this.restored.add(record);
    for (const entity of this.dirtyBodies) {
      const record = this.records.of(entity);
      if (record !== undefined) this.restored.add(record);
    }
  }

  /**
   * Writes the moves of the engine into the transforms. These writes are in the log of changes too, together with changes by
   * observers that were notified of them.
   */
  writeBack(writeBack: WriteBack): void {
    const { readers, context } = this;
    const { version } = flatOrder(context.tree);
    const count = writeBack.write();
    // No other code wrote anything: a new reader that starts here is cheaper than reading the log.
    const isAlone = readers.transforms.pending === count && version === flatOrder(context.tree).version;
    if (!isAlone || !writeBack.isIntact()) {
      this.readTransforms();
      return;
    }
    const next = changesOf(context.world, context.space.component);
    readers.transforms.close();
    readers.transforms = next;
  }

  private readTransforms(): void {
    this.readers.transforms.forEach(this.transformChanged);
  }

  close(): void {
    for (const reader of Object.values(this.readers)) reader.close();
  }

  private collect(): void {
    const { readers, context } = this;
    // Most of the time nothing is pending.
    if (readers.bodies.pending > 0) gather(readers.bodies, this.dirtyBodies);
    if (readers.colliders.pending > 0) gather(readers.colliders, this.dirtyColliders);
    if (readers.joints.pending > 0) gather(readers.joints, this.dirtyJoints);
    if (readers.transforms.pending > 0) this.readTransforms();
    if (readers.activity.pending > 0) readers.activity.forEach(this.activityChanged);
    if (readers.ghosts.pending > 0) readers.ghosts.forEach(this.ghostChanged);
    if (readers.masks.pending > 0) readers.masks.forEach(this.ghostChanged);
    const { version } = flatOrder(context.tree);
    if (version === this.treeVersion) return;
    this.treeVersion = version;
    this.isTreeDirty = true;
  }

  private readonly transformChanged = (entity: Entity, kind: ChangeKind): void => {
    const { records, bodySync, context } = this;
    const record = records.of(entity);
    if (record === undefined) {
      if (this.colliders.loose.size + records.followers.size > 0) this.isTreeDirty = true;
      // An entity became a folder or stopped being one: bodies may be below it.
      if (kind !== "changed" && this.parents.areSome) this.isTreeDirty = true;
      return;
    }
    if (!context.world.isAlive(entity) || !context.world.has(entity, context.space.component)) {
      this.dirtyBodies.add(entity);
      return;
    }
    if (record.follows) {
      this.isTreeDirty = true;
      return;
    }
    if (bodySync.differs(record)) this.moved.add(record);
    if (bodySync.isRescaled(record)) {
      this.moved.add(record);
      for (const collider of record.colliders) this.dirtyColliders.add(collider);
      // Bodies below it use its scale.
      if (records.followers.size > 0) this.isTreeDirty = true;
    }
  };

  private readonly ghostChanged = (): void => {
    this.isTreeDirty = true;
  };

  private readonly activityChanged = (entity: Entity): void => {
    if (this.records.of(entity) !== undefined) this.dirtyBodies.add(entity);
    // It may be an ancestor of others.
    this.isTreeDirty = true;
  };

  // Checking ---------------------------------------------------------------------------------------------------------------

  private check(): void {
    const { context, bodySync, colliders, joints } = this;
    this.checkCount();
    for (const entity of this.dirtyBodies) colliders.sort(entity);
    for (const entity of this.dirtyColliders) colliders.sort(entity);
    const withShapes = new Set<Entity>(this.dirtyBodies);
    for (const entity of this.dirtyBodies) bodySync.check(entity);
    for (const { entity } of this.moved) if (hasBody(context, entity)) bodySync.check(entity);
    if (this.isTreeDirty || this.dirtyBodies.size > 0) this.checkParents();
    for (const entity of this.dirtyColliders) {
      colliders.check(entity);
      const body = context.world.isAlive(entity) ? bodyAtOrAbove(context, entity) : null;
      if (body !== null) withShapes.add(body);
      const before = colliders.bodyOf(entity);
      if (before !== undefined) withShapes.add(before.entity);
    }
    colliders.checkHaveShapes(withShapes);
    for (const entity of this.dirtyJoints) joints.check(entity);
  }

  private checkParents(): void {
    const { parents, bodySync } = this;
    parents.find();
    // New and changed ones were already checked completely, and may be dead.
    for (const { entity, seen } of parents.changed)
      if (!this.dirtyBodies.has(entity)) bodySync.checkParent(entity, seen.type);
  }

  private checkCount(): void {
    const { context, records } = this;
    let count = records.size;
    for (const entity of this.dirtyBodies) {
      if (records.of(entity) === undefined) count += hasBody(context, entity) ? 1 : 0;
      else if (!hasBody(context, entity)) count--;
    }
    if (count <= context.bodyLimit) return;
    throw new EngineLimitError(
      `Cannot simulate ${count} bodies: ${context.engineName} holds ${context.bodyLimit}. Destroy some, or make several of them one body with several shapes.`,
      { limit: context.bodyLimit },
    );
  }

  // Changing ---------------------------------------------------------------------------------------------------------------

  private apply(): void {
    const { context, records, bodySync, colliders, joints } = this;
    for (const record of this.goneBodies()) this.remove(record);
    for (const entity of this.dirtyBodies) {
      if (!hasBody(context, entity)) continue;
      const record = records.of(entity);
      if (record === undefined) {
        const { number } = bodySync.create(entity);
        // Cached from now on, so that a change of its effect is detected.
        this.parents.at(records.parents[number]);
        if (context.world.has(entity, Collider)) this.dirtyColliders.add(entity);
        this.isTreeDirty = true;
      } else {
        bodySync.update(record);
        if (bodySync.differs(record)) this.moved.add(record);
      }
    }
    if (this.isTreeDirty) this.updateChildren();
    for (const record of this.moved) {
      if (records.of(record.entity) !== record || record.follows) continue;
      if (this.restored.has(record)) bodySync.putBack(record);
      else bodySync.teleport(record);
    }
    for (const entity of this.dirtyColliders) colliders.update(entity, true);
    if (this.isTreeDirty) colliders.updateLoose();
    for (const entity of this.dirtyJoints) joints.update(entity);
    if (this.isTreeDirty) joints.updateAll();
    // Last, because recreated shapes and joints wake their bodies.
    for (const record of this.restored)
      if (records.of(record.entity) === record && !record.follows) bodySync.setMotion(record);
  }

  private goneBodies(): BodyRecord[] {
    const gone: BodyRecord[] = [];
    for (const entity of this.dirtyBodies) {
      const record = this.records.of(entity);
      if (record !== undefined && !hasBody(this.context, entity)) gone.push(record);
    }
    return gone;
  }

  private remove(record: BodyRecord): void {
    for (const joint of this.joints.bodyGoing(record)) this.dirtyJoints.add(joint);
    this.context.engine.destroyBody(record.number);
    this.records.remove(record);
    for (const collider of this.colliders.bodyGone(record)) this.dirtyColliders.add(collider);
    this.isTreeDirty = true;
  }

  /** Updates bodies below others: whether these move them, and whether they are active. */
  private updateChildren(): void {
    const { records, bodySync, parents, context } = this;
    for (const record of parents.changed) {
      if (records.of(record.entity) !== record) continue;
      const parent = rawLinks(context.tree).parent(indexOf(record.entity));
      const above = parents.at(parent);
      bodySync.updateParent(record, parent, parents.isMoved(record.entity, above));
      bodySync.updateActivity(record, above.isActive);
    }
    parents.keep();
  }
}

function gather(reader: ChangeReader, into: Set<Entity>): void {
  reader.forEach((entity) => {
    into.add(entity);
  });
}
