/**
 * Keeps unsaved work as it comes, so that a page that is killed loses less than a second of it.
 */
import type { App } from "../shell/app.ts";
import type { Recovery, RecoveryStore } from "./recovery.ts";

/** After an edit it takes this long, in milliseconds, also while more edits come. */
const SOON = 250;
/** At the latest so long after it: with the writing itself that is less than a second. */
const LATEST = 650;
/** Writing a large scene takes long enough to feel: it may take this part of the time, as far as `LATEST` allows. */
const SHARE = 0.2;

/** Follows the app. Returns a function that ends it. */
export function startAutosave(app: App, store: RecoveryStore): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let duration = 0;
  /** The state that is kept; nothing when none is. */
  let kept: string | undefined;
  const write = () => {
    timer = undefined;
    const state = stateOf(app);
    if (state === kept) return;
    if (state === undefined) {
      kept = undefined;
      void store.clear();
      return;
    }
    const began = performance.now();
    try {
      void store.keep(unsavedWork(app));
      kept = state;
    } catch {
      // What cannot be saved now is tried again after the next edit.
    }
    duration = performance.now() - began;
  };
  const end = app.subscribe(() => {
    if (timer !== undefined || stateOf(app) === kept) return;
    timer = setTimeout(write, Math.min(LATEST, Math.max(SOON, duration / SHARE)));
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
