/**
 * Asks where to save a scene that has no file in the project yet.
 */
import { instanceOf } from "espalier/scene";
import { prefabPath } from "../../files/prefab-lookup.ts";
import type { App } from "../app.ts";

const endings = /\.(scene|prefab)\.jsonc?$/i;

/** Asks for a path in the project with a dialog. */
export function askPath(app: App, title: string): Promise<string | null | undefined> {
  // Asked again while the dialog is open: the first save is cancelled.
  app.view.asked?.answer(undefined);
  return new Promise((resolve) => {
    app.view.asked = {
      offered: freeName(
        app,
        endings.test(title) ? title : `${title.replace(/\.jsonc?$/i, "").toLowerCase()}.scene.json`,
      ),
      answer: (path) => {
        app.view.asked = undefined;
        app.view.open("none");
        resolve(path);
      },
    };
    app.view.open("save-as");
  });
}

/** The path itself, or the first numbered variant that no file has. */
function freeName({ project }: App, path: string): string {
  const [, start = path, end = ""] = /^(.*?)(\.(?:scene|prefab)\.jsonc?)$/i.exec(path) ?? [];
  const isTaken = (name: string) => project.scenes.includes(name) || project.prefabs[name] !== undefined;
  let free = path;
  for (let number = 2; isTaken(free); number++) free = `${start}-${number}${end}`;
  return free;
}

/** The typed path with the extension of scenes, or why it is invalid. */
export function pathFrom(app: App, typed: string): { readonly path: string } | { readonly refused: string } {
  const text = typed
    .trim()
    .replaceAll("\\", "/")
    .replace(/^\.?\//, "");
  if (text === "" || text.endsWith("/")) return { refused: app.t("saveAs.empty") };
  const path = endings.test(text) ? text : `${text.replace(/\.jsonc?$/i, "")}.scene.json`;
  const { scenes, prefabs } = app.project;
  if (scenes.includes(path) || prefabs[path] !== undefined) {
    return { refused: app.t("saveAs.taken", { name: path }) };
  }
  const lost = prefabLostAt(app, path);
  return lost === undefined ? { path } : { refused: app.t("saveAs.prefab", { name: lost }) };
}

/** A prefab of the scene whose name would lead elsewhere from that path, because prefab names are relative to the folder of the file. */
function prefabLostAt({ document, project }: App, path: string): string | undefined {
  const names = new Set<string>();
  for (const entity of document.world.entities()) {
    const instance = instanceOf(document.tree, entity);
    if (instance !== undefined) names.add(instance.prefab);
  }
  return [...names].find(
    (name) => prefabPath(project, name, path) !== prefabPath(project, name, document.file),
  );
}
