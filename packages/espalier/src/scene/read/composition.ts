/**
 * Which prefabs a prefab is composed of.
 */
import type { Json, JsonObject } from "../json/json.ts";

/** Their names as written in the file; none for a file with entities of its own. Values that are not names are left out. */
export function partNames({ compose }: { readonly compose?: Json | readonly string[] } & object): string[] {
  if (!Array.isArray(compose)) return [];
  return (compose as readonly Json[]).filter((name) => typeof name === "string" && name !== "") as string[];
}

/** Whether a file is a composed prefab. */
export function isComposed(value: Json): boolean {
  return (value as JsonObject).compose !== undefined;
}
