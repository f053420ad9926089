/**
 * Which prefabs a prefab is composed of.
 */
import type { SceneFile } from "../file.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { parseJson } from "../json/parse.ts";

/** Their names as written in the file; none for a file with entities of its own. Values that are not names are left out. */
export function partNames({ compose }: { readonly compose?: Json | readonly string[] } & object): string[] {
  if (!Array.isArray(compose)) return [];
  return (compose as readonly Json[]).filter((name) => typeof name === "string" && name !== "") as string[];
}

/** Whether a file is a composed prefab. */
export function isComposed(value: Json): boolean {
  return (value as JsonObject).compose !== undefined;
}

/** The same for a text, or a scene written in TypeScript, as far as it can be read. */
export function isComposedSource(source: string | SceneFile): boolean {
  // Most texts are not composed; they are not parsed here.
  if (typeof source === "string" && !source.includes('"compose"')) return false;
  const value = typeof source === "string" ? parseJson(source).value : (source as unknown as Json);
  return isJsonObject(value) && isComposed(value);
}
