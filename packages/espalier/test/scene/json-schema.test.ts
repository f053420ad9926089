import { component, f32, finite, object } from "espalier";
import { createSceneFormat, type JsonObject, type StandardSchema, withCodec } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, createFormat } from "./scenes.ts";

type Schema = { definitions: { components: { properties: { [name: string]: { anyOf: JsonObject[] } } } } };
const componentOf = (schema: JsonObject, name: string) =>
  (schema as unknown as Schema).definitions.components.properties[name]?.anyOf[0];

describe("the JSON Schema of a format", () => {
  const schema = createFormat().jsonSchema();

  it("describes every component with types, ranges and defaults", () => {
    expect(componentOf(schema, "Health")).toEqual({
      type: "object",
      properties: {
        hp: { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }], default: 100 },
        armored: { type: "boolean", default: false },
        lives: { type: "integer", minimum: 0, maximum: 65535, default: 3 },
        mood: { type: "integer", minimum: -128, maximum: 127, default: 0 },
      },
      additionalProperties: false,
    });
    expect(componentOf(schema, "Aim")).toMatchObject({
      properties: { at: { type: ["string", "null"], description: "The id of an entity.", default: null } },
    });
    expect(componentOf(schema, "Bag")).toMatchObject({
      properties: { items: { default: [] }, owner: { default: {} } },
    });
    expect(componentOf(schema, "Frozen")).toMatchObject({ properties: {}, additionalProperties: false });
  });

  it("describes entities, recursively, and nothing else is allowed", () => {
    expect(schema).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      required: ["entities"],
      additionalProperties: false,
      definitions: { entity: { properties: { children: { items: { $ref: "#/definitions/entity" } } } } },
    });
  });

  it("is plain JSON and always the same", () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(JSON.stringify(createSceneFormat({ components }).jsonSchema())).toBe(JSON.stringify(schema));
  });

  it("takes over what codecs, validators and descriptions say", () => {
    const validate: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => ({}),
        jsonSchema: { input: ({ target }) => ({ $schema: "x", title: target }) },
      },
    };
    const Body = component("Body", {
      velocity: object(() => [0, 0]),
      mass: finite(f32(1)),
      odd: object(() => new Map()),
    });
    const format = createSceneFormat({
      components: [
        withCodec(Body, {
          description: "Moves.",
          validate,
          fields: {
            velocity: { write: (v) => v, read: (json) => json as number[], schema: { type: "array" } },
          },
        }),
      ],
    });
    expect(componentOf(format.jsonSchema(), "Body")).toEqual({
      allOf: [
        {
          description: "Moves.",
          type: "object",
          properties: {
            velocity: { type: "array", default: [0, 0] },
            mass: { type: "number", default: 1 },
            odd: {},
          },
          additionalProperties: false,
        },
        { title: "draft-07" },
      ],
    });
  });
});
