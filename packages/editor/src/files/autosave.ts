/**
 * Keeps unsaved work as it comes, so that a page that is killed loses less than a second of it.
 */
import type { App } from "../shell/app.ts";
import type { Recovery, RecoveryStore } from "./recovery.ts";

/** Work is kept so long after an edit, in milliseconds, also while more edits come. */
const SOON = 250;
/**
 * Writing a large scene takes long enough to feel. It may take this part of the time; beyond, edits that come without a pause,
 * such as a drag, are kept when the next pause comes.
 */
const SHARE = 0.2;

/**
 * Follows the app. Returns a function that ends it.
 *
 * @param now - The time in milliseconds, from anywhere.
 */
export function startAutosave(app: App, store: RecoveryStore, now = () => performance.now()): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first edit was made that is not kept. */
  let since = 0;
  let duration = 0;
  /** The state that is kept, and the one that is to be kept; nothing when all is saved. */
  let kept: string | undefined;
  let wanted: string | undefined;
  const write = () => {
    timer = undefined;
    const state = stateOf(app);
    wanted = state;
    if (state === kept) return;
    if (state === undefined) {
      kept = undefined;
      void store.clear();
      return;
    }
    const began = now();
    try {
      void store.keep(unsavedWork(app));
      kept = state;
    } catch {
      // What cannot be saved now is tried again after the next edit.
    }
    duration = now() - began;
  };
  const end = app.subscribe(() => {
    const state = stateOf(app);
    if (state === wanted && (timer !== undefined || state === kept)) return;
    wanted = state;
    if (timer === undefined) since = now();
    clearTimeout(timer);
    const latest = since + Math.max(SOON, duration / SHARE);
    timer = setTimeout(write, Math.max(0, Math.min(now() + SOON, latest) - now()));
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Another text for each state of the documents; nothing when all of them are saved. */
function stateOf(app: App): string | undefined {
  if (!app.isUnsaved) return undefined;
  return app.openDocuments.map(({ title, marks }) => `${title} ${marks.current}`).join("\n");
}

/** @throws what saving throws. */
function unsavedWork(app: App): Recovery {
  const documents = app.openDocuments.map((document, k) => ({
    name: document.title,
    file: k === 0 ? app.origin.path : document.file,
    text: document.save(),
  }));
  return { documents, time: Date.now() };
}
