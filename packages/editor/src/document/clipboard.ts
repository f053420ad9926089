/**
 * Entities as text that can be pasted, also into another window: a scene file.
 */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import { type EntityEntry, instanceOf, parseScene, printScene, SceneError } from "espalier/scene";
import type { CutOut } from "./cut-out.ts";
import type { EditorDocument } from "./document.ts";
import { referencesInto } from "./outside-references.ts";
import { worldTransform } from "./space/keep-worlds.ts";

/** The entities and everything below them as a scene file. `undefined` for an empty selection. */
export function copyText(document: EditorDocument, entities: Iterable<Entity>): string | undefined {
  const tops = topmost(document.tree, entities);
  if (tops.length === 0) return undefined;
  try {
    return document.format.save(document.tree, tops);
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return isOwnEntry(document, tops)
      ? textWithIds(document, tops)
      : document.format.save(document.tree, tops, { outside: "null" });
  }
}

/**
 * The same for entities that are about to be deleted: with their ids, so that pasting them is a move, and with the
 * references to them.
 */
export function cutOut(document: EditorDocument, entities: Iterable<Entity>): CutOut | undefined {
  const { tree, scene } = document;
  const tops = topmost(tree, entities);
  const text =
    tops.length > 0 && isOwnEntry(document, tops) ? textWithIds(document, tops) : copyText(document, tops);
  if (text === undefined || scene === undefined)
    return text === undefined ? undefined : { text, references: [], worlds: [] };
  const references = referencesInto(document, tops).flatMap(({ entity, component, field, target }) => {
    const [id, to] = [scene.idOf(entity), scene.idOf(target)];
    return id === undefined || to === undefined ? [] : [{ id, component: component.name, field, target: to }];
  });
  const worlds = tops.flatMap((top) => {
    const [id, transform] = [scene.idOf(top), worldTransform(document, top)];
    return id === undefined || transform === undefined ? [] : [{ id, transform }];
  });
  return { text, references, worlds };
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

/** Whether all of them have entries of their own in a file: entities inside an instance have none. */
function isOwnEntry({ tree, scene }: EditorDocument, tops: readonly Entity[]): boolean {
  return (
    scene !== undefined &&
    tops.every((top) => {
      const instance = instanceOf(tree, top);
      return instance === undefined || instance.root === top || !scene.idOf(top)?.includes("/");
    })
  );
}

/** With the ids of the document: references that lead out of the text are resolved where it is pasted. */
export function textWithIds(document: EditorDocument, tops: readonly Entity[]): string {
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
