/**
 * How the fields of a component are sent. By default they are sent exactly, in the form of their kind.
 */
import {
  type AnyComponent,
  type Component,
  describeValue,
  type Entity,
  type Field,
  isComponent,
  type Schema,
} from "espalier";
import { InvalidReplicationError } from "./errors.ts";

/** A number within bounds, as a whole number of steps. Created by `range` and `angle`. */
export interface Quantized {
  /** Lowest value. */
  readonly min: number;
  /** Highest value; for an angle, the same direction as the lowest. */
  readonly max: number;
  /** Bits on the wire. */
  readonly bits: 8 | 16 | 32;
  /** `wrap` for angles; `clamp` for everything else. */
  readonly mode: "clamp" | "wrap";
  /** Whether clients that follow interpolate it. */
  readonly smooth: boolean;
}

/** How one field is sent: within bounds, exactly (`true`), or not at all (`false`). */
export type Encoding = Quantized | boolean;

/** A component with the encodings of some of its fields. Created by `fields`. */
export interface ReplicatedComponent {
  /** The component. */
  readonly component: AnyComponent;
  /** The encodings by field. */
  readonly encodings: { readonly [field: string]: Encoding };
}

/** Options of `range` and `angle`. */
export interface QuantizedOptions {
  /** Bits on the wire: 16 if left out. */
  readonly bits?: 8 | 16 | 32;
  /** `false`: clients see each value as received, without interpolation. */
  readonly smooth?: boolean;
}

/** Which encodings the fields of a component take: numbers may have bounds, all others are sent or not. */
export type EncodingsOf<S extends Schema> = {
  readonly [Name in keyof S]?: S[Name] extends Field<infer Value>
    ? Value extends Entity
      ? boolean
      : Value extends number
        ? Encoding
        : boolean
    : never;
};

/**
 * A number from `min` to `max` in steps: two bytes instead of four. Values beyond a bound arrive as that bound. With symmetric bounds
 * (-512 to 512) zero is exact.
 *
 * @throws InvalidReplicationError
 */
export function range(
  min: number,
  max: number,
  { bits = 16, smooth = true }: QuantizedOptions = {},
): Quantized {
  if (!Number.isFinite(min) || !Number.isFinite(max) || min >= max) {
    throw new InvalidReplicationError(
      `Cannot make a range from ${describeValue(min)} to ${describeValue(max)}: both are finite numbers, the lower one first.`,
      { value: [min, max] },
    );
  }
  return { min, max, bits: bitsOf(bits), mode: "clamp", smooth };
}

/**
 * An angle in radians, in two bytes. It arrives between 0 and 2π, and is interpolated along the shorter arc.
 *
 * @throws InvalidReplicationError
 */
export function angle({ bits = 16, smooth = true }: QuantizedOptions = {}): Quantized {
  return { min: 0, max: Math.PI * 2, bits: bitsOf(bits), mode: "wrap", smooth };
}

/**
 * Sets how fields of a component are sent. Other fields are sent exactly.
 *
 * @throws InvalidReplicationError for a field that the component does not have, or an encoding that does not fit it.
 */
export function fields<S extends Schema>(
  component: Component<S>,
  encodings: EncodingsOf<S>,
): ReplicatedComponent {
  if (!isComponent(component)) {
    throw new InvalidReplicationError(
      `Cannot say how fields travel: expected a component, got ${describeValue(component)}.`,
      { value: component },
    );
  }
  for (const [name, encoding] of Object.entries(encodings)) {
    const schema = component.schema as { readonly [name: string]: Field };
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    const known = Object.keys(component.schema).join(", ") || "no fields";
    if (field === undefined) {
      throw new InvalidReplicationError(
        `Cannot say how ${component.name}.${name} travels: ${component.name} has ${known}.`,
        { component: component.name, field: name },
      );
    }
    const isNumber = field.type.valueKind === "number";
    if (typeof encoding === "boolean" || (isQuantized(encoding) && isNumber)) continue;
    throw new InvalidReplicationError(
      `Cannot say how ${component.name}.${name} travels: a field of kind ${field.kind} takes true or false${isNumber ? ", range(…) or angle(…)" : ""}, got ${describeValue(encoding)}.`,
      { component: component.name, field: name, value: encoding },
    );
  }
  return { component, encodings: { ...encodings } as ReplicatedComponent["encodings"] };
}

/** Whether it was made by `range` or `angle`. */
export function isQuantized(value: unknown): value is Quantized {
  const { min, max, bits, mode } = Object(value) as Partial<Quantized>;
  return typeof min === "number" && typeof max === "number" && bits !== undefined && mode !== undefined;
}

function bitsOf(bits: unknown): 8 | 16 | 32 {
  if (bits === 8 || bits === 16 || bits === 32) return bits;
  throw new InvalidReplicationError(
    `Cannot quantize to ${describeValue(bits)} bits: a field takes whole bytes. Use 8, 16 or 32.`,
    { value: bits },
  );
}
