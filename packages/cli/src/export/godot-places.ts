/** Places as Godot writes them: the way back of what the importer reads. */
import { type Fields, numberOf } from "./exported.ts";
import { numberText } from "./godot-text.ts";

/** The name of a property and the text of its value. */
export type Property = readonly [name: string, text: string];

interface PlaceOptions {
  /** Whether the file says all about the node; otherwise only what is given is written. */
  readonly isWhole: boolean;
  /** -1 where the y axis is turned over. */
  readonly sign: number;
  /** What Godot calls the position. */
  readonly name: string;
}

/**
 * @param given - What the scene says.
 * @param values - All values of the entity: Godot writes x and y together.
 */
export function place2D(
  given: Fields,
  values: Fields | undefined,
  { isWhole, sign, name }: PlaceOptions,
): Property[] {
  const all = values ?? given;
  const says = (...fields: readonly string[]) => fields.some((field) => given[field] !== undefined);
  const [x, y, rotation] = ["x", "y", "rotation"].map((field) => numberOf(all, field)) as [
    number,
    number,
    number,
  ];
  const [scaleX, scaleY] = ["scaleX", "scaleY"].map((field) => numberOf(all, field, 1)) as [number, number];
  // Here the y axis leans by a factor along x; in Godot by an angle, which makes it shorter by the cosine.
  const leaning = -Math.atan(numberOf(all, "skew") * sign);
  const properties: Property[] = [];
  if (isWhole ? x !== 0 || y !== 0 : says("x", "y")) properties.push([name, vector(x, plain(y * sign))]);
  if (isWhole ? rotation !== 0 : says("rotation"))
    properties.push(["rotation", numberText(plain(rotation * sign))]);
  const isScaled = isWhole ? scaleX !== 1 || scaleY !== 1 || leaning !== 0 : says("scaleX", "scaleY", "skew");
  if (isScaled) properties.push(["scale", vector(scaleX, scaleY / Math.cos(leaning))]);
  if (isWhole ? leaning !== 0 : says("skew")) properties.push(["skew", numberText(plain(leaning))]);
  return properties;
}

export function place3D(given: Fields, values: Fields | undefined, isWhole: boolean): Property[] {
  const all = values ?? given;
  const part = (
    name: string,
    kind: string,
    fields: readonly string[],
    initial: readonly number[],
  ): Property[] => {
    const numbers = fields.map((field, k) => numberOf(all, field, initial[k]));
    const isSaid = isWhole
      ? numbers.some((value, k) => value !== initial[k])
      : fields.some((field) => given[field] !== undefined);
    return isSaid ? [[name, `${kind}(${numbers.map((value) => numberText(plain(value))).join(", ")})`]] : [];
  };
  return [
    ...part("position", "Vector3", ["x", "y", "z"], [0, 0, 0]),
    ...part("quaternion", "Quaternion", ["qx", "qy", "qz", "qw"], [0, 0, 0, 1]),
    ...part("scale", "Vector3", ["scaleX", "scaleY", "scaleZ"], [1, 1, 1]),
  ];
}

export interface RectPlace {
  readonly properties: readonly Property[];
  /** Where the importer puts a widget whose rectangle does not depend on what is above. */
  readonly corner: readonly [number, number] | undefined;
}

export function placeOfRect(rect: Fields, sign: number): RectPlace {
  const properties: Property[] = [];
  const anchors = [
    ["anchor_left", "anchorMinX"],
    ["anchor_top", "anchorMinY"],
    ["anchor_right", "anchorMaxX"],
    ["anchor_bottom", "anchorMaxY"],
  ] as const;
  for (const [name, field] of anchors) {
    if (numberOf(rect, field) !== 0) properties.push([name, numberText(numberOf(rect, field))]);
  }
  const isFixed = properties.length === 0;
  const [left, width] = [numberOf(rect, "x"), numberOf(rect, "width")];
  const [top, height] = [plain(numberOf(rect, "y") * sign), numberOf(rect, "height")];
  const side = (first: string, last: string, from: number, length: number) => {
    if (from === 0 && length === 0) return false;
    properties.push([first, numberText(from)], [last, numberText(sum(from, length))]);
    return true;
  };
  const isWide = side("offset_left", "offset_right", left, width);
  const isHigh = side("offset_top", "offset_bottom", top, height);
  const hasCorner = isFixed && (isWide || isHigh);
  return { properties, corner: hasCorner ? [left, plain(top * sign)] : undefined };
}

/** Fields hold 32 bits: further digits of a sum would mean nothing. */
function sum(a: number, b: number): number {
  return Number((a + b).toPrecision(12));
}

function vector(x: number, y: number): string {
  return `Vector2(${numberText(plain(x))}, ${numberText(plain(y))})`;
}

/** No -0. */
function plain(value: number): number {
  return value + 0 === 0 ? 0 : value;
}
