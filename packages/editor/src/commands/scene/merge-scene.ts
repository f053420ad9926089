/** Make a document what a merge with its file says, as one step. */
import type { EditorDocument } from "../../document/document.ts";
import type { FileOrigin } from "../../document/file-origin.ts";
import { reloadScene } from "./reload-scene.ts";

/**
 * Undoing it also takes back what the document knows of its file, so that saving then is refused and not an overwriting of what
 * the file got meanwhile.
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

/** The document knows another state of its file from now on, and the former one again when the last step is undone. */
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
