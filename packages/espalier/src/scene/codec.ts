/**
 * How the values of one component are written to a file and read from it.
 *
 * Everything is derived from the component's schema; object fields may have a codec of their own.
 */
import {
  type AnyComponent,
  type Component,
  describeValue,
  type Entity,
  type Field,
  type FieldType,
  type FieldValue,
  isComponent,
  type Schema,
} from "../ecs/index.ts";
import { checkOptions, DEVELOPMENT, decodeValue, defaultOf, encodeValue } from "../ecs/internal.ts";
import { ownOf, setOwn } from "../history/internal.ts";
import { SceneUseError } from "./errors.ts";
import type { Json, JsonObject } from "./json/json.ts";
import { toJson } from "./json/to-json.ts";
import { suggest } from "./read/nearest.ts";
import { referencesCodec } from "./references-codec.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** What a codec can look up while it writes. */
export interface WriteContext {
  /** The id of an entity of the scene; `null` for `null` and for an entity that is dead or outside. */
  readonly idOf: (entity: Entity | null) => string | null;
}

/** What a codec can look up while it reads. */
export interface ReadContext {
  /** The entity with that id. @throws when the scene has none; the error becomes a problem of the file. */
  readonly entity: (id: string) => Entity;
}

/** How one field is written and read, for values that are not plain JSON. */
export interface FieldCodec<Value> {
  /** The value as JSON. */
  write(value: Value, context: WriteContext): Json;
  /** Creates a new value. Throws an error that says what is wrong when the JSON does not fit. */
  read(json: Json, context: ReadContext): Value;
  /** Whether the value holds entities: it is then read when all of them exist, and may use the context. */
  readonly references?: boolean;
  /** The form of the JSON, for the JSON Schema. */
  readonly schema?: JsonObject;
}

/** How the values of a component are written to a file and read from it. */
export interface CodecOptions<S extends Schema> {
  /** Codecs by field, for values that are not plain JSON. */
  readonly fields?: { readonly [K in keyof S]?: FieldCodec<FieldValue<S[K]>> };
  /**
   * Checks the whole component as written in files, including fields with their defaults, when it is loaded and when it is
   * saved. Its result is used, such as a trimmed string.
   */
  readonly validate?: StandardSchema;
  /** Shown by editors that know the JSON Schema. */
  readonly description?: string;
}

/** A component with the codecs to write and read it. */
export interface ComponentRegistration {
  /** The component that is registered. */
  readonly component: AnyComponent;
  /** Codecs by field; the others are written as plain JSON. */
  readonly fields: { readonly [field: string]: FieldCodec<never> | undefined };
  /** Checks the whole component, if there is such a check. */
  readonly validate: StandardSchema | undefined;
  /** The text that editors show, if there is one. */
  readonly description: string | undefined;
}

/**
 * A component with codecs for its object fields, a validator, or a description, for `createSceneFormat`.
 *
 * @example
 * ```ts
 * const Tags = component("Tags", { set: object(() => new Set<string>()) });
 * const format = createSceneFormat({
 *   components: [
 *     withCodec(Tags, {
 *       fields: { set: { write: (set) => [...set], read: (json) => new Set(json as string[]) } },
 *     }),
 *   ],
 * });
 * const tree = createHierarchy(createWorld());
 * const scene = format.load(tree, `{ "entities": [{ "id": "tank", "components": { "Tags": { "set": ["red"] } } }] }`);
 * tree.world.get(scene.entity("tank"), Tags); // → { set: new Set(["red"]) }
 * ```
 */
export function withCodec<S extends Schema>(
  component: Component<S>,
  options: CodecOptions<S>,
): ComponentRegistration {
  if (!isComponent(component) || typeof options !== "object" || options === null) {
    throw new SceneUseError(
      `Cannot give a codec to ${describeValue(component)} with ${describeValue(options)}: withCodec takes a component and an object.`,
      "scene/invalid-format",
      { value: component },
    );
  }
  const kinds = { fields: "anything", validate: "anything", description: "string" } as const;
  checkOptions(DEVELOPMENT, `give a codec to ${component.name}`, options, kinds);
  return {
    component,
    fields: (options.fields ?? {}) as ComponentRegistration["fields"],
    validate: options.validate,
    description: options.description,
  };
}

/** One field, ready for use. */
export interface FieldInfo {
  readonly name: string;
  readonly field: Field;
  readonly type: FieldType;
  readonly codec: FieldCodec<unknown> | undefined;
}

/** One component, ready for use. */
export interface ComponentCodec {
  readonly component: AnyComponent;
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldInfo>;
  readonly validate: StandardSchema | undefined;
  readonly description: string | undefined;
  /** Index in the registration order, which is the order in files. */
  readonly rank: number;
}

export function createCodec(registration: ComponentRegistration, rank: number): ComponentCodec {
  const { component, validate, description } = registration;
  const fields = new Map<string, FieldInfo>();
  for (const [name, field] of Object.entries(component.schema)) {
    const own = ownOf(registration.fields, name) as FieldCodec<unknown> | undefined;
    const codec = own ?? standardCodec(field);
    fields.set(name, { name, field, type: field.type, codec });
  }
  return { component, name: component.name, fields, validate, description, rank };
}

function standardCodec(field: Field): FieldCodec<unknown> | undefined {
  if (field.type.valueKind === "entities") return referencesCodec(field) as FieldCodec<unknown>;
  return field.names === undefined ? undefined : namedCodec(field, field.names);
}

/** Values with names are written by name in files, whether programs use the names or the numbers. */
function namedCodec(field: Field, names: readonly string[]): FieldCodec<unknown> {
  return {
    write: (value) => names[encodeValue(field, value) as number] ?? (value as number),
    read(json) {
      const number = names.indexOf(json as string);
      if (number >= 0) return decodeValue(field, number, { isAlive: () => false });
      const hint =
        typeof json === "string" ? suggest(json, names, "values") : `The values are ${names.join(", ")}.`;
      throw new Error(`${describeValue(json)} is not one of its values. ${hint}`);
    },
    schema: { enum: [...names] },
  };
}

// Writing ------------------------------------------------------------------------------------------------------------

/** The JSON of one field's value. @throws Unwritable */
export function writeField(info: FieldInfo, value: unknown, context: WriteContext): Json {
  if (info.codec !== undefined) {
    return toJson(info.codec.write(value, context), "its codec wrote");
  }
  const { type } = info;
  if (type.toJson !== undefined) return type.toJson(value) as Json;
  if (type.valueKind === "entity") return context.idOf(value as Entity | null);
  if (type.valueKind === "object") return toJson(value, "it holds");
  return value as Json;
}

/** The JSON of a field that was never set. */
export function writeDefault(info: FieldInfo, context: WriteContext): Json {
  return writeField(info, keptValue(info, defaultOf(info.field)), context);
}

/** A value as it is after being stored in a column. */
export function keptValue({ type }: FieldInfo, value: unknown): unknown {
  return type.round === undefined ? value : type.round(value as number);
}

/** A component with default values, as written in files; without fields that cannot be written. */
export function defaultJson(codec: ComponentCodec): JsonObject {
  const json: { [field: string]: Json } = {};
  for (const info of codec.fields.values()) {
    try {
      setOwn(json, info.name, writeDefault(info, { idOf: () => null }));
    } catch {
      // Saving such a value is reported; validators do not receive values that a file cannot hold.
    }
  }
  return json;
}
