/**
 * Where bodies may be in a tree.
 *
 * The engine moves a body in the world, the tree moves an entity with its parent: only one of them can be right. So a body
 * belongs on a root. A kinematic one, which nothing pushes, may be a child where the physics allows it: it follows the tree.
 */
import type { Entity } from "../ecs/index.ts";
import { DYNAMIC, Joint, KINEMATIC, RigidBody } from "./components.ts";
import type { Context } from "./context.ts";
import { BodyOnChildError, InvalidBodyError, InvalidJointError } from "./errors.ts";

/** Enforces the rules on a tree from now on. Returns a function that ends them. */
export function enforceRules(context: Context): () => void {
  const { world, tree } = context;
  // The guards of a component are asked in the order they were registered; the rule below does not get the values.
  let type = DYNAMIC;
  const ends = [
    world.guard(RigidBody, (index, values) => {
      const given = (values ?? {}) as { readonly [field: string]: number | undefined };
      type = given.type ?? DYNAMIC;
      for (const field of ["linearDamping", "angularDamping"]) {
        const value = given[field];
        if (value !== undefined && value < 0)
          throw negative(field, value, index === 0 ? "a new entity" : `#${index}`, []);
      }
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
    world.guard(Joint, (_index, values) => {
      for (const side of ["a", "b"] as const) {
        const target = (values as { a?: Entity | null; b?: Entity | null } | undefined)?.[side];
        if (target === undefined || target === null || world.isAlive(target)) continue;
        throw new InvalidJointError(
          `Cannot add a Joint: its ${side} is ${tree.label(target)}, which was destroyed. Join living entities.`,
          [target],
        );
      }
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
    entity === null ? [parent] : [entity, parent],
  );
}

export function negative(
  field: string,
  value: number,
  label: string,
  entities: readonly Entity[],
): InvalidBodyError {
  return new InvalidBodyError(
    `Cannot give ${label} the ${field} ${value}: damping takes speed away and must not be negative. Use 0 or more.`,
    entities,
  );
}
