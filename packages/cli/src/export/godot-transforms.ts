/** Transforms as Godot writes them: the inverse of the importer. */
import { type Fields, numberOf } from "./exported.ts";
import { numberText } from "./godot-text.ts";

/** The name of a property and the text of its value. */
export type Property = readonly [name: string, text: string];

interface TransformOptions {
  /** Whether the file defines the whole node; otherwise only given values are written. */
  readonly isWhole: boolean;
  /** -1 if the y axis is flipped. */
  readonly sign: number;
  /** Godot's name of the position. */
  readonly name: string;
}

/**
 * @param given - The values in the scene.
 * @param values - All values of the entity: Godot writes x and y together.
 */
export function properties2D(
  given: Fields,
  values: Fields | undefined,
  { isWhole, sign, name }: TransformOptions,
): Property[] {
  const all = values ?? given;
  const says = (...fields: readonly string[]) => fields.some((field) => given[field] !== undefined);
  const [x, y, rotation] = ["x", "y", "rotation"].map((field) => numberOf(all, field)) as [
    number,
    number,
    number,
  ];
  const [scaleX, scaleY] = ["scaleX", "scaleY"].map((field) => numberOf(all, field, 1)) as [number, number];
  // Here the y axis is skewed by a factor along x; in Godot by an angle, which shortens it by the cosine.
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

export function properties3D(given: Fields, values: Fields | undefined, isWhole: boolean): Property[] {
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

export interface RectProperties {
  readonly properties: readonly Property[];
  /** The position that the importer gives a widget whose rectangle does not depend on its parents. */
  readonly corner: readonly [number, number] | undefined;
}

/**
 * @param given - The values in the scene.
 * @param values - All values of the rectangle: Godot writes sides, so a width alone is not enough.
 */
export function rectProperties(
  given: Fields,
  values: Fields | undefined,
  { isWhole, sign }: Pick<TransformOptions, "isWhole" | "sign">,
): RectProperties {
  const all = values ?? given;
  const properties: Property[] = [];
  const anchors = [
    ["anchor_left", "anchorMinX"],
    ["anchor_top", "anchorMinY"],
    ["anchor_right", "anchorMaxX"],
    ["anchor_bottom", "anchorMaxY"],
  ] as const;
  for (const [name, field] of anchors) {
    const anchor = numberOf(all, field);
    if (isWhole ? anchor !== 0 : given[field] !== undefined) properties.push([name, numberText(anchor)]);
  }
  const isFixed = anchors.every(([, field]) => numberOf(all, field) === 0);
  /** Writes the given sides. Returns whether the first is given: the importer takes the position from it. */
  const side = (names: readonly [string, string], fields: readonly [string, string], from: number) => {
    const length = numberOf(all, fields[1]);
    const isFirst = isWhole ? from !== 0 : given[fields[0]] !== undefined;
    if (isFirst) properties.push([names[0], numberText(from)]);
    const isLast = isFirst || (isWhole ? length !== 0 : given[fields[1]] !== undefined);
    if (isLast) properties.push([names[1], numberText(sum(from, length))]);
    return isFirst;
  };
  const [left, top] = [numberOf(all, "x"), plain(numberOf(all, "y") * sign)];
  const hasLeft = side(["offset_left", "offset_right"], ["x", "width"], left);
  const hasTop = side(["offset_top", "offset_bottom"], ["y", "height"], top);
  return { properties, corner: isFixed && (hasLeft || hasTop) ? [left, plain(top * sign)] : undefined };
}

/** Fields hold 32 bits: further digits of a sum would be meaningless. */
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
