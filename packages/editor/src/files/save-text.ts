/**
 * The text of a document without standing still: a large scene is written a little at a time, and the page answers in between.
 */
import type { EditorDocument } from "../document/document.ts";

/** From so many entities on a scene is large: below, its text is written within a frame or two. */
export const LARGE_SCENE = 3000;

export function isLarge({ world }: EditorDocument): boolean {
  return world.count >= LARGE_SCENE;
}

/** Lets the page answer. */
export function nextTask(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}

/** The document was edited while its text was written. */
export class EditedMeanwhileError extends Error {}

/** Milliseconds that are worked at once. */
const WORK = 12;

export interface SaveTextOptions {
  /** Called with the share that is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Stops with `EditedMeanwhileError`. */
  readonly isCancelled?: () => boolean;
}

/** What was written, and of which state. */
export interface SavedText {
  readonly text: string;
  /** The mark of the state. */
  readonly mark: number;
}

/**
 * Writes the present state. An edit in between makes it void.
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
      // Putting a long text together is work enough for a task.
      await nextTask();
      return { text: step.value, mark };
    }
    onProgress?.(step.value);
    await nextTask();
    if (isCancelled() || history.version !== version || marks.current !== mark)
      throw new EditedMeanwhileError(document.title);
  }
}

/** So many times it is tried anew after an edit; then the page stands still for it, so that it ends. */
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
