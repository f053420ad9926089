/**
 * Component declarations as Colyseus schemas: a class for each component, one for an entity, one for the state.
 */
import { type FieldBuilder, type MapSchema, type Schema, schema, t } from "@colyseus/schema";
import type { Quantized } from "./encodings.ts";
import type { ComponentPlan, FieldPlan, WireValue } from "./field-plans.ts";

/** The values of one component on the wire, by field. */
export type ComponentState = Schema & { [field: string]: WireValue };

/** An entity on the wire. Components are additional members, by index: `c0`, `c1`… */
export type EntityState = Schema & {
  /** The key of its parent; 0 for a root, -1 for one that is not in the tree. */
  parent: number;
  /** The sort key among siblings. */
  order: number;
  /** Its name in the tree; empty without one. */
  name: string;
  /** The session that owns it; empty without one. */
  owner: string;
} & { [component: `c${number}`]: ComponentState | boolean | undefined };

/** The state that clients get. */
export type WorldState = Schema & {
  /** The hash that both sides must agree on. */
  hash: number;
  /** Entities by key. */
  entities: MapSchema<EntityState>;
};

/** The classes of one replication. */
export interface StateClasses {
  readonly World: new () => WorldState;
  readonly Entity: new () => EntityState;
  /** By index; `undefined` for a component without fields, which is a boolean. */
  readonly components: readonly ((new () => ComponentState) | undefined)[];
}

type Builders = { [name: string]: FieldBuilder };

/** With views, a client gets the entities that were added to its view; without, all. */
export function stateClassesOf(plans: readonly ComponentPlan[], viewed: boolean): StateClasses {
  const components = plans.map(({ component, fields }) =>
    fields.length === 0 ? undefined : schema(buildersOf(fields), component.name),
  );
  const entity: Builders = {
    parent: t.number().default(0),
    order: t.number().default(0),
    name: t.string().default(""),
    owner: t.string().default(""),
  };
  components.forEach((type, k) => {
    entity[`c${k}`] = (
      type === undefined ? t.boolean().default(false) : t.ref(type as unknown as typeof Schema).optional()
    ) as FieldBuilder;
  });
  const Entity = schema(entity, "Entity");
  const entities = t.map(Entity as unknown as typeof Schema);
  const World = schema(
    { hash: t.uint32().default(0), entities: viewed ? entities.view() : entities } as Builders,
    "World",
  );
  return { World, Entity, components } as unknown as StateClasses;
}

/** The class of an input. */
export function inputClassOf(plan: readonly FieldPlan[]): typeof Schema {
  return schema(buildersOf(plan), "Input") as unknown as typeof Schema;
}

function buildersOf(fields: readonly FieldPlan[]): Builders {
  return Object.fromEntries(fields.map((plan) => [plan.name, builderOf(plan)]));
}

function builderOf({ wire, encoding, initial }: FieldPlan): FieldBuilder {
  if (wire === "quantized") return t.quantized(encoding as Quantized) as FieldBuilder;
  const make = t[wire as "float32"] as () => FieldBuilder<WireValue>;
  return make().default(initial) as unknown as FieldBuilder;
}
