/**
 * Entities as text that can be pasted, also into another window: a scene file.
 */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import { type EntityEntry, parseScene, printScene, SceneError } from "espalier/scene";
import type { EditorDocument } from "./document.ts";

/** The entities and everything below them as a scene file. Nothing for an empty selection. */
export function copyText(document: EditorDocument, entities: Iterable<Entity>): string | undefined {
  const tops = topmost(document.tree, entities);
  if (tops.length === 0) return undefined;
  try {
    return document.format.save(document.tree, tops);
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return copyWithOutsideReferences(document, tops);
  }
}

/** Whether a text is a scene that can be pasted. */
export function isSceneText(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    return parseScene(text).entities.length > 0;
  } catch {
    return false;
  }
}

/** References that lead out of the copy keep the ids of the document; pasting there finds them again. */
function copyWithOutsideReferences(document: EditorDocument, tops: readonly Entity[]): string {
  const { scene, tree } = document;
  if (scene === undefined) throw new Error(document.t("refuse.noIds"));
  const file = parseScene(document.save());
  const ids = new Set<string>();
  for (const top of tops) {
    for (const entity of tree.descendants(top, { includeSelf: true })) {
      const id = scene.idOf(entity);
      if (id !== undefined) ids.add(id);
    }
  }
  const topIds = new Set(tops.map((top) => scene.idOf(top)));
  const entities: EntityEntry[] = [];
  for (const entry of file.entities) {
    if (!ids.has(entry.id as string)) continue;
    const { parent: _, ...rest } = entry;
    entities.push(topIds.has(entry.id) ? rest : entry);
  }
  return printScene({ ...(file.version === undefined ? {} : { version: file.version }), entities });
}
