/**
 * Prefabs from inside a scene: editing one in place, and making changes of an instance part of it.
 */
import type { Instance, Override } from "espalier/scene";
import { applyOverrides } from "../../commands/scene/apply-overrides.ts";
import { changePrefab } from "../../commands/scene/change-prefab.ts";
import { type EditorDocument, openDocument } from "../../document/document.ts";
import { noOrigin } from "../../document/file-origin.ts";
import { formedText } from "../../files/formed-text.ts";
import { prefabPath, prefabsOf } from "../../files/prefab-lookup.ts";
import type { App } from "../app.ts";
import { refusePrefabs } from "../start-sharing.ts";
import { takeFromFile } from "./merge-actions.ts";
import { stopPlay } from "./play-actions.ts";

/** A prefab of the project, by the name that the document uses for it. */
function find(app: App, name: string): { readonly path: string; readonly text: string } | undefined {
  const path = prefabPath(app.project, name, app.document.file);
  const text = path === undefined ? undefined : app.project.prefabs[path];
  if (path !== undefined && text !== undefined) return { path, text };
  app.notes.say(app.t("prefab.missing", { name }), "error");
  return undefined;
}

/** Opens a prefab in front of the scene; `closePrefab` goes back. */
export function openPrefab(app: App, name: string): void {
  if (refusePrefabs(app)) return;
  stopPlay(app);
  const found = find(app, name);
  if (found === undefined) return;
  showPrefab(app, found.path, found.text);
}

/**
 * Opens the text of a prefab in front of the open document.
 *
 * @param base - The text in the project if it differs from `text`, for restored work.
 */
export function showPrefab(app: App, path: string, text: string, base = text): EditorDocument | undefined {
  const { format } = app.document;
  const opened = app.notes.attempt(() =>
    openDocument(format, text, { title: path, file: path, prefabs: prefabsOf(() => app.project) }),
  );
  if (opened === undefined) return undefined;
  opened.origin = { ...noOrigin, text: base };
  app.documents.behind.push(app.document);
  app.show(opened);
  return opened;
}

/** Goes back to the scene. Changes of the prefab arrive there as one step. */
export function closePrefab(app: App): void {
  const scene = app.documents.behind.at(-1);
  if (scene === undefined || !savePrefab(app)) return;
  app.documents.behind.pop();
  app.show(scene);
}

/** Makes the changes of the prefab in front a step of the scene behind it. `false` when it is refused; the user is informed why. */
export function savePrefab(app: App): boolean {
  const scene = app.documents.behind.at(-1);
  const { document: prefab } = app;
  if (scene === undefined || !prefab.isDirty) return true;
  const { title } = prefab;
  const now = app.project.prefabs[title];
  if (now !== undefined && prefab.origin.text !== now) {
    app.notes.say(app.t("merge.refused", { name: title }), "error", {
      label: app.t("merge.merge"),
      run: () => takeFromFile(app, prefab, { text: now, version: undefined }),
    });
    return false;
  }
  const isDone = app.notes.attempt(() => {
    const { text } = formedText(prefab, app.project.prefabs[title], prefab.save());
    change(app, scene, title, text, app.t("step.prefab", { name: title }));
    return true;
  });
  if (isDone !== true) return false;
  prefab.origin = { ...noOrigin, text: app.project.prefabs[title] };
  prefab.marks.save();
  app.notes.say(app.t("file.saved", { name: title }));
  return true;
}

/**
 * Makes changes of an instance part of its prefab, and reports it: its file is written at once. Other instances follow.
 *
 * @param overrides - Some of `instance.overrides()`; all but the instance's own name and transform if left out.
 */
export function applyToPrefab(app: App, instance: Instance, overrides?: readonly Override[]): void {
  if (refusePrefabs(app)) return;
  const { document } = app;
  const found = find(app, instance.prefab);
  if (found === undefined) return;
  app.notes.attempt(() => {
    const { format, prefabs } = document;
    const prefab = format.prefab(found.text, { file: found.path, prefabs, unknown: "keep" });
    const reading = { format, prefabs, file: found.path };
    const before = instance.overrides().length;
    applyOverrides(document, prefab, instance, {
      label: app.t("step.apply", { name: instance.prefab }),
      before: found.text,
      write: (text) => replacePrefab(app, found.path, formedText(reading, found.text, text).text),
      ...(overrides === undefined ? {} : { overrides }),
    });
    const count = before - instance.overrides().length;
    if (count > 0) app.notes.say(app.t("prefab.applied", { count, name: found.path }));
  });
}

function change(
  app: App,
  document: EditorDocument,
  path: string,
  after: string,
  label: string,
  before = app.project.prefabs[path] ?? after,
): void {
  changePrefab(document, {
    label,
    before,
    after,
    write: (text) => replacePrefab(app, path, text),
    prefabs: prefabsOf(() => app.project),
  });
}

/** A prefab changed on disk: its instances follow on request, as a step. */
export async function prefabChangedOnDisk(app: App, path: string): Promise<void> {
  if ((await otherText(app, path)) === undefined) return;
  if (app.sharing?.isShared(app.documents.outermost) === true) {
    app.notes.say(app.t("share.prefabChanged", { name: path }), "error");
    return;
  }
  app.notes.say(app.t("file.changedOnDisk", { name: path }), "info", {
    label: app.t("file.reload"),
    run: () => void reloadFromDisk(app, path),
  });
}

/** The text of a prefab's file, if it differs from the one in the editor. */
async function otherText(app: App, path: string): Promise<string | undefined> {
  const { files } = app;
  if (files === undefined || app.project.prefabs[path] === undefined) return undefined;
  const text = (await files.read(path).catch(() => undefined))?.text;
  return text === app.project.prefabs[path] ? undefined : text;
}

/** Reads it again: it may have changed once more since the message. */
async function reloadFromDisk(app: App, path: string): Promise<void> {
  const text = await otherText(app, path);
  if (text === undefined) return;
  stopPlay(app);
  app.notes.attempt(() => reloadPrefab(app, path, text));
}

/** Reloads it in every open document, including that of the prefab itself when it is edited in place. */
function reloadPrefab(app: App, path: string, text: string): void {
  const before = app.project.prefabs[path] ?? text;
  const label = app.t("step.reload");
  for (const document of app.documents.all) {
    if (document.file === path) takeFromFile(app, document, { text, version: undefined });
    else change(app, document, path, text, label, before);
  }
}

/** Stores the text of a prefab, and writes its file if it has one. */
export function replacePrefab(app: App, name: string, text: string): void {
  const before = app.project.prefabs[name];
  app.project = { ...app.project, prefabs: { ...app.project.prefabs, [name]: text } };
  // Samples have no files.
  if (app.documents.origin.path === undefined || app.files === undefined) return;
  // One after the other: undo and redo may follow each other faster than files are written.
  app.documents.writing = app.documents.writing
    .then(() => writePrefab(app, name, before, text))
    .catch((error: unknown) => app.notes.fail(error));
}

/** Writes the file, unless its content differs from what the editor knew. */
async function writePrefab(app: App, path: string, before: string | undefined, text: string): Promise<void> {
  const { files } = app;
  if (before === undefined) {
    // A version that no file has: an existing file is not overwritten.
    await files?.write(path, text, "none");
    return;
  }
  const found = await files?.read(path).catch(() => undefined);
  if (found?.text === text) return;
  if (found !== undefined && found.text !== before) {
    throw new Error(app.t("file.notWritten", { name: path }));
  }
  await files?.write(path, text, found?.version);
}
