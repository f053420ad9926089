/**
 * What a format does besides loading, and all of its tools. A format that only loads has none of them.
 */
import { cloneWith } from "./copies/clone.ts";
import { createJsonSchema } from "./json-schema.ts";
import { prefabTools } from "./prefab/prefab-tools.ts";
import { reloadPrefabs } from "./prefab/reload-prefab.ts";
import { type Registry, type RegistryTools, requireTools } from "./registry.ts";
import { writeTools } from "./write-tools.ts";

const formatTools = { cloneWith, createJsonSchema, reloadPrefabs };

export const allTools: RegistryTools = { writing: writeTools, prefabs: prefabTools, format: formatTools };

/** @throws SceneUseError `scene/load-only` */
export function formatToolsOf(registry: Registry, doing: string): typeof formatTools {
  return requireTools(registry, doing).format as typeof formatTools;
}
