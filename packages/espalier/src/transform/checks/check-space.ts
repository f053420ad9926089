/**
 * What must hold before a space is created. Nothing has changed when one of these throws.
 */
import { type AnyComponent, type Entity, isComponent } from "../../ecs/index.ts";
import { describeValue, stateOf } from "../../ecs/internal.ts";
import { addKeeper, type Hierarchy } from "../../hierarchy/index.ts";
import { InvalidSpaceError } from "../errors.ts";

/** Refuses what is not a component with these fields, of one kind. */
export function requireFields(component: AnyComponent, fields: readonly string[], kind: string): void {
  const schema = isComponent(component) ? component.schema : {};
  if (fields.every((field) => Object.hasOwn(schema, field) && schema[field].kind === kind)) return;
  const given = isComponent(component) ? component.name : describeValue(component);
  throw new InvalidSpaceError(
    `Cannot create transforms of ${given}: it must be a component whose fields ${fields.join(", ")} are ${kind}.`,
  );
}

/** Refuses a component whose values the world keeps already: a space keeps them itself, from the first one on. */
export function requireUnused(tree: Hierarchy, component: AnyComponent): void {
  const { world } = tree;
  const state = stateOf(world);
  const { name } = component;
  state.requireUsable("create transforms");
  const known = state.componentNamed(name);
  if (known === undefined) return;
  // Another component of that name: the world says so.
  if (known !== component) state.store(component);
  if (state.externals.has(component)) {
    throw new InvalidSpaceError(
      `Cannot create transforms of ${name}: a space of this world has it already. Use that one, or give the second a component of its own: { component, name }.`,
      { component: name },
    );
  }
  const query = world.query(component);
  const [first] = query;
  const reason =
    first === undefined
      ? "a query, a reader or an observer of it was made"
      : `${query.count()} of its entities have one (the first is ${tree.label(first as Entity)})`;
  throw new InvalidSpaceError(
    `Cannot create transforms of ${name}: this world uses ${name} already, because ${reason}. Create the space first, right after the hierarchy.`,
    { entities: first === undefined ? [] : [first as Entity], component: name },
  );
}

/** Gives `attach(…, { keep: name })` its meaning. */
export function addSpaceKeeper(
  tree: Hierarchy,
  name: string,
  keep: (child: Entity, parent: Entity | null) => () => void,
): void {
  try {
    addKeeper(tree, name, keep);
  } catch {
    throw new InvalidSpaceError(
      `Cannot create transforms named ${describeValue(name)}: ${tree.name} has a space of that name already, and { keep: ${describeValue(name)} } can mean only one. Give the second another: { name: "shadow" }.`,
      { subject: name },
    );
  }
}
