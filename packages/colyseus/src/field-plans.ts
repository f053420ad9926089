/**
 * How each field is converted to a schema and back: the Colyseus type, and the conversion between values of patches and of the wire.
 */
import { Schema } from "@colyseus/schema";
import type { AnyComponent, Field } from "espalier";
import type { Json, Key } from "espalier/history";
import { type Encoding, isQuantized } from "./encodings.ts";
import { InvalidReplicationError } from "./errors.ts";

/** A value on the wire. */
export type WireValue = number | boolean | string;

/** One field. */
export interface FieldPlan {
  readonly name: string;
  readonly field: Field;
  readonly encoding: Encoding;
  /** The name of its type in `t` of Colyseus; `quantized` if it has bounds. */
  readonly wire: string;
  /** The initial value. */
  readonly initial: WireValue;
  /** Converts a value of a patch for the wire. */
  readonly toWire: (value: Json) => WireValue;
  /** Converts a value of a typed array of a patch for the wire. */
  readonly rawToWire: ((value: number) => WireValue) | undefined;
  /** Converts a value of the wire back. `present` returns whether an entity exists here. */
  readonly fromWire: (value: WireValue, present: (key: Key) => boolean) => Json;
  /** The entities that a value refers to. */
  readonly targets: ((value: WireValue) => readonly Key[]) | undefined;
}

/** One component of a replication. */
export interface ComponentPlan {
  readonly component: AnyComponent;
  readonly fields: readonly FieldPlan[];
}

/** A number that is sent as stored in the column. */
export const asIs = (value: number): WireValue => value;

/** The type in Colyseus for each array that a column of numbers may be. */
const numbers: ReadonlyMap<unknown, string> = /* @__PURE__ */ new Map<unknown, string>([
  [Float32Array, "float32"],
  [Float64Array, "float64"],
  [Int8Array, "int8"],
  [Uint8Array, "uint8"],
  [Int16Array, "int16"],
  [Uint16Array, "uint16"],
  [Int32Array, "int32"],
  [Uint32Array, "uint32"],
]);

/** The type in Colyseus for a field of numbers; `undefined` for other fields. */
function numberWire({ type }: Field): string | undefined {
  if (type.valueKind === "number") return numbers.get(type.array);
  if (type.valueKind !== "integer") return undefined;
  // Integers of 53 bits are stored in an array of floats, and most of them are small.
  return type.array === Float64Array ? "number" : numbers.get(type.array);
}

/** @throws InvalidReplicationError */
export function planOf(
  component: AnyComponent,
  encodings: { readonly [field: string]: Encoding },
): ComponentPlan {
  const fields: FieldPlan[] = [];
  for (const [name, field] of Object.entries(component.schema as { readonly [name: string]: Field })) {
    const encoding = encodings[name] ?? true;
    if (encoding !== false) fields.push(fieldPlan(component, name, field, encoding));
  }
  if (fields.length > MOST_FIELDS) {
    throw new InvalidReplicationError(
      `Cannot replicate ${component.name}: it has ${fields.length} fields, and Colyseus takes ${MOST_FIELDS}. Leave some out: fields(${component.name}, { name: false }).`,
      { component: component.name, limit: MOST_FIELDS, value: fields.length },
    );
  }
  return { component, fields };
}

/** Colyseus numbers the fields of a schema with six bits. */
const MOST_FIELDS = 64;

/** The kinds of input fields: their size on the wire does not depend on the sender. */
const inputKinds: ReadonlySet<string> = /* @__PURE__ */ new Set(["number", "integer", "boolean", "choice"]);

/**
 * The same for an input, which comes from clients: only numbers and booleans, so that its size is bounded.
 *
 * @throws InvalidReplicationError
 */
export function inputPlanOf(
  component: AnyComponent,
  bounds: { readonly [field: string]: Encoding },
): readonly FieldPlan[] {
  const schema = component.schema as { readonly [name: string]: Field };
  for (const [name, encoding] of Object.entries(bounds)) {
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (field !== undefined && (!isQuantized(encoding) || field.type.valueKind === "number")) continue;
    throw new InvalidReplicationError(
      `Cannot bound ${component.name}.${name}: ${field === undefined ? `it has ${Object.keys(schema).join(", ") || "no fields"}` : `a field of kind ${field.kind} has its bounds already`}.`,
      { component: component.name, field: name },
    );
  }
  const plan = planOf(component, bounds).fields;
  for (const { name, field } of plan) {
    if (inputKinds.has(field.type.valueKind)) continue;
    throw new InvalidReplicationError(
      `Cannot take ${component.name}.${name} as input: it is of kind ${field.kind}. Inputs are numbers, choices and switches; send anything else as a message of the room.`,
      { component: component.name, field: name },
    );
  }
  if (plan.length === 0) {
    throw new InvalidReplicationError(`Cannot take ${component.name} as input: no field of it travels.`, {
      component: component.name,
    });
  }
  return plan;
}

function fieldPlan(component: AnyComponent, name: string, field: Field, encoding: Encoding): FieldPlan {
  if (name in Schema.prototype) {
    throw new InvalidReplicationError(
      `Cannot replicate ${component.name}.${name}: Colyseus has a method of that name in every schema. Rename the field, or leave it out: fields(${component.name}, { ${name}: false }).`,
      { component: component.name, field: name },
    );
  }
  const { kind, names, type } = field;
  const base = { name, field, encoding };
  const number = numberWire(field);
  if (number !== undefined) {
    return {
      ...base,
      wire: isQuantized(encoding) ? "quantized" : number,
      initial: isQuantized(encoding) ? encoding.min : 0,
      // NaN and the infinities are strings in patches.
      toWire: Number,
      rawToWire: asIs,
      fromWire: (value) => textOfNumber(value as number),
      targets: undefined,
    };
  }
  if (names !== undefined) {
    return {
      ...base,
      wire: names.length > 256 ? "uint16" : "uint8",
      initial: 0,
      toWire: (value) => names.indexOf(value as string),
      rawToWire: asIs,
      fromWire: (value) => names[value as number] ?? (names[0] as string),
      targets: undefined,
    };
  }
  switch (type.valueKind) {
    case "boolean":
      return {
        ...base,
        wire: "boolean",
        initial: false,
        toWire: Boolean,
        rawToWire: (value) => value !== 0,
        fromWire: (value) => value,
        targets: undefined,
      };
    case "string":
      return {
        ...base,
        wire: "string",
        initial: "",
        toWire: String,
        rawToWire: undefined,
        fromWire: (value) => value,
        targets: undefined,
      };
    case "entity":
      return {
        ...base,
        wire: "number",
        initial: 0,
        toWire: (value) => (value === null ? 0 : (value as number)),
        rawToWire: undefined,
        fromWire: (value, present) => (value !== 0 && present(value as number) ? (value as number) : null),
        targets: (value) => (value === 0 ? [] : [value as number]),
      };
    case "entities":
      if (field.relation !== undefined && field.data !== undefined) break;
      return {
        ...base,
        wire: "string",
        initial: "[]",
        toWire: (value) => JSON.stringify(value),
        rawToWire: undefined,
        fromWire: (value, present) => (JSON.parse(value as string) as Key[]).filter(present),
        targets: (value) => JSON.parse(value as string) as Key[],
      };
    case "object":
      return {
        ...base,
        wire: "string",
        initial: "null",
        toWire: (value) => JSON.stringify(value),
        rawToWire: undefined,
        fromWire: (value) => JSON.parse(value as string) as Json,
        targets: undefined,
      };
  }
  throw new InvalidReplicationError(
    `Cannot replicate ${component.name}.${name}: nothing is known of fields of kind ${kind}${field.data === undefined ? "" : " with data"}. Leave it out: fields(${component.name}, { ${name}: false }).`,
    { component: component.name, field: name },
  );
}

/** JSON lacks some numbers; patches have strings for them. */
function textOfNumber(value: number): Json {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : value;
  return String(value);
}
