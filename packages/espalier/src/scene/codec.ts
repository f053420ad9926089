/**
 * How the values of one component are written to a file and read from it.
 *
 * Everything follows from the component's schema; object fields may bring a codec of their own.
 */
import {
  type AnyComponent,
  type Component,
  describeValue,
  type Entity,
  type Field,
  type FieldKind,
  type FieldValue,
  isComponent,
  type Schema,
} from "../ecs/index.ts";
import { SceneUseError } from "./errors.ts";
import type { Json, JsonObject } from "./json/json.ts";
import { ownOf, setOwn } from "./json/parse.ts";
import { toJson } from "./json/to-json.ts";
import { suggest } from "./read/nearest.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** What a codec may ask while it writes. */
export interface WriteContext {
  /** The id of an entity of the scene; `null` for `null` and for an entity that is dead or outside. */
  readonly idOf: (entity: Entity | null) => string | null;
}

/** What a codec may ask while it reads. */
export interface ReadContext {
  /** The entity of that id. @throws when the scene has none; that becomes a problem of the file. */
  readonly entity: (id: string) => Entity;
}

/** How one field is written and read, for values that are not plain JSON. */
export interface FieldCodec<Value> {
  write(value: Value, context: WriteContext): Json;
  /** Makes a new value. Throws an error that says what is wrong when the JSON does not fit. */
  read(json: Json, context: ReadContext): Value;
  /** The value holds entities: it is read when all of them exist, and may use the context. */
  readonly references?: boolean;
  /** What the JSON looks like, for the JSON Schema. */
  readonly schema?: JsonObject;
}

export interface CodecOptions<S extends Schema> {
  readonly fields?: { readonly [K in keyof S]?: FieldCodec<FieldValue<S[K]>> };
  /**
   * Checks the whole component as files hold it, fields with their defaults included, when it is loaded and when it is
   * saved. What it returns is used, such as a text that it trimmed.
   */
  readonly validate?: StandardSchema;
  /** Shown by editors that know the JSON Schema. */
  readonly description?: string;
}

/** A component with the way it is written and read. */
export interface ComponentRegistration {
  readonly component: AnyComponent;
  readonly fields: { readonly [field: string]: FieldCodec<never> | undefined };
  readonly validate: StandardSchema | undefined;
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
      "scene/invalid-format",
      `Cannot give a codec to ${describeValue(component)} with ${describeValue(options)}: withCodec takes a component and an object.`,
    );
  }
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
  readonly kind: FieldKind;
  readonly field: Field;
  readonly codec: FieldCodec<unknown> | undefined;
  /** The inclusive range of numbers it can hold. */
  readonly low: number;
  readonly high: number;
}

/** One component, ready for use. */
export interface ComponentCodec {
  readonly component: AnyComponent;
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldInfo>;
  readonly validate: StandardSchema | undefined;
  readonly description: string | undefined;
  /** Place in the registration order, which is the order in files. */
  readonly rank: number;
}

const largestF32 = 3.4028234663852886e38;
const ranges: { readonly [kind: string]: readonly [number, number] } = {
  f32: [-largestF32, largestF32],
  f64: [-1.7976931348623157e308, 1.7976931348623157e308],
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-2147483648, 2147483647],
  u32: [0, 4294967295],
};

export function createCodec(registration: ComponentRegistration, rank: number): ComponentCodec {
  const { component, validate, description } = registration;
  const fields = new Map<string, FieldInfo>();
  for (const [name, field] of Object.entries(component.schema)) {
    const [low, high] = ranges[field.kind] ?? [0, 0];
    const own = ownOf(registration.fields, name) as FieldCodec<unknown> | undefined;
    const codec = own ?? (field.names === undefined ? undefined : namedCodec(field.names));
    fields.set(name, { name, kind: field.kind, field, codec, low, high });
  }
  return { component, name: component.name, fields, validate, description, rank };
}

/** Values that have names stand in files under them. */
function namedCodec(names: readonly string[]): FieldCodec<unknown> {
  return {
    write: (value) => names[value as number] ?? (value as number),
    read(json) {
      const value = names.indexOf(json as string);
      if (value >= 0) return value;
      const hint =
        typeof json === "string" ? suggest(json, names, "values") : `The values are ${names.join(", ")}.`;
      throw new Error(`${describeValue(json)} is none of its values. ${hint}`);
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
  switch (info.kind) {
    case "f32":
      return writeFloat(value as number, true);
    case "f64":
      return writeFloat(value as number, false);
    case "entity":
      return context.idOf(value as Entity | null);
    case "object":
      return toJson(value, "it holds");
    default:
      return value as Json;
  }
}

/** The JSON of a field that was never set. */
export function writeDefault(info: FieldInfo, context: WriteContext): Json {
  const { initial } = info.field;
  if (info.kind === "object") return writeField(info, (initial as () => unknown)(), context);
  if (info.kind === "f32") return writeField(info, Math.fround(initial as number), context);
  return writeField(info, initial, context);
}

/** A component that was never set, as files hold it; without fields that cannot be written. */
export function defaultJson(codec: ComponentCodec): JsonObject {
  const json: { [field: string]: Json } = {};
  for (const info of codec.fields.values()) {
    try {
      setOwn(json, info.name, writeDefault(info, { idOf: () => null }));
    } catch {
      // Whoever saves such a value is told; a validator is not asked about what a file cannot hold.
    }
  }
  return json;
}

function writeFloat(value: number, single: boolean): Json {
  if (!Number.isFinite(value)) return String(value);
  // A space of 64 bits keeps more digits than the field asks for; they are all written.
  if (!single || Number.isInteger(value) || Math.fround(value) !== value) return value;
  // What people write has few digits: the same result as below, without making texts.
  const few = Math.round(value * 1000) / 1000;
  if (Math.abs(value) < 1000 && Math.fround(few) === value) return few;
  // The shortest decimal that reads back as the same 32-bit float: 0.1, not 0.10000000149011612.
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
