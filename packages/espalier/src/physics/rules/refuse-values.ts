/**
 * Values that are never valid are refused when they are written: by spawn, add, set, commands, views and scenes, before
 * anything changes. Problems of several components together (a body without a shape, without a transform, a shape
 * scaled to nothing, a position out of range, an end of a joint without a body) can only be judged when the last of them is added:
 * the next step refuses them, and moves nothing.
 */
import { type Entity, guard, guardWrites } from "../../ecs/index.ts";
import { Collider, Joint, RigidBody } from "../components.ts";
import type { Context } from "../context.ts";
import { InvalidBodyError, InvalidJointError, InvalidShapeError, UnknownLayerError } from "../errors.ts";
import type { ColliderShape } from "../shapes/shape.ts";
import type { BodyValues } from "../sync/body-records.ts";
import { bodyProblem } from "./check-body.ts";
import { type JointValues, jointProblem } from "./check-joint.ts";
import { shapesProblem } from "./check-shape.ts";

/**
 * Starts refusing such values. Returns a function that ends it.
 * @param refresh Updates the `RigidBody` of an entity, so that a partial write is combined with the current motion.
 */
export function refuseValues(context: Context, refresh: (entity: Entity) => void): () => void {
  const { world } = context;
  /** `null` while the entity is still to be created. */
  const entityAt = (index: number) => (index === 0 ? null : world.handleAt(index));
  const ends = [
    guard(world, RigidBody, (index, values) => {
      const entity = entityAt(index);
      checkBody(context, entity, (values ?? {}) as Partial<BodyValues>);
      if (entity !== null && world.has(entity, RigidBody)) refresh(entity);
    }),
    guardWrites(world, RigidBody, (entity, values) => {
      checkBody(context, entity, values as Partial<BodyValues>);
      refresh(entity);
    }),
    guard(world, Collider, (index, values) => checkShapes(context, entityAt(index), values)),
    guardWrites(world, Collider, (entity, values) => checkShapes(context, entity, values)),
    guard(world, Joint, (index, values) => checkJoint(context, entityAt(index), values ?? {}, values ?? {})),
    guardWrites(world, Joint, (entity, values) => {
      const all = { ...world.get(entity, Joint), ...values };
      checkJoint(context, entity, values, all);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function checkBody(context: Context, entity: Entity | null, values: Partial<BodyValues>): void {
  const why = bodyProblem(values);
  if (why === undefined) return;
  throw new InvalidBodyError(`Cannot give ${labelOf(context, entity)} ${why}`, { entities: listOf(entity) });
}

function checkShapes(context: Context, entity: Entity | null, values: object | undefined): void {
  const shapes = (values as { readonly shapes?: readonly ColliderShape[] } | undefined)?.shapes;
  if (shapes === undefined) return;
  const label = labelOf(context, entity);
  // A world that checks values has done so already.
  const why = context.world.checks ? undefined : shapesProblem(shapes);
  if (why !== undefined) {
    throw new InvalidShapeError(`Cannot give ${label} a Collider: shapes ${why}. Give it other shapes.`, {
      entities: listOf(entity),
    });
  }
  const unknown = context.layers.problemIn(shapes);
  if (unknown !== undefined)
    throw new UnknownLayerError(`Cannot give ${label} a Collider: ${unknown}`, { entities: listOf(entity) });
}

/**
 * @param given The written values.
 * @param all The written values together with the unchanged ones.
 */
function checkJoint(
  context: Context,
  entity: Entity | null,
  given: Partial<JointValues>,
  all: Partial<JointValues>,
): void {
  const label = labelOf(context, entity);
  for (const side of ["a", "b"] as const) {
    const target = given[side];
    if (target === undefined || target === null || context.world.isAlive(target)) continue;
    throw new InvalidJointError(
      `Cannot give ${label} a Joint: its ${side} is ${context.tree.label(target)}, which was destroyed. Join living entities.`,
      { entities: [...listOf(entity), target] },
    );
  }
  const why = jointProblem(all);
  if (why !== undefined)
    throw new InvalidJointError(`Cannot give ${label} a Joint: ${why}`, { entities: listOf(entity) });
}

function labelOf({ tree }: Context, entity: Entity | null): string {
  return entity === null ? "a new entity" : tree.label(entity);
}

function listOf(entity: Entity | null): Entity[] {
  return entity === null ? [] : [entity];
}
