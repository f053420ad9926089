/**
 * Keeps unsaved work as it comes, so that a page that is killed loses less than a second of it.
 *
 * Of a scene with thousands of entities the text of its file is kept, with what changed since; its own text is written in slices, when
 * a pause is long enough for them.
 *
 * The text of a small scene is kept after every edit. A large one takes long enough to write to be felt; while edits come without
 * a pause, such as a drag, only what changed since is kept, and the text when the next pause comes. An instance of a prefab that comes
 * or goes meanwhile is felt once: only the text has it.
 */
import type { DocumentSet } from "../document/document-set.ts";
import type { App } from "../shell/app.ts";
import { ChangesSince } from "./changes-since.ts";
import type { Recovery, RecoveryStore } from "./recovery.ts";
import { EditedMeanwhileError, isLarge, nextTask, saveText } from "./save-text.ts";

/** Work is kept so long after an edit, in milliseconds, also while more edits come. */
const SOON = 250;
/** What changed is kept so long after an edit, in milliseconds, however much it is. */
const LATEST = 600;
/** What part of the time writing may take, for the text; and for changes as long as they are not later than `LATEST`. */
const SHARE = 0.2;
/**
 * So often edits may come in between while the text of a large scene is written in slices. After that the page stands still for it
 * once, where changes alone cannot be kept: without a text there would be nothing to come back to.
 */
const MOST_INTERRUPTIONS = 2;

/**
 * Follows the app. Returns a function that ends it.
 *
 * @param now - The time in milliseconds, from anywhere.
 */
export function startAutosave(app: App, store: RecoveryStore, now = () => performance.now()): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changesTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the first edit was made that is not kept as text. */
  let since = 0;
  let duration = 0;
  let changesDuration = 0;
  /** The state that is kept as text, and the one that is to be kept; nothing when all is saved. */
  let kept: string | undefined;
  let wanted: string | undefined;
  /** Of the documents as they were when their text was kept. */
  let following: readonly ChangesSince[] = [];
  const follow = (documents: DocumentSet["all"]) => {
    for (const changes of following) changes.close();
    following = documents.map((document) => new ChangesSince(document));
  };
  /** The texts that changes are counted from, where they are not stored yet: those of files are when there is a change. */
  let pendingTexts: readonly string[] | undefined;
  /** The state whose text is written in slices, and how often edits made such a text void since one was kept. */
  let writing: string | undefined;
  let interruptions = 0;
  let isEnded = false;
  const isSlow = () => duration > SOON * SHARE || app.documents.all.some(isLarge);
  /** Everything is in its file: changes are counted from there. */
  const followFiles = () => {
    const openDocuments = app.documents.all;
    const texts = openDocuments.flatMap(({ origin }) => origin.text ?? []);
    const isKnown = openDocuments.some(isLarge) && texts.length === openDocuments.length;
    pendingTexts = isKnown ? texts : undefined;
    follow(isKnown ? openDocuments : []);
  };
  const isFollowing = () => {
    const openDocuments = app.documents.all;
    return (
      following.length === openDocuments.length &&
      following.every(({ document }, k) => document === openDocuments[k])
    );
  };
  /** A large scene was opened: what changes in it must be known from the start. */
  const isFollowingNeeded = () =>
    app.documents.isUnsaved === false && app.documents.all.some(isLarge) && !isFollowing();
  /** Whether changes can be kept beside the text that is stored. */
  const canKeepChanges = () => isFollowing() && !following.some(({ needsText }) => needsText);
  const noteKept = (state: string) => {
    // The text has what the changes would say.
    clearTimeout(changesTimer);
    changesTimer = undefined;
    kept = state;
    pendingTexts = undefined;
    interruptions = 0;
  };
  const storeText = () => {
    void store.keep(unsavedWork(app, pendingTexts));
    pendingTexts = undefined;
  };
  const writeSlices = async (state: string) => {
    const openDocuments = app.documents.all;
    const isCancelled = () => isEnded || stateOf(app) !== state;
    writing = state;
    try {
      const texts: string[] = [];
      for (const document of openDocuments) texts.push((await saveText(document, { isCancelled })).text);
      if (isCancelled()) return;
      noteKept(state);
      follow(openDocuments);
      pendingTexts = texts;
      // Each is work enough for a task: to look at every entity, and to copy the text.
      await nextTask();
      if (pendingTexts === texts && isFollowing() && !isEnded) storeText();
    } catch (error) {
      // What cannot be saved now is tried again after the next edit.
      if (isEnded || !(error instanceof EditedMeanwhileError)) return;
      interruptions++;
      timer ??= setTimeout(writeText, SOON);
    } finally {
      writing = undefined;
    }
  };
  const writeText = () => {
    clearTimeout(timer);
    timer = undefined;
    const state = stateOf(app);
    wanted = state;
    if (state === kept && (state !== undefined || !isFollowingNeeded())) return;
    if (state === undefined) {
      clearTimeout(changesTimer);
      changesTimer = kept = undefined;
      interruptions = 0;
      followFiles();
      void store.clear();
      return;
    }
    if (app.documents.all.some(isLarge)) {
      // Slices that are at work notice by themselves when they are void.
      if (writing !== undefined) {
        if (writing !== state) timer = setTimeout(writeText, SOON);
        return;
      }
      if (interruptions < MOST_INTERRUPTIONS || canKeepChanges()) {
        void writeSlices(state);
        return;
      }
    }
    const began = now();
    try {
      const openDocuments = app.documents.all;
      void store.keep(unsavedWork(app));
      noteKept(state);
      duration = now() - began;
      follow(isSlow() ? openDocuments : []);
    } catch {
      // What cannot be saved now is tried again after the next edit.
    }
    duration = now() - began;
  };
  const writeChanges = () => {
    changesTimer = undefined;
    // Another document was opened, or one was closed: only its text will do.
    if (!isFollowing()) return;
    if (following.some(({ needsText }) => needsText)) {
      writeText();
      return;
    }
    const began = now();
    try {
      if (pendingTexts !== undefined) storeText();
      void store.keepChanges(following.map((changes) => changes.read()));
    } catch {
      // More than can be expressed: the text is kept at the next pause.
      follow([]);
    }
    changesDuration = now() - began;
  };
  const end = app.signal.subscribe(() => {
    const state = stateOf(app);
    const isUnderWay = timer !== undefined || (writing !== undefined && state === writing);
    if (state === wanted && (isUnderWay || (state === kept && !isFollowingNeeded()))) return;
    wanted = state;
    if (timer === undefined) since = now();
    clearTimeout(timer);
    // A text in slices waits for a pause as long as it takes: what changes meanwhile is kept beside the last one.
    const isInSlices = app.documents.all.some(isLarge) && isFollowing();
    const latest = isInSlices ? Number.POSITIVE_INFINITY : since + Math.max(SOON, duration / SHARE);
    timer = setTimeout(writeText, Math.max(0, Math.min(now() + SOON, latest) - now()));
    if (isSlow() && following.length > 0)
      changesTimer ??= setTimeout(writeChanges, Math.min(LATEST, Math.max(SOON, changesDuration / SHARE)));
  });
  return () => {
    isEnded = true;
    clearTimeout(timer);
    clearTimeout(changesTimer);
    follow([]);
    end();
  };
}

/** Another text for each state of the documents; nothing when all of them are saved. */
function stateOf(app: App): string | undefined {
  if (!app.documents.isUnsaved) return undefined;
  return app.documents.all.map(({ title, marks }) => `${title} ${marks.current}`).join("\n");
}

/**
 * @param texts - Of each document, where they are written already.
 * @throws what saving throws.
 */
function unsavedWork(app: App, texts?: readonly string[]): Omit<Recovery, "time"> {
  const documents = app.documents.all.map((document, k) => {
    const { path, version, handle, text: base } = document.origin;
    return {
      name: document.title,
      file: k === 0 ? path : document.file,
      text: texts?.[k] ?? document.save(),
      base,
      version,
      handle,
    };
  });
  return { documents };
}
