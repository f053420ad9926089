/**
 * The components of a format as JSON Schemas.
 */
import type { Json, JsonObject, SceneFormat } from "../../scene/index.ts";

/** The schema of every component by name. */
export function componentsOf(format: SceneFormat): JsonObject {
  const { definitions } = format.jsonSchema() as {
    readonly definitions: { readonly [name: string]: JsonObject };
  };
  return (definitions.components as { readonly properties: JsonObject }).properties;
}

/** The defaults of fields as written in files, from the schema of the format. */
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
