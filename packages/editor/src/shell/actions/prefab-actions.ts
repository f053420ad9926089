/**
 * Prefabs from inside a scene: editing one in place, and making changes of an instance part of it.
 */
import type { Instance } from "espalier/scene";
import { applyOverrides } from "../../commands/scene/apply-overrides.ts";
import { changePrefab } from "../../commands/scene/change-prefab.ts";
import { reloadScene } from "../../commands/scene/reload-scene.ts";
import { type EditorDocument, openDocument } from "../../document/document.ts";
import { prefabPath, prefabsOf } from "../../files/prefab-lookup.ts";
import type { App } from "../app.ts";
import { stopPlay } from "./play-actions.ts";

/** A prefab of the project, by the name that the document refers to it. */
function find(app: App, name: string): { readonly path: string; readonly text: string } | undefined {
  const path = prefabPath(app.project, name, app.document.file);
  const text = path === undefined ? undefined : app.project.prefabs[path];
  if (path !== undefined && text !== undefined) return { path, text };
  app.say(app.t("prefab.missing", { name }), "error");
  return undefined;
}

/** Opens a prefab in front of the scene; `closePrefab` goes back. */
export function openPrefab(app: App, name: string): void {
  stopPlay(app);
  const found = find(app, name);
  if (found === undefined) return;
  showPrefab(app, found.path, found.text);
}

/** Opens the text of a prefab in front of what is open. */
export function showPrefab(app: App, path: string, text: string): EditorDocument | undefined {
  const { format } = app.document;
  const opened = app.attempt(() =>
    openDocument(format, text, { title: path, file: path, prefabs: prefabsOf(() => app.project) }),
  );
  if (opened === undefined) return undefined;
  app.behind.push(app.document);
  app.show(opened);
  return opened;
}

/** Goes back to the scene. What changed in the prefab arrives there as one step. */
export function closePrefab(app: App): void {
  const scene = app.behind.at(-1);
  if (scene === undefined || !savePrefab(app)) return;
  app.behind.pop();
  app.show(scene);
}

/** Makes what changed in the prefab in front a step of the scene behind it. `false` when it is refused; the user is told why. */
export function savePrefab(app: App): boolean {
  const scene = app.behind.at(-1);
  const { document: prefab } = app;
  if (scene === undefined || !prefab.isDirty) return true;
  const { title } = prefab;
  const isDone = app.attempt(() => {
    change(app, scene, title, prefab.save(), app.t("step.prefab", { name: title }));
    return true;
  });
  if (isDone !== true) return false;
  prefab.marks.save();
  app.say(app.t("file.saved", { name: title }));
  return true;
}

/** Makes all changes of an instance part of its prefab. Other instances follow. */
export function applyToPrefab(app: App, instance: Instance): void {
  const { document } = app;
  const found = find(app, instance.prefab);
  if (found === undefined) return;
  app.attempt(() => {
    const { format, prefabs } = document;
    const prefab = format.prefab(found.text, { file: found.path, prefabs, unknown: "keep" });
    applyOverrides(document, prefab, instance, {
      label: app.t("step.apply", { name: instance.prefab }),
      before: found.text,
      write: (text) => replacePrefab(app, found.path, text),
    });
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
  app.say(app.t("file.changedOnDisk", { name: path }), "info", {
    label: app.t("file.reload"),
    run: () => void reloadFromDisk(app, path),
  });
}

/** The text of a prefab's file, where it is not the one that the editor has. */
async function otherText(app: App, path: string): Promise<string | undefined> {
  const { files } = app;
  if (files === undefined || app.project.prefabs[path] === undefined) return undefined;
  const text = (await files.read(path).catch(() => undefined))?.text;
  return text === app.project.prefabs[path] ? undefined : text;
}

/** Reads it again: it may have changed once more since that was said. */
async function reloadFromDisk(app: App, path: string): Promise<void> {
  const text = await otherText(app, path);
  if (text === undefined) return;
  stopPlay(app);
  app.attempt(() => reloadPrefab(app, path, text));
}

/** In every document that is open, and in the one of the prefab itself when it is edited in place. */
function reloadPrefab(app: App, path: string, text: string): void {
  const before = app.project.prefabs[path] ?? text;
  const label = app.t("step.reload");
  for (const document of app.openDocuments) {
    if (document.file === path) reloadScene(document, text, { label });
    else change(app, document, path, text, label, before);
  }
}

function replacePrefab(app: App, name: string, text: string): void {
  const before = app.project.prefabs[name];
  app.project = { ...app.project, prefabs: { ...app.project.prefabs, [name]: text } };
  // Samples have no files.
  if (app.origin.path === undefined || app.files === undefined) return;
  // One after the other: undo and redo may follow each other faster than files are written.
  app.writing = app.writing
    .then(() => writePrefab(app, name, before, text))
    .catch((error: Error) => app.say(error.message, "error"));
}

/** Writes the file, unless it holds something else by now than the editor knew. */
async function writePrefab(app: App, path: string, before: string | undefined, text: string): Promise<void> {
  const { files } = app;
  const found = await files?.read(path).catch(() => undefined);
  if (found?.text === text) return;
  if (found !== undefined && found.text !== before) {
    throw new Error(app.t("file.notWritten", { name: path }));
  }
  await files?.write(path, text, found?.version);
}
