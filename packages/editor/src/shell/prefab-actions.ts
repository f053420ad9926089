/**
 * Prefabs from inside a scene: editing one in place, and making changes of an instance part of it.
 */
import type { Instance } from "espalier/scene";
import { reloadScene } from "../commands/reload-scene.ts";
import { openDocument } from "../document/document.ts";
import type { App } from "./app.ts";

/** The text of a prefab of the project. */
function textOf(app: App, name: string): string | undefined {
  const text = app.project.prefabs[name];
  if (text === undefined) app.say(`The project has no prefab ${name}.`, "error");
  return text;
}

/** Opens a prefab in front of the scene; `closePrefab` goes back. */
export function openPrefab(app: App, name: string): void {
  const text = textOf(app, name);
  if (text === undefined) return;
  const { format } = app.document;
  const opened = app.attempt(() =>
    openDocument(format, text, { title: name, file: name, prefabs: app.project.prefabs }),
  );
  if (opened === undefined) return;
  app.behind.push(app.document);
  app.show(opened);
}

/** Goes back to the scene. What changed in the prefab arrives there as one step. */
export function closePrefab(app: App): void {
  const scene = app.behind.pop();
  if (scene === undefined) return;
  const prefab = app.document;
  if (prefab.isDirty) {
    const text = app.attempt(() => prefab.save());
    if (text === undefined) {
      app.behind.push(scene);
      return;
    }
    replacePrefab(app, prefab.title, text);
    app.attempt(() => reloadScene(scene, scene.save(), { prefabs: app.project.prefabs }));
  }
  app.show(scene);
}

/** Makes all changes of an instance part of its prefab. Other instances follow. */
export function applyToPrefab(app: App, instance: Instance): void {
  const { document } = app;
  const text = textOf(app, instance.prefab);
  if (text === undefined) return;
  app.attempt(() => {
    const { format, prefabs } = document;
    const prefab = format.prefab(text, { file: instance.prefab, prefabs, unknown: "keep" });
    const next = prefab.apply(instance).save();
    const scene = document.save();
    replacePrefab(app, instance.prefab, next);
    reloadScene(document, scene, { prefabs: app.project.prefabs });
  });
}

function replacePrefab(app: App, name: string, text: string): void {
  app.project = { ...app.project, prefabs: { ...app.project.prefabs, [name]: text } };
  void app.files?.write(name, text, undefined).catch((error: Error) => app.say(error.message, "error"));
}
