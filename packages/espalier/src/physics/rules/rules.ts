/**
 * The allowed positions of bodies in a tree.
 *
 * The engine moves a body in the world, the tree moves an entity with its parent: only one of them can be right. So a body
 * belongs where nothing moves it: on a root, below folders, which have no transform, and ghosts, or where it inherits nothing from
 * its ancestors. A kinematic one, which
 * nothing pushes, may have an ancestor that moves it if the physics allows that: it follows the tree.
 */
import { type Entity, guard, guardWrites } from "../../ecs/index.ts";
import { constrain, Ghost } from "../../hierarchy/index.ts";
import { InheritTransform } from "../../transform/index.ts";
import { DYNAMIC, KINEMATIC, RigidBody } from "../components.ts";
import { type Context, cuts, isCut, isCutWith, type Mask, maskOf, moverFrom, moverOf } from "../context.ts";
import { BodyOnChildError } from "../errors.ts";

/** Starts enforcing the rules. Returns a function that ends it. */
export function enforceRules(context: Context): () => void {
  const { world, tree } = context;
  // The guards of a component are called in the order of registration; the rule below does not receive the values.
  let type = DYNAMIC;
  let isCutNow = false;
  const ends = [
    guard(world, RigidBody, (index, values, together) => {
      type = (values as { readonly type?: number } | undefined)?.type ?? DYNAMIC;
      isCutNow = isCutWith(context, index === 0 ? null : world.handleAt(index), together);
    }),
    constrain(tree, {
      name: "physics bodies where nothing moves them",
      attach(child, parent) {
        // Most entities have no children when they are attached: walking up from each would make deep trees quadratic.
        if (!world.has(child, RigidBody) && tree.firstChild(child) === null) return undefined;
        const mover = moverFrom(context, parent);
        const body = mover === null ? undefined : bodyInReach(context, child);
        if (mover === null || body === undefined) return undefined;
        const what = body === child ? "" : `, with the body ${tree.label(body)} below it,`;
        const doing = `attach ${tree.label(child)}${what} to ${tree.label(parent as Entity)}`;
        throw childBodyError(context, doing, body, mover);
      },
      components: [RigidBody],
      add(entity, _component, parent) {
        const mover = mayBeChild(context, type) ? null : moverFrom(context, parent);
        if (mover === null || isCutNow) return undefined;
        const what =
          entity === null ? "create an entity with a RigidBody" : `add a RigidBody to ${tree.label(entity)}`;
        throw childBodyError(context, `${what} under ${tree.label(parent as Entity)}`, entity, mover);
      },
    }),
    // Adding it again replaces all of its values.
    guard(world, InheritTransform, (index, values) => {
      if (index !== 0) refuseUncut(context, world.handleAt(index), maskOf(values));
    }),
    guardWrites(world, InheritTransform, (entity, values) =>
      refuseUncut(context, entity, { ...(world.get(entity, InheritTransform) as Mask), ...values }),
    ),
    guardWrites(world, RigidBody, (entity, { type: given }) => {
      if (given === undefined || mayBeChild(context, given as number)) return;
      const parent = tree.parentOf(entity);
      const mover = moverOf(context, entity);
      if (mover === null) return;
      const where = `${tree.label(entity)} under ${tree.label(parent as Entity)}`;
      throw childBodyError(context, `change the type of the body of ${where}`, entity, mover);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** @throws BodyOnChildError when a body that inherits nothing from its ancestors would then be moved by one. */
function refuseUncut(context: Context, entity: Entity, now: Mask): void {
  const { tree } = context;
  if (cuts(now) || !isCut(context, entity) || bodyBeing(context, entity) === undefined) return;
  const parent = tree.parentOf(entity);
  const mover = moverFrom(context, parent);
  if (mover === null) return;
  const where = `${tree.label(entity)} under ${tree.label(parent as Entity)}`;
  throw childBodyError(context, `let the body of ${where} inherit`, entity, mover);
}

/**
 * A body that the ancestors of `top` would move: that of `top`, or one below it with only folders and ghosts in between.
 * Bodies that may be moved do not count.
 */
function bodyInReach(context: Context, top: Entity): Entity | undefined {
  const { world, tree, space } = context;
  if (isRefusedChild(context, top)) return top;
  const isFolder = (entity: Entity) => !world.has(entity, space.component) || world.has(entity, Ghost);
  if (!isFolder(top)) return undefined;
  const walk = tree.descendants(top);
  for (const entity of walk) {
    if (isRefusedChild(context, entity)) return entity;
    if (!isFolder(entity)) walk.skip();
  }
  return undefined;
}

/** The body of an entity, unless it may be moved. */
function bodyBeing(context: Context, entity: Entity) {
  const body = context.world.get(entity, RigidBody);
  return body === undefined || mayBeChild(context, body.type) ? undefined : body;
}

function isRefusedChild(context: Context, entity: Entity): boolean {
  return bodyBeing(context, entity) !== undefined && !isCut(context, entity);
}

/** Whether a body of this type may have an ancestor that moves it. */
export function mayBeChild({ childBodies }: Context, type: number): boolean {
  return childBodies === "kinematic" && type === KINEMATIC;
}

/**
 * @param entity - `null` while it is still to be created.
 * @param mover - The entity that would move it.
 */
export function childBodyError(
  context: Context,
  doing: string,
  entity: Entity | null,
  mover: Entity,
): BodyOnChildError {
  const label = context.tree.label(mover);
  const third =
    context.childBodies === "kinematic"
      ? "make the body KINEMATIC, so that it follows the tree"
      : 'allow kinematic children with createPhysics(…, { childBodies: "kinematic" })';
  return new BodyOnChildError(
    `Cannot ${doing}: the engine moves a body in the world, and ${label} would move it too. Either keep it a root, or below folders without a transform, and connect the two with a Joint, or give it a Collider without a RigidBody, which becomes a shape of the body above it, or ${third}.`,
    { entities: entity === null ? [mover] : [entity, mover] },
  );
}
