/**
 * The parameters of a verb as JSON Schema, with the components of a format.
 */
import type { Json, JsonObject, SceneFormat } from "../../scene/index.ts";
import type { AnyVerb } from "../verb.ts";
import { componentsOf } from "./component-schemas.ts";
import type { ParameterSchema } from "./schema.ts";

/**
 * The JSON Schema (draft 7) of the parameters of a verb. For a parameter with values of components it lists those of the format,
 * with their fields, ranges and defaults, so that editors and agents know them.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const schema = verbSchema(createSceneFormat({ components: [Health] }), verbs.rename);
 * schema.required; // → ["entity", "name"]
 * ```
 */
export function verbSchema(format: SceneFormat, verb: AnyVerb): JsonObject {
  const properties: { [name: string]: Json } = {};
  for (const [name, schema] of Object.entries(verb.parameters))
    properties[name] = parameterSchema(format, schema);
  return {
    type: "object",
    properties,
    required: [...verb.required],
    additionalProperties: false,
  };
}

function parameterSchema(format: SceneFormat, { form, type, ...rest }: ParameterSchema): JsonObject {
  const own = { ...rest, ...(type === undefined ? {} : { type }) } as unknown as JsonObject;
  if (form === "component") return { ...own, enum: [...format.components] };
  if (form === "components") return { ...own, properties: componentsOf(format), additionalProperties: false };
  return own;
}
