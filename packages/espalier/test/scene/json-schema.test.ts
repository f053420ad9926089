import { Ajv } from "ajv";
import { component, f32, finite, object } from "espalier";
import { createSceneFormat, type JsonObject, type StandardSchema, withCodec } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, createFormat } from "./scenes.ts";

const largest = 3.4028234663852886e38;
const float = { type: "number", minimum: -largest, maximum: largest };

type Schema = { definitions: { components: { properties: { [name: string]: { anyOf: JsonObject[] } } } } };
const componentOf = (schema: JsonObject, name: string) =>
  (schema as unknown as Schema).definitions.components.properties[name]?.anyOf[0];

describe("the JSON Schema of a format", () => {
  const schema = createFormat().jsonSchema();

  it("describes every component with types, ranges and defaults", () => {
    expect(componentOf(schema, "Health")).toEqual({
      type: "object",
      properties: {
        hp: { anyOf: [float, { enum: ["NaN", "Infinity", "-Infinity"] }], default: 100 },
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
      definitions: { entity: { properties: { children: { items: { $ref: "#/definitions/child" } } } } },
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
            mass: { ...float, default: 1 },
            odd: {},
          },
          additionalProperties: false,
        },
        { title: "draft-07" },
      ],
    });
  });
});

describe("a validator with the JSON Schema", () => {
  const format = createFormat();
  // Strict, so that editors that are as strict understand it too.
  const ajv = new Ajv({ strict: true, strictTypes: true, strictRequired: true, allowUnionTypes: true });
  const validate = ajv.compile(format.jsonSchema());
  const tank = `{ "entities": [{ "id": "tank", "components": { "Health": {} }, "children": [{ "id": "gun" }] }] }`;
  const problemsIn = (text: string) =>
    format.check(text, { prefabs: { tank, flag: `{ "entities": [{ "id": "flag" }] }` } });

  it.each([
    `{ "$schema": "./scene.schema.json", "version": 1, "order": ["b", "a"], "entities": [{ "id": "a" }, { "id": "b" }] }`,
    `{ "entities": [{ "name": "a", "children": [{ "name": "b", "children": [{}] }] }] }`,
    `{ "entities": [{ "id": "a" }, { "id": "b", "parent": "a", "components": { "Aim": { "at": "a", "from": null } } }] }`,
    `{ "entities": [{ "components": { "Health": { "hp": "Infinity", "lives": 0, "armored": true }, "Frozen": {} } }] }`,
    `{ "entities": [{ "id": "a", "prefab": "tank", "name": null, "components": { "Health": null } }] }`,
    `{ "entities": [{ "id": "a", "prefab": "tank", "overrides": { "gun": null } }] }`,
    `{ "entities": [{ "id": "a", "prefab": "tank", "overrides": { "gun": { "name": "g", "components": { "Position": { "x": 1 } }, "children": [{ "id": "b" }] } } }] }`,
    `{ "entities": [{ "components": { "Bag": { "items": [1, { "a": [] }], "owner": {} } } }] }`,
    `{ "compose": ["tank", "flag"], "entities": [] }`,
  ])("accepts what the format accepts: %s", (text) => {
    expect(problemsIn(text)).toEqual([]);
    expect(validate(JSON.parse(text)) || validate.errors).toBe(true);
  });

  it.each([
    `[]`,
    `{}`,
    `{ "entities": {} }`,
    `{ "version": 2, "entities": [] }`,
    `{ "compose": ["tank", "flag"] }`,
    `{ "compose": ["tank"], "entities": [] }`,
    `{ "compose": ["tank", "tank"], "entities": [] }`,
    `{ "compose": "tank", "entities": [] }`,
    `{ "compose": ["tank", "flag"], "entities": [{ "id": "a" }] }`,
    `{ "compose": ["tank", "flag"], "entities": [], "order": [] }`,
    `{ "entities": [], "entitys": [] }`,
    `{ "entities": [{ "id": "a/b" }] }`,
    `{ "entities": [{ "name": ".." }] }`,
    `{ "entities": [{ "parent": 7 }] }`,
    `{ "entities": [{ "id": "a", "children": [{ "parent": "a" }] }] }`,
    `{ "entities": [{ "kids": [] }] }`,
    `{ "entities": [{ "overrides": {} }] }`,
    `{ "entities": [{ "components": { "Health": null } }] }`,
    `{ "entities": [{ "components": { "Helth": {} } }] }`,
    `{ "entities": [{ "components": { "Parent": { "id": "a" } } }] }`,
    `{ "entities": [{ "components": { "Health": { "hq": 1 } } }] }`,
    `{ "entities": [{ "components": { "Health": { "hp": "12" } } }] }`,
    `{ "entities": [{ "components": { "Health": { "hp": 1e39 } } }] }`,
    `{ "entities": [{ "components": { "Health": { "lives": 65536 } } }] }`,
    `{ "entities": [{ "components": { "Health": { "lives": 0.5 } } }] }`,
    `{ "entities": [{ "prefab": "tank", "overrides": { "gun": { "components": { "Health": { "hp": true } } } } }] }`,
  ])("refuses what the format refuses: %s", (text) => {
    expect(problemsIn(text)).not.toEqual([]);
    expect(validate(JSON.parse(text))).toBe(false);
  });
});
