/** Make overrides of an instance part of its prefab: all instances in the document follow. Undo restores the text, too. */
import type { Instance, Override, Prefab } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import type { PrefabChange } from "./change-prefab.ts";

export interface ApplyOptions extends Pick<PrefabChange, "label" | "before" | "write"> {
  /** Some of `instance.overrides()`; all that can be part of a prefab if left out. */
  readonly overrides?: readonly Override[];
}

/** @throws SceneError when one cannot be part of the prefab; nothing has changed then. */
export function applyOverrides(
  document: EditorDocument,
  prefab: Prefab,
  instance: Instance,
  { label, before, write, overrides }: ApplyOptions,
): void {
  const { current } = document.marks;
  const after = edit(document, label, () => prefab.apply(instance, overrides)).save();
  if (document.marks.current === current) return;
  write(after);
  document.rereads++;
  document.alsoUndo({ undo: () => write(before), redo: () => write(after) });
}
