/**
 * The self-test of a physics: compares bodies, shapes and joints of the engine with their components.
 */
import type { Finding } from "../ecs/index.ts";
import { Collider, Joint, RigidBody } from "./components.ts";
import { type Context, hasBody, newState } from "./context.ts";
import type { BodyRecords } from "./sync/body-records.ts";
import type { BodySync } from "./sync/body-sync.ts";
import type { ColliderSync } from "./sync/collider-sync.ts";
import type { JointSync } from "./sync/joint-sync.ts";

const code = "physics/inconsistent";

/** The parts that are compared. */
export interface CheckedParts {
  readonly context: Context;
  readonly records: BodyRecords;
  readonly bodySync: BodySync;
  readonly colliderSync: ColliderSync;
  readonly jointSync: JointSync;
}

/** All differences. Pending changes must have been applied before. */
export function* wrongBodies(parts: CheckedParts): IterableIterator<Finding> {
  const { context, records, bodySync, colliderSync, jointSync } = parts;
  const { world, tree, engine } = context;
  for (const entity of world.query(RigidBody)) {
    if (records.of(entity) === undefined)
      yield { code, entity, message: `${tree.label(entity)} has a RigidBody and no body` };
  }
  let shapes = 0;
  for (const record of records) {
    const { entity } = record;
    const label = tree.label(entity);
    if (!hasBody(context, entity)) {
      yield { code, entity, message: `a body stands for ${label}, which has no RigidBody or is dead` };
      continue;
    }
    if (records.at(record.number) !== record)
      yield { code, entity, message: `body ${record.number} of ${label} is found as that of another` };
    const { x, y, cosine, sine } = engine.stateOf(record.number, newState());
    if (![x, y, cosine, sine].every(Number.isFinite))
      yield { code, entity, message: `the body of ${label} is at (${x}, ${y})` };
    if (!record.follows && bodySync.differs(record))
      yield { code, entity, message: `the transform of ${label} is not where its body is` };
    for (const collider of record.colliders) {
      shapes += [...colliderSync.recordsOf(collider)].length;
      if (world.isAlive(collider) && world.has(collider, Collider)) continue;
      yield { code, entity: collider, message: `a shape of ${label} stands for a collider that is gone` };
    }
  }
  const joints = [...jointSync.all];
  for (const { entity } of joints) {
    if (world.isAlive(entity) && world.has(entity, Joint)) continue;
    yield {
      code,
      entity,
      message: `a joint stands for ${tree.label(entity)}, which has no Joint or is dead`,
    };
  }
  const { counts } = engine;
  if (counts.bodies !== records.size)
    yield { code, message: `the engine has ${counts.bodies} bodies, and ${records.size} are known` };
  if (counts.shapes < shapes)
    yield { code, message: `the engine has ${counts.shapes} shapes, and ${shapes} are known` };
  if (counts.joints !== joints.length)
    yield { code, message: `the engine has ${counts.joints} joints, and ${joints.length} are known` };
}
