/** What exporters have in common. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import type { EntityEntry, Scene, SceneFile } from "espalier/scene";
import { toFlat } from "espalier/scene";
import { loadOwnFormat } from "../config.ts";
import { prefabsOnDisk } from "../files.ts";
import type { Json } from "../import/imported.ts";

/** Something of a scene that the other format cannot hold, or that would come back changed. */
export interface NotCarried {
  /** The path of the entity; empty for the scene as a whole. */
  readonly entity: string;
  /** What it is, in words. */
  readonly what: string;
}

/** A scene as a file of another tool, and what did not come along. */
export interface Exported {
  /** What the new file holds. */
  readonly content: string | Uint8Array;
  /** What the other format cannot hold. */
  readonly lost: readonly NotCarried[];
  /** Prefabs that the file names as files of the other tool: they are exported by themselves. */
  readonly needs: readonly string[];
}

/** A scene in a world of its own, and its saved form with one entry for each of its entities. */
export interface OpenScene {
  readonly scene: Scene;
  readonly entries: readonly EntityEntry[];
}

/**
 * Loads a scene with the components of the library; those of a project are kept as they are.
 *
 * @param file - Where it is, or would be: prefabs are looked for from there.
 * @throws SceneError when it is broken, or a prefab is missing.
 */
export async function openScene(
  source: string | SceneFile,
  file: string,
  prefabs: string | undefined,
  mayRead?: (file: string) => void,
): Promise<OpenScene> {
  const format = await loadOwnFormat();
  const scene = format.load(createHierarchy(createWorld()), source, {
    file,
    prefabs: prefabsOnDisk(prefabs, mayRead),
    unknown: "keep",
  });
  return { scene, entries: toFlat(scene.toFile()).entities };
}

export type Fields = { readonly [field: string]: Json };

/** The values of a component in an entry; nothing where it has none. */
export function fieldsOf(entry: Pick<EntityEntry, "components">, component: string): Fields | undefined {
  const fields = entry.components?.[component];
  return typeof fields === "object" && fields !== null && !Array.isArray(fields)
    ? (fields as Fields)
    : undefined;
}

export function numberOf(fields: Fields | undefined, field: string, initial = 0): number {
  const value = fields?.[field];
  return typeof value === "number" ? value : initial;
}

/** What an import kept for a tool, under its name in Props. */
export function keptFor(entry: Pick<EntityEntry, "components">, tool: string): Fields {
  const { [tool]: kept } = Object(fieldsOf(entry, "Props")?.values) as { readonly [tool: string]: Json };
  return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as Fields) : {};
}
