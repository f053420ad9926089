/**
 * The one way in which the editor changes a document.
 */
import { transaction } from "espalier/history";
import type { EditorDocument } from "./document.ts";

export interface EditOptions {
  /** Edits with the same key, one after the other, are one step: all moves of a drag. `seal` ends it. */
  readonly key?: string;
}

/**
 * Runs a change as one undo step, all or nothing: when it throws, nothing has changed. Notifies the document's listeners.
 */
export function edit<Result>(
  document: EditorDocument,
  label: string,
  change: () => Result,
  options: EditOptions = {},
): Result {
  const { history } = document;
  const before = history.version;
  const run = () => {
    const result = change();
    // What belongs to no scene is not sent to others.
    if (document.isShared) document.addRoots();
    return result;
  };
  try {
    if (document.isPlaying) return transaction(document.world, change);
    return history.transaction(label, run, options.key === undefined ? {} : { key: options.key });
  } finally {
    if (history.version !== before) document.noteStep();
    document.settle();
  }
}

/** Ends a gesture: the next edit is another step, also with the same key. */
export function seal(document: EditorDocument): void {
  document.history.seal();
}
