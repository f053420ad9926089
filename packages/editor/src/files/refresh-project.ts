/**
 * Updates the lists of scenes, prefabs and images when files in the folder of the project are added, removed or changed.
 */
import { instanceOf } from "espalier/scene";
import type { App } from "../shell/app.ts";
import { prefabPath } from "./prefab-lookup.ts";
import type { Project } from "./project.ts";

/** Loads the images of a project that are new or have changed, and forgets removed ones. */
export function loadImages(app: App, before: Project["images"], images: Project["images"]): void {
  const known = new Map(before.map(({ name, url }) => [name, url]));
  for (const { name, url } of images) {
    if (known.get(name) !== url) void app.textures.load(name, url).catch(() => {});
    known.delete(name);
  }
  for (const name of known.keys()) app.textures.remove(name);
}

/**
 * Lists the files of the server again. An open sample is not a project of the server, and stays as it is.
 *
 * @returns the paths of the existing scenes and prefabs; `undefined` if there is no server.
 */
export async function refreshProject(app: App): Promise<ReadonlySet<string> | undefined> {
  if (app.files === undefined || !app.project.isServed) return undefined;
  const { scenes, prefabs, images, sounds = [] } = await app.files.project();
  const found = new Set([...scenes, ...Object.keys(prefabs)]);
  const before = app.project;
  const used = usedPrefabs(app);
  const kept: { [path: string]: string } = {};
  for (const [path, text] of Object.entries(prefabs)) {
    // A changed text of a known prefab is offered to the user, not taken over silently.
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

/** Returns from a sample to the folder that the server serves. */
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

/** The prefabs that an open document has instances of: it needs their texts, even when their files were deleted. */
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
