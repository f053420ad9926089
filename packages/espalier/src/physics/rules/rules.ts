/**
 * Where bodies may be in a tree.
 *
 * The engine moves a body in the world, the tree moves an entity with its parent: only one of them can be right. So a body
 * belongs on a root. A kinematic one, which nothing pushes, may be a child where the physics allows it: it follows the tree.
 */
import type { Entity } from "../../ecs/index.ts";
import { DYNAMIC, KINEMATIC, RigidBody } from "../components.ts";
import type { Context } from "../context.ts";
import { BodyOnChildError } from "../errors.ts";

/** Keeps bodies where they may be from now on. Returns a function that ends it. */
export function enforceRules(context: Context): () => void {
  const { world, tree } = context;
  // The guards of a component are asked in the order they were registered; the rule below does not get the values.
  let type = DYNAMIC;
  const ends = [
    world.guard(RigidBody, (_index, values) => {
      type = (values as { readonly type?: number } | undefined)?.type ?? DYNAMIC;
    }),
    tree.constrain({
      name: "physics bodies on roots",
      attach(child, parent) {
        if (parent === null || !world.has(child, RigidBody)) return undefined;
        const own = world.get(child, RigidBody)?.type ?? DYNAMIC;
        if (mayBeChild(context, own)) return undefined;
        throw childBodyError(context, `attach ${tree.label(child)} to ${tree.label(parent)}`, child, parent);
      },
      components: [RigidBody],
      add(entity, _component, parent) {
        if (parent === null || mayBeChild(context, type)) return undefined;
        const what =
          entity === null ? "create an entity with a RigidBody" : `add a RigidBody to ${tree.label(entity)}`;
        throw childBodyError(context, `${what} under ${tree.label(parent)}`, entity, parent);
      },
    }),
    world.guardWrites(RigidBody, (entity, { type: given }) => {
      const parent = given === undefined ? null : tree.parentOf(entity);
      if (parent === null || mayBeChild(context, given as number)) return;
      throw childBodyError(
        context,
        `change the type of the body of ${tree.label(entity)} under ${tree.label(parent)}`,
        entity,
        parent,
      );
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Whether a body of this type may be on a child. */
export function mayBeChild({ childBodies }: Context, type: number): boolean {
  return childBodies === "kinematic" && type === KINEMATIC;
}

/** @param entity `null` while it is still to be created. */
export function childBodyError(
  context: Context,
  doing: string,
  entity: Entity | null,
  parent: Entity,
): BodyOnChildError {
  const label = context.tree.label(parent);
  const third =
    context.childBodies === "kinematic"
      ? "make the body KINEMATIC, so that it follows the tree"
      : 'allow kinematic children with createPhysics(…, { childBodies: "kinematic" })';
  return new BodyOnChildError(
    `Cannot ${doing}: the engine moves a body in the world, and ${label} would move it too. Either keep it a root and connect the two with a Joint, or give it a Collider without a RigidBody, which becomes a shape of the body above it, or ${third}.`,
    { entities: entity === null ? [parent] : [entity, parent] },
  );
}
