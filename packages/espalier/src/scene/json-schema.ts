/**
 * The form of scene files as JSON Schema, for completion and checks in editors.
 */
import { type ComponentCodec, type FieldInfo, writeDefault } from "./codec.ts";
import type { Json, JsonObject } from "./json/json.ts";
import type { Registry } from "./registry.ts";

/** Draft 7, which all editors know. */
export function createJsonSchema(registry: Registry): JsonObject {
  const components = properties(
    [...registry.codecs.values()].map((codec) => [codec.name, componentSchema(codec)]),
  );
  const id = { type: "string", minLength: 1, pattern: "^[^/]+$" };
  const reference = { type: "string", minLength: 1 };
  const name = {
    anyOf: [{ type: "string", minLength: 1, not: { enum: [".", ".."] } }, { type: "null" }],
    description: "Name in the hierarchy, which paths use.",
  };
  const order = {
    type: "array",
    items: reference,
    description: "Ids of the children, or their names, in their order.",
  };
  const children = { type: "array", items: { $ref: "#/definitions/child" } };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Espalier scene",
    type: "object",
    properties: {
      $schema: { type: "string" },
      version: { type: "integer", minimum: 1, maximum: registry.version, default: registry.version },
      compose: {
        type: "array",
        items: reference,
        minItems: 2,
        uniqueItems: true,
        description: "The prefabs that this prefab is composed of. It has no entities of its own then.",
      },
      entities: { type: "array", items: { $ref: "#/definitions/entity" } },
      order,
    },
    required: ["entities"],
    additionalProperties: false,
    if: { properties: { compose: true }, required: ["compose"] },
    // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
    then: { properties: { entities: { type: "array", maxItems: 0 }, order: false } },
    definitions: {
      entity: {
        type: "object",
        properties: {
          id: { ...id, description: "Names the entity within this file. Generated if left out." },
          name,
          parent: {
            ...reference,
            description: "The id of the parent. Leave it out for roots and nested entities.",
          },
          prefab: { ...reference, description: "The scene file this is an instance of." },
          components: { $ref: "#/definitions/components" },
          overrides: {
            type: "object",
            description: "Changes inside the instance, by id or path in the prefab. null removes an entity.",
            additionalProperties: { anyOf: [{ type: "null" }, { $ref: "#/definitions/override" }] },
          },
          order,
          children: { ...children, description: "Entities below this one." },
        },
        additionalProperties: false,
        // Strict validators want every required key to be described in the same object, and every object to have a type.
        if: { properties: { prefab: true }, required: ["prefab"] },
        else: {
          properties: {
            overrides: false,
            components: { type: "object", additionalProperties: { type: "object" } },
          },
        },
      },
      child: {
        allOf: [{ $ref: "#/definitions/entity" }, { type: "object", properties: { parent: false } }],
      },
      override: {
        type: "object",
        properties: {
          name,
          parent: { type: ["string", "null"] },
          components: { $ref: "#/definitions/components" },
          order,
          children,
        },
        additionalProperties: false,
      },
      components: { type: "object", properties: components, additionalProperties: false },
    },
  };
}

function componentSchema(codec: ComponentCodec): JsonObject {
  const own = codec.validate?.["~standard"].jsonSchema?.input({ target: "draft-07" });
  const fields = properties([...codec.fields.values()].map((info) => [info.name, fieldSchema(info)]));
  const described = codec.description === undefined ? {} : { description: codec.description };
  const schema = { ...described, type: "object", properties: fields, additionalProperties: false };
  if (own === undefined) return { anyOf: [schema, { type: "null" }] };
  // A nested schema must not have a `$schema` of its own, and nothing is required because what a file leaves out has its default.
  const { $schema: _, required: _required, ...rest } = own as { [key: string]: Json };
  return { anyOf: [{ allOf: [schema, rest] }, { type: "null" }] };
}

function fieldSchema(info: FieldInfo): JsonObject {
  const standard = defaultOf(info);
  if (info.codec?.schema !== undefined) return { ...standard, ...info.codec.schema };
  if (info.codec !== undefined) return standard;
  return { ...(info.type.schema(info.field) as JsonObject), ...standard };
}

function defaultOf(info: FieldInfo): JsonObject {
  try {
    return { default: writeDefault(info, { idOf: () => null }) };
  } catch {
    return {};
  }
}

function properties(entries: readonly (readonly [string, JsonObject])[]): JsonObject {
  return Object.fromEntries(entries);
}
