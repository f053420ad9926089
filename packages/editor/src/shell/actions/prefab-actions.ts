/**
 * Prefabs from inside a scene: editing one in place, and making changes of an instance part of it.
 */
import type { Instance } from "espalier/scene";
import { changePrefab } from "../../commands/scene/change-prefab.ts";
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
    const next = prefab.apply(instance).save();
    change(app, document, found.path, next, app.t("step.apply", { name: instance.prefab }));
  });
}

function change(app: App, document: EditorDocument, path: string, after: string, label: string): void {
  changePrefab(document, {
    label,
    before: app.project.prefabs[path] ?? after,
    after,
    write: (text) => replacePrefab(app, path, text),
    prefabs: prefabsOf(() => app.project),
  });
}

function replacePrefab(app: App, name: string, text: string): void {
  app.project = { ...app.project, prefabs: { ...app.project.prefabs, [name]: text } };
  // Samples have no files.
  if (app.origin.path === undefined) return;
  void app.files?.write(name, text, undefined).catch((error: Error) => app.say(error.message, "error"));
}
