/**
 * The schemas of object fields of the library's own components, by component and field.
 */
import type { JsonSchema } from "./json-schema.ts";

const number: JsonSchema = { type: "number" };
const positive = (initial: number): JsonSchema => ({ type: "number", minimum: 0, default: initial });

/** Members that every shape may have. */
const material: { readonly [name: string]: JsonSchema } = {
  density: positive(1),
  friction: positive(0.6),
  restitution: positive(0),
  sensor: { type: "boolean", default: true },
  layer: { type: "string" },
  collidesWith: { type: "array", items: { type: "string" } },
  group: { type: "integer", default: 1 },
};

function shape(
  type: string,
  needed: { readonly [name: string]: JsonSchema },
  optional: { readonly [name: string]: JsonSchema } = {},
): JsonSchema {
  return {
    type: "object",
    properties: { type: { const: type }, ...needed, ...optional, ...material },
    required: ["type", ...Object.keys(needed)],
    additionalProperties: false,
  };
}

const points = (initial: readonly object[]): JsonSchema => ({
  type: "array",
  items: { type: "object", properties: { x: number, y: number }, required: ["x", "y"] },
  minItems: initial.length,
  default: initial,
});
const triangle = [
  { x: -10, y: -10 },
  { x: 10, y: -10 },
  { x: 0, y: 10 },
];
const line = [
  { x: -10, y: 0 },
  { x: 10, y: 0 },
];
const ends = {
  x1: { ...number, default: -10 },
  y1: number,
  x2: { ...number, default: 10 },
  y2: number,
};

const shapes: JsonSchema = {
  type: "array",
  items: {
    oneOf: [
      shape(
        "box",
        { width: positive(20), height: positive(20) },
        { x: number, y: number, rotation: number, radius: positive(0) },
      ),
      shape("circle", { radius: positive(10) }, { x: number, y: number }),
      shape("capsule", { ...ends, radius: positive(10) }),
      shape("polygon", { points: { ...points(triangle), maxItems: 8 } }, { radius: positive(0) }),
      shape("segment", ends),
      shape("chain", { points: points(line) }, { loop: { type: "boolean", default: true } }),
    ],
  },
};

const stop: JsonSchema = {
  type: "object",
  properties: {
    offset: { type: "number", minimum: 0, maximum: 1, default: 1 },
    color: { type: "integer", format: "color", default: 0xffffff },
    alpha: { type: "number", minimum: 0, maximum: 1, default: 1 },
  },
  required: ["offset", "color"],
  additionalProperties: false,
};

const gradient: JsonSchema = {
  anyOf: [
    {
      type: "object",
      properties: {
        kind: { enum: ["linear", "radial"] },
        x0: number,
        y0: number,
        x1: number,
        y1: { ...number, default: 1 },
        stops: {
          type: "array",
          items: stop,
          minItems: 1,
          default: [
            { offset: 0, color: 0xffffff },
            { offset: 1, color: 0x000000 },
          ],
        },
      },
      required: ["kind", "x0", "y0", "x1", "y1", "stops"],
      additionalProperties: false,
    },
    { type: "null" },
  ],
};

/** By `Component.field`. */
export const librarySchemas: { readonly [field: string]: JsonSchema } = {
  "Collider.shapes": shapes,
  "Shape.points": { type: "array", items: number, format: "points" },
  "Shape.gradient": gradient,
};
