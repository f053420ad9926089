/**
 * One frame of a sprite sheet: rectangle, trim, rotation, anchor.
 */
import { describeValue } from "../ecs/index.ts";
import type { Frame } from "../render/index.ts";
import { InvalidAtlasError } from "./errors.ts";

/** An unchecked object. */
export type Loose = { readonly [key: string]: unknown };

/** @throws InvalidAtlasError always. */
export function refuseAtlas(why: string, help: string, value: unknown): never {
  throw new InvalidAtlasError(`Cannot read an atlas: ${why}. ${help}`, { value });
}

export function asRecord(value: unknown, what: string): Loose {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Loose;
  return refuseAtlas(
    `${what} is ${describeValue(value)}, not an object`,
    "Give the JSON of Aseprite, TexturePacker, free-tex-packer or Pixi.",
    value,
  );
}

/** @param size - The size of the texture, if the sheet has it. */
export function readFrame(name: string, entry: Loose, size: Loose | undefined): Frame {
  const { x, y, w, h } = numbers(entry.frame, `frame ${name}`, ["x", "y", "w", "h"]);
  const rotated = flag(entry.rotated, `rotated of frame ${name}`);
  const trimmed = flag(entry.trimmed, `trimmed of frame ${name}`);
  if (x < 0 || y < 0 || w < 0 || h < 0)
    refuseAtlas(`frame ${name} has a negative position or size`, "Export the sheet again.", entry.frame);
  if (size !== undefined) {
    const [width, height] = rotated ? [h, w] : [w, h];
    const whole = numbers(size, "meta.size", ["w", "h"]);
    if (x + width > whole.w || y + height > whole.h)
      refuseAtlas(
        `frame ${name} is not inside the texture, which is ${whole.w} by ${whole.h}`,
        "Export the sheet again.",
        entry.frame,
      );
  }
  const anchor = entry.anchor ?? entry.pivot;
  return {
    x,
    y,
    width: w,
    height: h,
    ...(rotated ? { rotated } : {}),
    ...(trimmed ? { trim: readTrim(name, entry, w, h) } : {}),
    ...(anchor === undefined ? {} : { anchor: numbers(anchor, `the anchor of frame ${name}`, ["x", "y"]) }),
  };
}

function readTrim(name: string, { spriteSourceSize, sourceSize }: Loose, w: number, h: number) {
  const { x, y } = numbers(spriteSourceSize, `spriteSourceSize of frame ${name}`, ["x", "y"]);
  const { w: width, h: height } = numbers(sourceSize, `sourceSize of frame ${name}`, ["w", "h"]);
  if (x < 0 || y < 0 || x + w > width || y + h > height) {
    refuseAtlas(
      `frame ${name} was trimmed from ${width} by ${height}, and ${w} by ${h} at ${x}, ${y} is not inside it`,
      "Export the sheet again.",
      sourceSize,
    );
  }
  return { x, y, width, height };
}

function numbers<Key extends string>(
  value: unknown,
  what: string,
  keys: readonly Key[],
): Record<Key, number> {
  const record = asRecord(value, what);
  const out = {} as Record<Key, number>;
  for (const key of keys) {
    const number = record[key];
    if (typeof number !== "number" || !Number.isFinite(number))
      refuseAtlas(
        `${key} of ${what} is ${describeValue(number)}, not a number`,
        "Export the sheet again.",
        number,
      );
    out[key] = number as number;
  }
  return out;
}

function flag(value: unknown, what: string): boolean {
  if (value === undefined || typeof value === "boolean") return value === true;
  return refuseAtlas(
    `${what} is ${describeValue(value)}, not true or false`,
    "Export the sheet again.",
    value,
  );
}
