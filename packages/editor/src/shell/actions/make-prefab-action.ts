/** Makes a prefab of the selection: a file of the project, and an instance that replaces the selection. */
import { topmost } from "espalier/hierarchy";
import { prefabText, replaceByInstance } from "../../commands/scene/make-prefab.ts";
import { groupEntities } from "../../commands/tree/group-entities.ts";
import { prefabsOf, referenceTo } from "../../files/prefab-lookup.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { replacePrefab } from "./prefab-actions.ts";
import { hasSelection, selected } from "./selected.ts";

/** Several entities first become children of a new parent, which is then the root of the prefab. */
function makePrefab(app: App): void {
  const { document } = app;
  const tops = topmost(document.tree, selected(app));
  const root = tops.length > 1 ? app.notes.attempt(() => groupEntities(document, tops)) : tops[0];
  if (root === undefined) return;
  app.notes.attempt(() => {
    const path = freePath(app, document.label(root));
    const text = prefabText(document, root);
    replacePrefab(app, path, text);
    const prefabs = prefabsOf(() => app.project);
    replaceByInstance(document, root, referenceTo(path, document.file), prefabs);
    app.notes.say(app.t("prefab.made", { name: path }));
  });
}

/** Beside the other prefabs, or beside the scene, under a name that no prefab has. */
function freePath(app: App, label: string): string {
  const { project, document } = app;
  const folder = project.prefabFolder ?? (document.file ?? "").split("/").slice(0, -1).join("/");
  const name = label.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "") || "prefab";
  const pathOf = (number: number) =>
    `${folder === "" ? "" : `${folder}/`}${name}${number === 1 ? "" : `-${number}`}.prefab.json`;
  let number = 1;
  while (project.prefabs[pathOf(number)] !== undefined) number++;
  return pathOf(number);
}

export const makePrefabAction: Action = {
  id: "make-prefab",
  group: "Arrange",
  isEnabled: hasSelection,
  whyNot: (app) => {
    if (app.isLive) return app.t("refuse.livePrefab");
    if (app.sharing?.isShared(app.documents.outermost) === true) return app.t("share.noPrefabs");
    if (app.documents.play !== undefined) return app.t("refuse.whilePlaying");
    const isServed = app.project.isServed === true;
    return isServed && app.documents.origin.path === undefined ? app.t("refuse.saveFirst") : undefined;
  },
  run: makePrefab,
};
