/**
 * Opening and saving: through the server that serves the editor, or through the file pickers of the browser.
 */
import { fileOpen, fileSave } from "browser-fs-access";
import { parseScene, printScene, toFlat, toNested } from "espalier/scene";
import { type EditorDocument, openDocument } from "../../document/document.ts";
import { type FileOrigin, noOrigin } from "../../document/file-origin.ts";
import { createEditorFormat } from "../../document/format.ts";
import { formedText } from "../../files/formed-text.ts";
import { FileChangedError, readOrigin, writeOrigin } from "../../files/origin-file.ts";
import { prefabsOf } from "../../files/prefab-lookup.ts";
import { type RecentFile, rememberFile } from "../../files/recent.ts";
import { refreshProject, returnToProject } from "../../files/refresh-project.ts";
import { isLarge, nextTask, type SavedText, saveLatest } from "../../files/save-text.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { askPath } from "./ask-path.ts";
import { followFile } from "./journal-actions.ts";
import { takeFromFile } from "./merge-actions.ts";
import { stopPlay } from "./play-actions.ts";
import { prefabChangedOnDisk, savePrefab } from "./prefab-actions.ts";

const extensions = [".json", ".jsonc"];

/** Asks whether unsaved changes may be discarded. */
export function mayLeave(app: App): boolean {
  if (!app.documents.isUnsaved) return true;
  const [name = ""] = app.documents.all.filter(({ isDirty }) => isDirty).map(({ title }) => title);
  return confirm(app.t("file.discard", { name }));
}

export interface OpenedFile {
  readonly name: string;
  readonly text: string;
  /** Its path on the server. */
  readonly path?: string | undefined;
  readonly version?: string | undefined;
  readonly handle?: FileSystemFileHandle | undefined;
  /** The content of the file if it differs from `text`, for restored work. */
  readonly base?: string | undefined;
}

/** Shows a scene. Problems are listed; when it is not a scene at all, nothing changes. */
export function openText(app: App, opened: OpenedFile): boolean {
  const { name, text, path, version, handle, base = text } = opened;
  stopPlay(app);
  const document = app.notes.attempt(() =>
    openDocument(createEditorFormat(app.components), text, {
      title: name,
      file: path ?? name,
      prefabs: prefabsOf(() => app.project),
    }),
  );
  if (document === undefined) return false;
  document.origin = { path, version, handle, text: base };
  app.documents.behind.length = 0;
  app.view.overlay = "none";
  app.show(document);
  void app.sharing?.join(document);
  void rememberFile({ name, path, handle, text });
  return true;
}

export async function openFromDisk(app: App): Promise<void> {
  if (!mayLeave(app)) return;
  try {
    const file = await fileOpen({ extensions, description: app.t("file.kind") });
    openText(app, { name: file.name, text: await file.text(), handle: file.handle });
  } catch (error) {
    if ((error as Error).name !== "AbortError") app.notes.say((error as Error).message, "error");
  }
}

export async function openFromProject(app: App, path: string): Promise<void> {
  if (app.files === undefined || !mayLeave(app)) return;
  try {
    const { text, version } = await app.files.read(path);
    await returnToProject(app);
    openText(app, { name: path, text, path, version });
  } catch (error) {
    app.notes.say((error as Error).message, "error");
  }
}

/** What browsers add to stored handles. */
interface Permitted {
  requestPermission(options: { readonly mode: "readwrite" }): Promise<unknown>;
}

/** Opens a recent file: the file itself if it can be found, or else the copy, which is reported. */
export async function openRecent(app: App, { name, path, handle, text, time }: RecentFile): Promise<void> {
  if (path !== undefined) {
    await openFromProject(app, path);
    return;
  }
  if (!mayLeave(app)) return;
  try {
    if (handle !== undefined) {
      await (handle as Partial<Permitted>).requestPermission?.({ mode: "readwrite" });
      openText(app, { name, text: await (await handle.getFile()).text(), handle });
    } else if (text !== undefined && openText(app, { name, text })) {
      app.notes.say(app.t("file.copy", { name, time: new Date(time).toLocaleString() }));
    }
  } catch (error) {
    app.notes.fail(error);
  }
}

/**
 * Writes the scene to its file, or asks for one. A prefab that is edited in place becomes part of its scene. A file that
 * changed meanwhile is not written: a merge is offered.
 */
export async function save(app: App, options: SaveOptions = {}): Promise<void> {
  const { asNew = false, force = false } = options;
  stopPlay(app);
  if (app.documents.behind.length > 0 && !asNew) {
    savePrefab(app);
    return;
  }
  const { document } = app;
  // A second Ctrl+S while the first save runs: the first writes the latest state anyway.
  if (app.documents.saving !== undefined) return;
  try {
    const { text: saved, mark } = await textOf(app, document);
    const text = textFor(app, document, saved, asNew);
    if (text === undefined) return;
    // A long text is compared in one task and sent in another.
    if (isLarge(document)) await nextTask();
    const written = asNew ? undefined : await writeFile(app, document, text, force);
    const origin = written ?? (await saveAs(app, document, text));
    if (origin === undefined) return;
    // A copy of a prefab: the scene behind it keeps its file.
    if (app.documents.behind.length > 0) return;
    const isElsewhere = document.origin.path !== origin.path;
    document.origin = origin;
    document.marks.save(mark);
    if (isElsewhere) void app.sharing?.join(document);
    if (!document.isDirty) await app.documents.recovery?.clear();
    app.notes.say(app.t("file.saved", { name: document.title }));
    document.touch();
  } catch (error) {
    if (error instanceof FileChangedError) offerMerge(app, document);
    else if ((error as Error).name !== "AbortError") app.notes.fail(error);
  }
}

/** A save of the same scene by another member is not a conflict. @throws FileChangedError when the file was changed by anything else. */
async function writeFile(
  app: App,
  document: EditorDocument,
  text: string,
  force: boolean,
): Promise<FileOrigin | undefined> {
  const write = () => {
    const beginning = app.sharing?.beginningOf(document);
    return writeOrigin(app.files, document.origin, text, { force, beginning });
  };
  try {
    return await write();
  } catch (error) {
    const { version } = document.origin;
    if (!(error instanceof FileChangedError) || app.sharing?.isShared(document) !== true) throw error;
    await app.sharing.followBase();
    if (document.origin.version === version) throw error;
    return await write();
  }
}

/** The document as text, with progress if it takes long. */
async function textOf(app: App, document: EditorDocument): Promise<SavedText> {
  const { documents } = app;
  const progress = (share: number | undefined) => {
    documents.saving = share;
    app.changed();
  };
  try {
    return await saveLatest(document, progress);
  } finally {
    if (documents.saving !== undefined) progress(undefined);
  }
}

/** The text to write: in the formatting of the file or, if that is impossible, after asking. `undefined` when the user declines. */
function textFor(app: App, document: EditorDocument, saved: string, asNew: boolean): string | undefined {
  const { text: before, path, handle } = document.origin;
  const isInPlace = !asNew && (path !== undefined || handle !== undefined);
  const { text, areCommentsLost } = formedText(document, isInPlace ? before : undefined, saved);
  if (areCommentsLost && !confirm(app.t("file.commentsLost", { name: document.title }))) return undefined;
  return text;
}

export interface SaveOptions {
  /** Whether to ask for a file. */
  readonly asNew?: boolean;
  /** Whether to overwrite a file that changed meanwhile. */
  readonly force?: boolean;
}

/** Saves to a file of the project, or one that the browser asks for. `undefined` when the user declines. */
async function saveAs(app: App, document: EditorDocument, text: string): Promise<FileOrigin | undefined> {
  const { title } = document;
  if (app.files !== undefined && app.project.isServed === true) {
    const path = await askPath(app, title);
    if (path === undefined) return undefined;
    if (path !== null) return await saveInProject(app, document, path, text);
  }
  const blob = new Blob([text], { type: "application/json" });
  const fileName = /\.jsonc?$/.test(title) ? title : `${title}.scene.json`;
  const handle = await fileSave(blob, { fileName, extensions, description: app.t("file.kind") });
  return { ...noOrigin, handle: handle ?? undefined, text };
}

/** A new file: an existing one is not overwritten. */
async function saveInProject(
  app: App,
  document: EditorDocument,
  path: string,
  text: string,
): Promise<FileOrigin> {
  const origin = { ...noOrigin, path, text };
  const written = await writeOrigin(app.files, origin, text).catch((error: unknown) => {
    throw error instanceof FileChangedError ? new Error(app.t("saveAs.taken", { name: path })) : error;
  });
  // A copy of a prefab: the prefab stays open.
  if (app.documents.behind.length === 0) {
    document.title = path;
    document.file = path;
    void rememberFile({ name: path, path, text });
  }
  return { ...origin, ...written };
}

/** Reports that a file changed, and offers what can be done. */
function offerMerge(app: App, document: EditorDocument): void {
  app.notes.say(
    app.t("merge.refused", { name: document.title }),
    "error",
    {
      label: app.t("merge.merge"),
      run: () => {
        void readOrigin(app.files, document.origin).then((now) => {
          if (now !== undefined) takeFromFile(app, document, now);
        });
      },
    },
    { label: app.t("merge.overwrite"), run: () => void save(app, { force: true }) },
  );
}

async function exportAs(app: App, form: "nested" | "flat"): Promise<void> {
  stopPlay(app);
  const text = app.notes.attempt(() => {
    const file = parseScene(app.document.save());
    return printScene(form === "nested" ? toNested(file) : toFlat(file));
  });
  if (text === undefined) return;
  try {
    await fileSave(new Blob([text], { type: "application/json" }), {
      fileName: `${app.document.title.replace(/\.(scene\.)?json$/, "")}.${form}.scene.json`,
      extensions,
    });
  } catch (error) {
    if ((error as Error).name !== "AbortError") app.notes.say((error as Error).message, "error");
  }
}

/** A file of the project changed on disk: it is offered as a step of the history, merged with the user's own edits. */
export async function changedOnDisk(app: App, changed: string | undefined): Promise<void> {
  const there = await refreshProject(app);
  const { outermost } = app.documents;
  const { path, handle } = outermost.origin;
  // Edits by verbs are in a journal and can be undone one by one: they are taken over without asking if nothing conflicts.
  const hasNewEdits = await app.edits.refresh();
  if (changed !== undefined && there?.has(changed) === false) {
    if (changed === path) {
      outermost.marks.touchUnsaved();
      outermost.touch();
      app.notes.say(app.t("file.deletedOnDisk", { name: changed }), "error");
    }
    return;
  }
  if (changed !== undefined && changed !== path) await prefabChangedOnDisk(app, changed);
  if ((path === undefined && handle === undefined) || (changed !== undefined && changed !== path)) return;
  const isShared = app.sharing?.isShared(outermost) === true;
  // Saved by another page, which has the same scene.
  if (isShared) await app.sharing?.followBase();
  const now = await readOrigin(app.files, outermost.origin);
  if (now === undefined || now.text === outermost.origin.text) return;
  // Not by every page that shares the scene: one takes it over, and the others receive it from there.
  if (hasNewEdits && !isShared && (await followFile(app))) return;
  app.notes.say(app.t("file.changedOnDisk", { name: outermost.title }), "info", {
    label: app.t(outermost.isDirty ? "merge.merge" : "file.reload"),
    run: () => (isShared ? void takeTogether(app, outermost) : takeFromFile(app, outermost, now)),
  });
}

/** The message may be outdated: another page may have taken over the file, and saved again. */
async function takeTogether(app: App, document: EditorDocument): Promise<void> {
  try {
    await app.sharing?.followBase();
    const now = await readOrigin(app.files, document.origin);
    if (now === undefined) return;
    if (now.text === document.origin.text) app.notes.say(app.t("share.taken", { name: document.title }));
    else takeFromFile(app, document, now);
  } catch (error) {
    app.notes.fail(error);
  }
}

export async function newScene(app: App): Promise<void> {
  if (!mayLeave(app)) return;
  try {
    await returnToProject(app);
    openText(app, { name: app.t("app.untitled"), text: `{ "version": 1, "entities": [] }\n` });
  } catch (error) {
    app.notes.fail(error);
  }
}

export const fileActions: readonly Action[] = [
  { id: "new", group: "File", run: (app) => void newScene(app) },
  {
    id: "open",
    group: "File",
    shortcut: "Mod+O",
    isEnabled: (app) => !app.isLive,
    run: (app) => void openFromDisk(app),
  },
  {
    id: "save",
    group: "File",
    shortcut: "Mod+S",
    whileTyping: true,
    isEnabled: (app) => !app.isLive,
    run: (app) => void save(app),
  },
  {
    id: "save-as",
    group: "File",
    shortcut: "Mod+Shift+S",
    whileTyping: true,
    run: (app) => void save(app, { asNew: true }),
  },
  {
    id: "export-nested",
    group: "File",
    run: (app) => void exportAs(app, "nested"),
  },
  { id: "export-flat", group: "File", run: (app) => void exportAs(app, "flat") },
];
