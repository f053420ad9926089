/** Apply the result of merging a document with its file, as one step. */
import type { EditorDocument } from "../../document/document.ts";
import type { FileOrigin } from "../../document/file-origin.ts";
import { reloadScene } from "./reload-scene.ts";

/**
 * Undo also restores what the document knew of its file, so that saving is then refused instead of overwriting changes that
 * reached the file in between.
 *
 * @param text - The merged scene.
 * @param origin - The file that was merged.
 * @param followed - Called whenever undo or redo changed what the document knows of its file.
 * @throws SceneError; nothing has changed then.
 */
export function mergeScene(
  document: EditorDocument,
  text: string,
  origin: FileOrigin,
  followed?: () => void,
): void {
  const { current } = document.marks;
  reloadScene(document, text, { mode: "reset", label: document.t("step.merge") });
  followOrigin(document, current, origin, followed);
}

/** Gives the document a new origin, and the former one again when the last step is undone. */
export function followOrigin(
  document: EditorDocument,
  markBefore: number,
  origin: FileOrigin,
  followed: () => void = () => {},
): void {
  const before = document.origin;
  document.origin = origin;
  if (document.marks.current === markBefore) return;
  const follow = (now: FileOrigin) => {
    document.origin = now;
    followed();
  };
  document.alsoUndo({ undo: () => follow(before), redo: () => follow(origin) });
}
