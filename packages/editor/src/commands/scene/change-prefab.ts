/** Replace the text of a prefab: all instances in the document follow. Undo restores the text, too. */
import type { Prefabs } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { reloadScene } from "./reload-scene.ts";

export interface PrefabChange {
  /** The label of the step in the history. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Stores a text as the prefab's text. */
  readonly write: (text: string) => void;
  /** Looks up prefabs with their current texts. */
  readonly prefabs: Prefabs;
}

/** @throws SceneError when the new text does not fit; nothing has changed then. */
export function changePrefab(
  document: EditorDocument,
  { label, before, after, write, prefabs }: PrefabChange,
): void {
  const was = document.save();
  const { current } = document.marks;
  write(after);
  try {
    reloadScene(document, was, { prefabs, label });
  } catch (error) {
    write(before);
    throw error;
  }
  // Changing a prefab without instances is not a step of this document.
  if (document.marks.current === current) return;
  document.alsoUndo({ undo: () => write(before), redo: () => write(after) });
}
