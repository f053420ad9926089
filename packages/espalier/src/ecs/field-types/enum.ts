/**
 * One of several names, kept as a number: a byte for up to 256 names, two for more.
 */
import { InvalidSchemaError } from "../errors.ts";
import { describeValue, type Field, type FieldType, fieldOf } from "./field-type.ts";

type EnumKind = "enum8" | "enum16";

const MOST_NAMES = 65_536;

export const enum8Type: FieldType<"enum8", Uint8Array> = /* @__PURE__ */ enumType("enum8", Uint8Array);
export const enum16Type: FieldType<"enum16", Uint16Array> = /* @__PURE__ */ enumType("enum16", Uint16Array);

/** A field that holds one of some names. */
export type EnumField<Name extends string> = Field<Name, EnumKind>;

/**
 * One of the given names: a literal type for programs, the name in files and tools, a byte in memory (two for more than 256
 * names). The default is the first name; give a list and a name to choose another: `enumOf(["low", "high"], "high")`.
 *
 * @throws InvalidSchemaError for no names, names that are equal or empty, and more than 65,536 of them.
 *
 * @example
 * ```ts
 * const Door = component("Door", { state: enumOf("open", "closed", "locked") });
 * const world = createWorld();
 * const door = world.spawn(Door({ state: "closed" }));
 * world.get(door, Door); // → { state: "closed" }
 * world.set(door, Door, { state: "ajar" as "open" });
 * // throws InvalidValueError: Cannot set Door.state of #1: state takes one of open, closed, locked, got "ajar".
 * ```
 */
export function enumOf<const Names extends readonly string[]>(
  names: Names,
  initial?: NoInfer<Names[number]>,
): EnumField<Names[number]>;
/** One of the given names, of which the first is the default: `enumOf("open", "closed")`. */
export function enumOf<const Names extends readonly string[]>(...names: Names): EnumField<Names[number]>;
export function enumOf(...given: readonly unknown[]): EnumField<string> {
  const isList = Array.isArray(given[0]);
  const names = [...(isList ? (given[0] as unknown[]) : given)] as string[];
  const isUsable = names.every((name) => typeof name === "string" && name !== "");
  if (!isUsable || names.length === 0 || names.length > MOST_NAMES || new Set(names).size !== names.length) {
    throw new InvalidSchemaError(
      `Cannot define an enum of ${names.length === 0 ? "no names" : names.slice(0, 12).map(describeValue).join(", ")}. Give enumOf() from 1 to ${MOST_NAMES} names that are not empty, each once.`,
      { value: names },
    );
  }
  const initial = isList && given[1] !== undefined ? (given[1] as string) : (names[0] as string);
  const type = names.length > 256 ? enum16Type : enum8Type;
  return { ...fieldOf<string, EnumKind>(type, initial), names: Object.freeze(names) };
}

function enumType<Kind extends EnumKind, Values extends Uint8Array | Uint16Array>(
  kind: Kind,
  array: new (buffer: ArrayBuffer, offset: number, length: number) => Values,
): FieldType<Kind, Values> {
  return {
    kind,
    valueKind: "choice",
    array,
    standard: (field) => namesOf(field)[0],
    takes: "one of its names",
    misfit(field, value) {
      const names = namesOf(field);
      if (names.includes(value as string)) return undefined;
      const more = names.length > 12 ? `, … (${names.length} names)` : "";
      return `takes one of ${names.slice(0, 12).join(", ")}${more}, got ${describeValue(value)}`;
    },
    fits(field, checks) {
      const numbers = numbersOf(field);
      return checks ? (value) => numbers.has(value as string) : () => true;
    },
    encode: (value, field) => namesOf(field).indexOf(value as string),
    decode: (held, _, field) => namesOf(field)[held as number],
    holds: (held, names) => held < (names?.length ?? 0),
    toPatch: (held, names) => names?.[held as number] ?? null,
    isJson: (json, field) => namesOf(field).includes(json as string),
    schema: (field) => ({ enum: namesOf(field) }),
    code: {
      constant: (field) => ({ names: namesOf(field), numbers: numbersOf(field) }),
      read: (held, _, constant) => `${constant}.names[${held}]`,
      encode: (value, constant) => `${constant}.numbers.get(${value})`,
      fits: (value, _, constant) => `${constant}.numbers.has(${value})`,
    },
  };
}

function namesOf({ names }: Field): readonly string[] {
  return names ?? [];
}

function numbersOf(field: Field): ReadonlyMap<string, number> {
  return new Map(namesOf(field).map((name, number) => [name, number]));
}
