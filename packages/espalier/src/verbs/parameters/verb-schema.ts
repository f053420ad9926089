/**
 * The parameters of a verb as JSON Schema, with the components of a format.
 */
import type { Json, JsonObject, SceneFormat } from "../../scene/index.ts";
import type { AnyVerb } from "../verb.ts";
import type { ParameterSchema } from "./schema.ts";

/**
 * The JSON Schema (draft 7) of the parameters of a verb. Where a parameter holds values of components it lists those of the format,
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

function componentsOf(format: SceneFormat): JsonObject {
  const { definitions } = format.jsonSchema() as {
    readonly definitions: { readonly [name: string]: JsonObject };
  };
  return (definitions.components as { readonly properties: JsonObject }).properties;
}

/** The defaults of fields as a file writes them, from the schema of the format. */
export function defaultsOf(format: SceneFormat): (component: string, field: string) => Json | undefined {
  const components = componentsOf(format) as { readonly [component: string]: JsonObject };
  return (component, field) => {
    if (!Object.hasOwn(components, component)) return undefined;
    const stack: Json[] = [components[component] as JsonObject];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const { anyOf, allOf, properties } = Object(at) as {
        anyOf?: readonly Json[];
        allOf?: readonly Json[];
        properties?: { readonly [field: string]: { readonly default?: Json } };
      };
      const found =
        properties !== undefined && Object.hasOwn(properties, field) ? properties[field] : undefined;
      if (found?.default !== undefined) return found.default;
      stack.push(...(anyOf ?? []), ...(allOf ?? []));
    }
    return undefined;
  };
}
