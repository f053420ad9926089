/**
 * Writes the text of a document without blocking: a large scene is written in slices, and the page responds in between.
 */
import type { EditorDocument } from "../document/document.ts";

/** A scene with at least this many entities is large: the text of a smaller one is written within a frame or two. */
export const LARGE_SCENE = 3000;

export function isLarge({ world }: EditorDocument): boolean {
  return world.count >= LARGE_SCENE;
}

/** Lets the page respond. */
export function nextTask(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}

/** Thrown when the document is edited while its text is written. */
export class EditedMeanwhileError extends Error {}

/** Milliseconds of work per slice. */
const WORK = 12;

export interface SaveTextOptions {
  /** Called with the fraction that is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Stops with `EditedMeanwhileError`. */
  readonly isCancelled?: () => boolean;
}

/** The text, and the state it was written from. */
export interface SavedText {
  readonly text: string;
  /** The mark of the state. */
  readonly mark: number;
}

/**
 * Writes the current state. An edit in between invalidates it.
 *
 * @throws EditedMeanwhileError, or what `document.save()` throws.
 */
export async function saveText(
  document: EditorDocument,
  { onProgress, isCancelled = () => false }: SaveTextOptions = {},
): Promise<SavedText> {
  const { history, marks } = document;
  const mark = marks.current;
  if (!isLarge(document)) return { text: document.save(), mark };
  const { version } = history;
  const saving = document.saving();
  for (;;) {
    const end = performance.now() + WORK;
    let step: IteratorResult<number, string>;
    do step = saving.next();
    while (step.done !== true && performance.now() < end);
    if (step.done === true) {
      // Joining a long text takes as long as a task should.
      await nextTask();
      return { text: step.value, mark };
    }
    onProgress?.(step.value);
    await nextTask();
    if (isCancelled() || history.version !== version || marks.current !== mark)
      throw new EditedMeanwhileError(document.title);
  }
}

/** How often it is retried after an edit; then it blocks the page, so that it ends. */
const TRIES = 4;

/** The same for a user who asked for it: edits in between are part of what is written. */
export async function saveLatest(
  document: EditorDocument,
  onProgress?: (share: number) => void,
): Promise<SavedText> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await saveText(document, onProgress === undefined ? {} : { onProgress });
    } catch (error) {
      if (!(error instanceof EditedMeanwhileError)) throw error;
    }
  }
  return { text: document.save(), mark: document.marks.current };
}
