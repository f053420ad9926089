/**
 * Rules a hierarchy enforces besides being a forest. They are asked before an attach and before a component is added,
 * and refuse by saying why.
 */
import { type AnyComponent, type Entity, isComponent } from "../../ecs/index.ts";
import {
  refuseArgument,
  requireFunction,
  requireList,
  requireObject,
  requireText,
} from "../../ecs/internal.ts";

/** A rule about which entity may be a child of which, checked before every move. */
export interface Constraint {
  /** Shown in errors. */
  readonly name: string;
  /**
   * Why `child` must not go under `parent` (`null`: must not become a root); nothing if it may. `label` gives an entity's
   * name and number for the message: `tank#12`.
   */
  readonly attach?: (
    child: Entity,
    parent: Entity | null,
    label: (entity: Entity) => string,
  ) => string | undefined;
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
    label: (entity: Entity) => string,
  ) => string | undefined;
}

/** @throws InvalidArgumentError for what is not a constraint. */
export function requireConstraint(constraint: Constraint): void {
  requireObject(constraint, "constrain a tree", "the constraint");
  requireText(constraint.name, "constrain a tree", "the name of the constraint");
  const doing = `constrain a tree by ${constraint.name}`;
  const { attach, add, components = [] } = constraint;
  if (attach !== undefined) requireFunction(attach, doing, "attach");
  if (add !== undefined) requireFunction(add, doing, "add");
  requireList(components, doing, "its list of components");
  for (const component of components) requireComponent(component, doing);
}

function requireComponent(component: AnyComponent, doing: string): void {
  if (!isComponent(component)) refuseArgument(component, doing, "it", "a component");
}

function requireHost(host: ConstraintHost): void {
  if (typeof (Object(host) as Partial<ConstraintHost>).has !== "function") {
    refuseArgument(host, "make a constraint", "the first argument", "a world");
  }
}

/** What constraints may ask. */
export interface ConstraintHost {
  has(entity: Entity, component: AnyComponent): boolean;
}

/** Only roots may have `component`. */
export function forbidOnChildren(host: ConstraintHost, component: AnyComponent): Constraint {
  requireHost(host);
  requireComponent(component, "forbid a component on children");
  const why = `${component.name} is allowed on roots only`;
  return {
    name: `forbidOnChildren(${component.name})`,
    attach: (child, parent) => (parent !== null && host.has(child, component) ? why : undefined),
    components: [component],
    add: (_entity, _component, parent) => (parent !== null ? why : undefined),
  };
}

/**
 * An entity with `component` must have a parent that has `required`. If that is left out, it is the same component, and roots may
 * have it too: it goes down from them without a gap.
 */
export function requireOnParent(
  host: ConstraintHost,
  component: AnyComponent,
  required: AnyComponent = component,
): Constraint {
  requireHost(host);
  requireComponent(component, "require a component on parents");
  requireComponent(required, "require a component on parents");
  const needs = `${component.name} needs a parent with ${required.name}`;
  /** @param instead - What to do about a root. */
  const why = (
    parent: Entity | null,
    label: (entity: Entity) => string,
    instead: () => string,
  ): string | undefined => {
    if (parent === null) {
      return required === component ? undefined : `${needs}, and a root has no parent. ${instead()}`;
    }
    if (host.has(parent, required)) return undefined;
    const named = label(parent);
    return `${needs}, and ${named} has no ${required.name}. Add ${required.name} to ${named} first, or choose a parent that has it`;
  };
  return {
    name: `requireOnParent(${component.name}, ${required.name})`,
    attach: (child, parent, label) =>
      host.has(child, component)
        ? why(
            parent,
            label,
            () => `Attach it to another entity that has ${required.name}, or remove ${component.name} first`,
          )
        : undefined,
    components: [component],
    add: (entity, _component, parent, label) =>
      why(parent, label, () =>
        entity === null
          ? `Create it below an entity that has ${required.name}, with attachNew()`
          : `Attach ${label(entity)} to an entity that has ${required.name} first`,
      ),
  };
}
