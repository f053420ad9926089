/**
 * Stores unsaved work continuously, so that a page that is killed loses less than a second of it.
 *
 * For a scene with thousands of entities, the text of its file is kept with the changes since; its own text is written in slices,
 * when a pause is long enough.
 *
 * The text of a small scene is kept after every edit. Writing a large one takes noticeably long; while edits come without
 * a pause, as in a drag, only the changes are kept, and the text at the next pause. Adding or removing a prefab instance
 * meanwhile causes one noticeable delay: only the text contains it.
 */
import type { DocumentSet } from "../document/document-set.ts";
import type { App } from "../shell/app.ts";
import { ChangesSince } from "./changes-since.ts";
import type { Recovery, RecoveryStore } from "./recovery.ts";
import { EditedMeanwhileError, isLarge, nextTask, saveText } from "./save-text.ts";

/** Work is stored this many milliseconds after an edit, even while more edits come. */
const SOON = 250;
/** Changes are stored at most this many milliseconds after an edit, however many there are. */
const LATEST = 600;
/** The share of time that writing may take, for the text; and for changes as long as they are not later than `LATEST`. */
const SHARE = 0.2;
/**
 * How many times edits may interrupt writing the text of a large scene in slices. After that the page is blocked for it
 * once if changes alone cannot be kept: without a text nothing could be restored.
 */
const MOST_INTERRUPTIONS = 2;

/**
 * Follows the app. Returns a function that ends it.
 *
 * @param now - A clock in milliseconds, with any origin.
 */
export function startAutosave(app: App, store: RecoveryStore, now = () => performance.now()): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changesTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the first edit was made that is not yet in the kept text. */
  let since = 0;
  let duration = 0;
  let changesDuration = 0;
  /** The state that is kept as text, and the one that is to be kept; `undefined` when everything is saved. */
  let kept: string | undefined;
  let wanted: string | undefined;
  /** The changes of each document since its text was kept. */
  let following: readonly ChangesSince[] = [];
  const follow = (documents: DocumentSet["all"]) => {
    for (const changes of following) changes.close();
    following = documents.map((document) => new ChangesSince(document));
  };
  /** The texts that changes are relative to, if not stored yet: texts of files are stored with the first change. */
  let pendingTexts: readonly string[] | undefined;
  /** The state whose text is written in slices, and how often edits invalidated such a text since one was kept. */
  let writing: string | undefined;
  let interruptions = 0;
  let isEnded = false;
  const isSlow = () => duration > SOON * SHARE || app.documents.all.some(isLarge);
  /** Everything is saved: changes are relative to the files. */
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
  /** A large scene was opened: its changes must be followed from the start. */
  const isFollowingNeeded = () =>
    app.documents.isUnsaved === false && app.documents.all.some(isLarge) && !isFollowing();
  /** Whether changes can be kept beside the text that is stored. */
  const canKeepChanges = () => isFollowing() && !following.some(({ needsText }) => needsText);
  const noteKept = (state: string) => {
    // The text contains the changes.
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
      // Visiting every entity and copying the text each take as long as a task should.
      await nextTask();
      if (pendingTexts === texts && isFollowing() && !isEnded) storeText();
    } catch (error) {
      // A failed save is tried again after the next edit.
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
      // Running slices detect on their own that they are invalid.
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
      // A failed save is tried again after the next edit.
    }
    duration = now() - began;
  };
  const writeChanges = () => {
    changesTimer = undefined;
    // A document was opened or closed: only a text can store that.
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
      // Too many changes to hold: the text is kept at the next pause.
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
    // A text in slices waits for a pause, however long: changes until then are kept beside the last text.
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

/** A string that identifies the state of the documents; `undefined` when all of them are saved. */
function stateOf(app: App): string | undefined {
  if (!app.documents.isUnsaved) return undefined;
  return app.documents.all.map(({ title, marks }) => `${title} ${marks.current}`).join("\n");
}

/**
 * @param texts - The text of each document, if already written.
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
