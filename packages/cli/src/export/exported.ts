/** Common parts of exporters. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import type { EntityEntry, Scene, SceneFile } from "espalier/scene";
import { toFlat } from "espalier/scene";
import { loadOwnFormat } from "../config.ts";
import { prefabsOnDisk } from "../files.ts";
import type { Json } from "../import/imported.ts";

/** A part of a scene that the other format cannot hold, or that would be imported differently. */
export interface NotCarried {
  /** The path of the entity; empty for the scene as a whole. */
  readonly entity: string;
  /** A description of it. */
  readonly what: string;
}

/** A scene as a file of another tool, and what could not be exported. */
export interface Exported {
  /** The content of the new file. */
  readonly content: string | Uint8Array;
  /** What the other format cannot hold. */
  readonly lost: readonly NotCarried[];
  /** Prefabs that the file refers to as files of the other tool: they must be exported separately. */
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
 * @param file - Its actual or intended path: prefabs are resolved from there.
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

/** The values of a component in an entry; `undefined` if it has none. */
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

/** The data that an import kept for a tool, under its name in Props. */
export function keptFor(entry: Pick<EntityEntry, "components">, tool: string): Fields {
  const { [tool]: kept } = Object(fieldsOf(entry, "Props")?.values) as { readonly [tool: string]: Json };
  return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as Fields) : {};
}
