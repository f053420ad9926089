/**
 * Rules a hierarchy enforces besides being a forest. They are asked before an attach and before a component is added,
 * and refuse by saying why.
 */
import type { AnyComponent, Entity } from "../../ecs/index.ts";

/** A rule about who may be whose child, asked before every move. */
export interface Constraint {
  /** Shown in errors. */
  readonly name: string;
  /** Why `child` must not go under `parent` (`null`: must not become a root); nothing if it may. */
  readonly attach?: (child: Entity, parent: Entity | null) => string | undefined;
  /** Ask `add` before an entity gets one of these. */
  readonly components?: readonly AnyComponent[];
  /**
   * Why an entity under `parent` must not get `component`; nothing if it may. `entity` is `null` while it is still to
   * be created.
   */
  readonly add?: (
    entity: Entity | null,
    component: AnyComponent,
    parent: Entity | null,
  ) => string | undefined;
}

/** What constraints may ask. */
export interface ConstraintHost {
  has(entity: Entity, component: AnyComponent): boolean;
}

/** Only roots may have `component`. */
export function forbidOnChildren(host: ConstraintHost, component: AnyComponent): Constraint {
  const why = `${component.name} is allowed on roots only`;
  return {
    name: `forbidOnChildren(${component.name})`,
    attach: (child, parent) => (parent !== null && host.has(child, component) ? why : undefined),
    components: [component],
    add: (_entity, _component, parent) => (parent !== null ? why : undefined),
  };
}

/** An entity with `component` must have a parent that has `required` (the same component if left out). */
export function requireOnParent(
  host: ConstraintHost,
  component: AnyComponent,
  required: AnyComponent = component,
): Constraint {
  const why = `${component.name} needs a parent with ${required.name}`;
  const lacks = (parent: Entity | null) => parent === null || !host.has(parent, required);
  return {
    name: `requireOnParent(${component.name}, ${required.name})`,
    attach: (child, parent) => (host.has(child, component) && lacks(parent) ? why : undefined),
    components: [component],
    add: (_entity, _component, parent) => (lacks(parent) ? why : undefined),
  };
}
