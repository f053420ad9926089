/**
 * The one way in which the editor changes a document.
 */
import { transaction } from "espalier/history";
import type { EditorDocument } from "./document.ts";

export interface EditOptions {
  /** Consecutive edits with the same key are one step, such as all moves of a drag. `seal` ends it. */
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
    // Entities that are not part of the scene are not sent to others.
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

/** Ends a gesture: the next edit is another step, even with the same key. */
export function seal(document: EditorDocument): void {
  document.history.seal();
}
