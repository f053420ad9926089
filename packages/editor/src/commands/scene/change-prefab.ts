/** Give a prefab another text: all instances in the document follow. Undo takes the text back, too. */
import type { Prefabs } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { reloadScene } from "./reload-scene.ts";

export interface PrefabChange {
  /** Of the step in the history. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Stores a text as that of the prefab. */
  readonly write: (text: string) => void;
  /** Finds prefabs by their texts of the moment. */
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
  // A prefab that no instance shows is no step of this document.
  if (document.marks.current === current) return;
  document.alsoUndo({ undo: () => write(before), redo: () => write(after) });
}
