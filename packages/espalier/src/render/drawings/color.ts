/**
 * Colours: one number 0xrrggbb in memory, "#rrggbb" in files. Alpha is always a field of its own.
 */
import {
  type ArgumentTest,
  describeValue,
  expectArguments,
  explainThrown,
  type Field,
  InvalidArgumentError,
  u32,
} from "../../ecs/index.ts";

/** A colour field. `format` makes tools show a colour picker. */
export type ColorField = Field<number, "u32"> & {
  /** Marks the number as a colour. */
  readonly format: "color";
};

/** A field that holds a colour: `color(0xff8800)`. White if left out. */
export function color(initial = 0xffffff): ColorField {
  return { ...u32(initial), format: "color" };
}

/** Whether a field of a schema holds a colour. */
export function isColorField(field: Field): field is ColorField {
  return (field as Partial<ColorField> | undefined | null)?.format === "color";
}

const aColor: ArgumentTest = {
  expected: "a number such as 0xff8800",
  fits: (value) => typeof value === "number",
};

/** `0xff8800` as `"#ff8800"`. Bits above the lower 24 are ignored. */
export function colorText(value: number): string {
  if (typeof value !== "number") expectArguments("write a colour", ["it", value, aColor]);
  return `#${(value & 0xffffff).toString(16).padStart(6, "0")}`;
}

/** The colour of `"#ff8800"` or `"#f80"`; `undefined` for any other string. */
export function parseColor(text: string): number | undefined {
  if (typeof text !== "string") return undefined;
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const long = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  return Number.parseInt(long, 16);
}

/** `rgba(…)` for canvases. */
export function cssColor(value: number, alpha: number): string {
  if (typeof value !== "number" || typeof alpha !== "number")
    expectArguments("write a colour", ["it", value, aColor], ["alpha", alpha, "number"]);
  const [r, g, b] = [(value >> 16) & 255, (value >> 8) & 255, value & 255];
  return alpha >= 1 ? colorText(value) : `rgba(${r},${g},${b},${alpha})`;
}

/** Each channel of `a` times that of `b`, where 255 counts as 1. White leaves the other as it is. */
export function multiplyColors(a: number, b: number): number {
  if (a === 0xffffff) return b;
  if (b === 0xffffff) return a;
  try {
    const r = Math.round((((a >> 16) & 255) * ((b >> 16) & 255)) / 255);
    const g = Math.round((((a >> 8) & 255) * ((b >> 8) & 255)) / 255);
    const blue = Math.round(((a & 255) * (b & 255)) / 255);
    return (r << 16) | (g << 8) | blue;
  } catch (error) {
    throw explainThrown(error, "multiply colours", ["the first", a, aColor], ["the second", b, aColor]);
  }
}

/** A colour between `a` and `b`. */
export function mixColors(a: number, b: number, t: number): number {
  const channel = (shift: number) => {
    const from = (a >> shift) & 255;
    return Math.round(from + (((b >> shift) & 255) - from) * t) << shift;
  };
  try {
    return channel(16) | channel(8) | channel(0);
  } catch (error) {
    throw explainThrown(
      error,
      "mix colours",
      ["the first", a, aColor],
      ["the second", b, aColor],
      ["the part", t, "number"],
    );
  }
}

/** How colours are written in files. Numbers are read too. */
export const colorCodec: {
  write(value: number): string;
  read(json: unknown): number;
  readonly schema: { readonly [key: string]: string };
} = {
  write: colorText,
  read(json) {
    if (typeof json === "number" && Number.isInteger(json) && json >= 0 && json <= 0xffffff) return json;
    const value = typeof json === "string" ? parseColor(json) : undefined;
    if (value === undefined)
      throw new InvalidArgumentError(`${describeValue(json)} is not a colour. Write it as "#ff8800".`, {
        value: json,
      });
    return value;
  },
  schema: { type: "string", pattern: "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" },
};
