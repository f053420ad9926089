/**
 * Shared storage as an option of a component: a value, so that programs without shared components do not carry it.
 */
import { InvalidSchemaError } from "../errors.ts";
import { describeValue, type Field } from "./fields.ts";
import { heldData, isSameData } from "./plain-data.ts";
import { type SharedHost, SharedRows } from "./shared-rows.ts";

/** What `storage: shared` stands for. */
export interface SharedStorage {
  /** What `storage` of the component says. */
  readonly name: "shared";
  /** @internal The rows of one world. */
  createRows(host: SharedHost, capacity: number): SharedRows;
  /** @internal The field as the component has it. @throws InvalidSchemaError */
  share(component: string, name: string, field: Field): Field;
  /** @internal What a column holds of an object. */
  hold(value: unknown): unknown;
}

/**
 * Keeps equal values of a component once, however many entities have them: for what most instances of a prefab never change, such as looks,
 * statistics and texts. The first write to one of them gives that entity values of its own. Plain data in it is held as a read-only
 * copy, and equal by its contents; any other object (a `Map`, one of a class, one with the same object in it twice) as it is, and equal only
 * to itself. Fields cannot refer to entities.
 *
 * @example
 * ```ts
 * const Look = component("Look", { sprite: string() }, { storage: shared });
 * const [a, b] = world.spawnMany(2, Look({ sprite: "tank.png" }));
 * inspect(world, a).components[0]?.sharedBy; // → 2
 * world.set(a, Look, { sprite: "wreck.png" });
 * world.get(b, Look); // → { sprite: "tank.png" }
 * ```
 */
export const shared: SharedStorage = {
  name: "shared",
  createRows: (host, capacity) => new SharedRows(host, capacity),
  share: shareField,
  hold: heldData,
};

/** Refuses a field whose values are those of one entity, and lets objects be equal by their contents. */
function shareField(component: string, name: string, field: Field): Field {
  const { valueKind } = field.type;
  if (valueKind === "entity" || valueKind === "entities") {
    throw new InvalidSchemaError(
      `Cannot define component ${component}: field ${describeValue(name)} refers to entities, which differ from instance to instance, so it cannot be shared. Move it to a component of its own.`,
      { component, field: name, option: "storage" },
    );
  }
  return valueKind === "object" ? { ...field, type: { ...field.type, isSame: isSameData } } : field;
}
