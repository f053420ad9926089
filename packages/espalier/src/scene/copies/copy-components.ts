/**
 * The components of one entity, ready to be given to another.
 */
import type { AnyComponent, AnyInit, Component, Entity, Schema, World } from "../../ecs/index.ts";
import { initOf, stateOf, tellCapture } from "../../ecs/internal.ts";
import type { CloneOptions } from "./clone.ts";
import { copyValue } from "./copy-value.ts";

export interface CopiedComponents {
  readonly inits: readonly AnyInit[];
  /** Fields in which the entity refers to itself; they are left out of `inits`. */
  readonly toSelf: readonly { readonly component: Component<Schema>; readonly field: string }[];
}

/** Copies the values of these components, but for those that only their owner may write. */
export function copyComponents(
  world: World,
  entity: Entity,
  components: readonly AnyComponent[],
  copy: NonNullable<CloneOptions["copy"]> = copyValue,
): CopiedComponents {
  tellCapture(stateOf(world));
  const inits: AnyInit[] = [];
  const toSelf: { component: Component<Schema>; field: string }[] = [];
  for (const component of components) {
    if (component.reserved !== undefined) continue;
    const values = world.get(entity, component as Component<Schema>) as { [field: string]: unknown };
    for (const [field, spec] of Object.entries(component.schema)) {
      const { valueKind } = spec.type;
      if (valueKind === "object") values[field] = copy(values[field], component, field);
      else if (valueKind === "entity" && values[field] === entity) {
        values[field] = null;
        toSelf.push({ component: component as Component<Schema>, field });
      }
    }
    inits.push(initOf(component, values));
  }
  return { inits, toSelf };
}
