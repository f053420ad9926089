/** Drawings at random, for tests in Node and in pages: ordinary ones, and with values that nobody should write but somebody will. */
import type { AnyComponent, Entity, Init, Schema, World } from "espalier";
import {
  linearGradient,
  NineSlice,
  ParticleEmitter,
  radialGradient,
  Shape,
  Sprite,
  TextBlock,
  Tilemap,
} from "espalier/render";
import type { Random } from "../random.ts";

export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!;

/** Everything that draws. */
export const drawn = [Shape, Sprite, NineSlice, Tilemap, TextBlock, ParticleEmitter] as const;

const between = (random: Random, from: number, to: number) => from + random() * (to - from);

const plainNumbers: { readonly [field: string]: readonly [number, number] } = {
  alpha: [0.2, 1.2],
  anchorX: [0, 1],
  anchorY: [0, 1],
  scaleX: [-2, 2],
  scaleY: [-2, 2],
  fillAlpha: [0, 1],
  strokeAlpha: [0, 1],
  strokeWidth: [-1, 4],
  tileWidth: [4, 16],
  tileHeight: [4, 16],
  lineHeight: [0.8, 2],
  lifetime: [0.2, 2],
  rate: [0, 30],
  startAlpha: [0, 1],
  endAlpha: [0, 1],
};

const extremeNumbers = [
  0, -0, 1, -1, 0.5, -0.001, 1e-30, -1e-38, 7, 300, 65_535, -65_536, 1e9, -1e9, 1e20, 1e30, -1e30, 3e38,
];

const plainTexts = ["", "a", "two\nlines", "naïve"];
const extremeTexts = [
  "",
  " ",
  "\n\n",
  "\u0000",
  '"',
  "';}",
  "🙂👩‍👩‍👧",
  "a".repeat(300),
  "\\",
  'sans-serif, "x',
];

const points = (random: Random, numbers: () => number) =>
  Array.from({ length: Math.floor(random() * 6) * 2 }, numbers);

function gradient(random: Random, numbers: () => number) {
  if (random() < 0.5) return null;
  const geometry = random() < 0.5 ? {} : { x0: numbers(), y0: numbers(), x1: numbers(), y1: numbers() };
  return random() < 0.5
    ? linearGradient(0xff0000, 0x00ff00, geometry)
    : radialGradient(0, 0xffffff, geometry);
}

/** Values for some fields of a component. */
export function randomValues(
  component: AnyComponent,
  random: Random,
  isExtreme: boolean,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(component.schema as Schema)) {
    if (random() < (isExtreme ? 0.4 : 0.3)) continue;
    const value = valueFor(name, field.kind, random, isExtreme);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function valueFor(name: string, type: string, random: Random, isExtreme: boolean): unknown {
  const [from, to] = plainNumbers[name] ?? [1, 40];
  const number = () =>
    isExtreme && random() < 0.5 ? pick(random, extremeNumbers) : Math.fround(between(random, from, to));
  if (name === "texture" || name === "frame") {
    if (!isExtreme) return name === "frame" ? "" : pick(random, ["flag", "frame", "tiles", "missing"]);
    return pick(random, ["", "flag", "frame", "tiles", "missing", "__proto__", ...extremeTexts]);
  }
  if (name === "points") return points(random, number);
  if (name === "gradient") return gradient(random, number);
  if (name === "tiles")
    return Array.from({ length: Math.floor(random() * 40) }, () =>
      pick(random, isExtreme ? [-1, 0, 1, 5, -7, 1e9, 2 ** 31] : [-1, 0, 1]),
    );
  if (name === "columns" || name === "rows" || name === "chunk")
    return pick(random, isExtreme ? [0, 1, 2, 5, 40] : [1, 2, 5]);
  if (name === "max") return pick(random, [0, 1, 20]);
  if (name === "kind") return Math.floor(random() * 6);
  if (name === "align") return Math.floor(random() * 3);
  if (type === "string") return pick(random, isExtreme ? extremeTexts : plainTexts);
  if (type === "bool") return random() < 0.5;
  if (type === "u32") return Math.floor(random() * 0xffffff);
  if (type === "f32") return number();
  return undefined;
}

/** A component of any kind with values. */
export function randomDrawing(random: Random, isExtreme = false): Init<Schema> {
  const component = pick(random, drawn) as unknown as (values: Record<string, unknown>) => Init<Schema>;
  return component(randomValues(component as unknown as AnyComponent, random, isExtreme));
}

/** Changes what an entity draws: other values, another kind, one more, one less. */
export function redress(world: World, entity: Entity, random: Random, isExtreme = false): void {
  const has = drawn.filter((component) => world.has(entity, component));
  const one = has.length === 0 ? undefined : pick(random, has);
  const chance = random();
  if (one === undefined || chance < 0.2) world.add(entity, randomDrawing(random, isExtreme));
  else if (chance < 0.4) world.remove(entity, one);
  else world.set(entity, one as never, randomValues(one, random, isExtreme) as never);
}
