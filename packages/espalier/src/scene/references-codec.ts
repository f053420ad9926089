/**
 * How several references are written in files: the ids of their targets or, if pairs have data, objects with the id under `target`.
 */
import { describeValue, type Entity, type Field } from "../ecs/index.ts";
import { isJsonObject, type Json, type JsonObject } from "./json/json.ts";

/** What a codec of references can look up. */
interface WriteIds {
  readonly idOf: (entity: Entity | null) => string | null;
}
interface ReadIds {
  readonly entity: (id: string) => Entity;
}

/** The codec of a field of `entityRefs`. Targets outside of the scene are left out. */
export function referencesCodec(field: Field) {
  const { data } = field;
  return {
    references: true,
    schema: field.type.schema(field) as JsonObject,
    write: (value: unknown, { idOf }: WriteIds): Json =>
      (value as readonly unknown[]).flatMap((item): Json[] => {
        const isPair = typeof item === "object" && item !== null;
        const { target, ...values } = isPair ? (item as { target: Entity }) : { target: item as Entity };
        const id = idOf(target);
        if (id === null) return [];
        return [data === undefined ? id : { target: id, ...writeData(data, values) }];
      }),
    read(json: Json, { entity }: ReadIds): unknown {
      if (!Array.isArray(json)) throw new Error(`it takes an array, got ${describeValue(json)}.`);
      const met = new Set<string>();
      return (json as readonly Json[]).map((item) => {
        const id = isJsonObject(item) ? item.target : item;
        if (typeof id !== "string") throw new Error(`it takes ids of entities, got ${describeValue(id)}.`);
        if (met.has(id)) throw new Error(`it names ${describeValue(id)} twice.`);
        met.add(id);
        const target = entity(id);
        return data === undefined ? target : { target, ...readData(data, isJsonObject(item) ? item : {}) };
      });
    },
  };
}

type Data = NonNullable<Field["data"]>;

function writeData(data: Data, values: { readonly [name: string]: unknown }): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([name, { type }]) => [
      name,
      (type.toJson === undefined ? values[name] : type.toJson(values[name])) as Json,
    ]),
  );
}

function readData(data: Data, json: JsonObject): { [name: string]: unknown } {
  const values: { [name: string]: unknown } = {};
  for (const [name, part] of Object.entries(json)) {
    if (name === "target") continue;
    if (!Object.hasOwn(data, name)) throw new Error(`its pairs have no ${describeValue(name)}.`);
    const field = data[name] as Field;
    const value = field.type.isJson(part, field) ? part : field.type.fromJson?.(part, field);
    const wrong = value === undefined ? `takes ${field.type.takes}` : field.type.misfit(field, value);
    if (wrong !== undefined) throw new Error(`${name} of a pair ${wrong}, got ${describeValue(part)}.`);
    values[name] = value;
  }
  return values;
}
