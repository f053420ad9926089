/**
 * Finds the references to an entity, by searching.
 */
import {
  type AnyComponent,
  type Component,
  type Entity,
  type EntityLike,
  fieldTypeOf,
  listComponents,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import { requireEntity, requireWorld } from "../arguments.ts";

/** A field that holds a reference. */
export interface Reference {
  /** The entity that has the field. */
  readonly entity: Entity;
  /** The component that holds the reference. */
  readonly component: AnyComponent;
  /** The name of the field. */
  readonly field: string;
}

/**
 * All fields of the world that refer to an entity, by component and field, then in the order of a query. Only
 * `entityRef` and `entityRefs` fields are searched, not entities inside object fields. O(entities that have a component with
 * such a field); for
 * a field that is indexed use `referrersOf`.
 *
 * @throws DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Aim = component("Aim", { at: entityRef() });
 * const rock = world.spawn();
 * const tank = world.spawn(Aim({ at: rock }));
 * referencesTo(world, rock).map(({ entity, field }) => [entity, field]); // → [[tank, "at"]]
 * ```
 */
export function referencesTo(world: World, entity: EntityLike): Reference[] {
  requireWorld(world, "find references");
  const target = requireEntity({ world }, entity, "find references");
  const found: Reference[] = [];
  for (const { name, fields } of listComponents(world)) {
    const referring = fields.filter((field) => ["entity", "entities"].includes(fieldTypeOf(field).valueKind));
    const component = referring.length === 0 ? undefined : world.componentNamed(name);
    if (component === undefined) continue;
    for (const other of world.query(component as Component<Schema>).ids()) {
      const values = world.get(other, component as Component<Schema>) as { [field: string]: unknown };
      for (const { name: field } of referring) {
        if (refersTo(values[field], target)) found.push({ entity: other, component, field });
      }
    }
  }
  return found;
}

function refersTo(value: unknown, entity: Entity): boolean {
  if (!Array.isArray(value)) return value === entity;
  return value.some((item) => item === entity || (Object(item) as { target?: unknown }).target === entity);
}
