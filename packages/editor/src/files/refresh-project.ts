/**
 * The lists of scenes, prefabs and images, brought up to date when files come, go or change in the folder of the project.
 */
import { instanceOf } from "espalier/scene";
import type { App } from "../shell/app.ts";
import { prefabPath } from "./prefab-lookup.ts";
import type { Project } from "./project.ts";

/** Loads the images of a project that are new or have changed, and forgets those that are gone. */
export function loadImages(app: App, before: Project["images"], images: Project["images"]): void {
  const known = new Map(before.map(({ name, url }) => [name, url]));
  for (const { name, url } of images) {
    if (known.get(name) !== url) void app.textures.load(name, url).catch(() => {});
    known.delete(name);
  }
  for (const name of known.keys()) app.textures.remove(name);
}

/**
 * Asks the server again. A sample that is open is no project of the server's, and stays as it is.
 *
 * @returns the paths of scenes and prefabs that are there; nothing if there is no server.
 */
export async function refreshProject(app: App): Promise<ReadonlySet<string> | undefined> {
  if (app.files === undefined || !app.project.isServed) return undefined;
  const { scenes, prefabs, images, sounds = [] } = await app.files.project();
  const found = new Set([...scenes, ...Object.keys(prefabs)]);
  const before = app.project;
  const used = usedPrefabs(app);
  const kept: { [path: string]: string } = {};
  for (const [path, text] of Object.entries(prefabs)) {
    // Another text of one that is known is offered to the user, and not taken without a word.
    kept[path] = before.prefabs[path] ?? text;
  }
  for (const [path, text] of Object.entries(before.prefabs)) if (used.has(path)) kept[path] = text;
  const next = { ...before, scenes, prefabs: kept, images, sounds };
  if (JSON.stringify(next) === JSON.stringify(before)) return found;
  loadImages(app, before.images, images);
  app.project = next;
  app.changed();
  return found;
}

/** Back to the folder that the server serves, when a sample was looked at. */
export async function returnToProject(app: App): Promise<void> {
  if (app.files === undefined || app.project.isServed === true) return;
  const {
    components: _,
    open: __,
    play: ___,
    module: ____,
    share: _____,
    ...project
  } = await app.files.project();
  loadImages(app, app.project.images, project.images);
  app.project = { ...project, isServed: true };
}

/** The prefabs that an open document has instances of: it needs their texts, also when their files are gone. */
function usedPrefabs(app: App): Set<string> {
  const used = new Set<string>();
  for (const { world, tree, file } of app.documents.all) {
    for (const entity of world.entities()) {
      const name = instanceOf(tree, entity)?.prefab;
      const path = name === undefined ? undefined : prefabPath(app.project, name, file);
      if (path !== undefined) used.add(path);
    }
  }
  return used;
}
