/**
 * The fields of one entity's component as an object that is always up to date.
 */
import {
  type Component,
  type Entity,
  type Field,
  indexOf,
  requireAlive,
  type Schema,
  type World,
} from "../../ecs/index.ts";

/** Makes such objects for one component; they share their accessors. */
export function liveValuesOf(world: World, component: Component<Schema>): (entity: Entity) => object {
  class LiveValues {
    readonly entity: Entity;
    constructor(entity: Entity) {
      this.entity = entity;
      // Only the fields are visible.
      Object.defineProperty(this, "entity", { enumerable: false });
    }
  }
  for (const [name, field] of Object.entries(component.schema)) {
    // Numbers in dense storage are read without copying the whole component.
    const isPlain = component.storage === "dense" && isNumeric(field);
    Object.defineProperty(LiveValues.prototype, name, {
      enumerable: true,
      get: isPlain
        ? function (this: LiveValues): unknown {
            if (!world.isAlive(this.entity))
              requireAlive(world, this.entity, `read ${component.name}.${name}`);
            return (world.columns(component) as Record<string, ArrayLike<number>>)[name]?.[
              indexOf(this.entity)
            ];
          }
        : function (this: LiveValues): unknown {
            return (world.get(this.entity, component) as Record<string, unknown> | undefined)?.[name];
          },
      set(this: LiveValues, value: unknown) {
        world.set(this.entity, component, { [name]: value });
      },
    });
  }
  return (entity) => new LiveValues(entity);
}

/** Whether users see the number that the column holds. */
function isNumeric(field: Field): boolean {
  const { valueKind } = field.type;
  return valueKind === "number" || valueKind === "integer";
}
