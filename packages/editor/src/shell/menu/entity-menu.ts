/** The menu of entities: in the tree, and in the viewport. */
import type { Entity } from "espalier";
import { instanceOf } from "espalier/scene";
import { entityKinds } from "../../commands/tree/entity-kinds.ts";
import { createKind } from "../actions/create-actions.ts";
import { openPrefab } from "../actions/prefab-actions.ts";
import type { App } from "../app.ts";
import { actionItem } from "./action-item.ts";
import type { MenuGroups, MenuItem } from "./menu-item.ts";

/** The position in the world of a new entity; `undefined` for the origin of its parent. */
type Point = { readonly x: number; readonly y: number } | undefined;

/** Opens the menu of an entity, which becomes selected, or of none. */
export function openEntityMenu(
  app: App,
  event: Pick<React.MouseEvent, "clientX" | "clientY" | "preventDefault">,
  entity: Entity | undefined,
  at?: Point,
): void {
  event.preventDefault();
  const { selection, world } = app.document;
  const isThere = entity !== undefined && world.isAlive(entity);
  if (isThere && !selection.has(entity)) selection.replace([entity]);
  if (!isThere) selection.clear();
  app.view.openMenu({
    x: event.clientX,
    y: event.clientY,
    label: app.t("menu.title"),
    groups: isThere ? entityGroups(app, at) : emptyGroups(app, at),
  });
}

function createItem(app: App, at: Point): MenuItem {
  return {
    label: app.t("menu.create"),
    items: entityKinds.map((kind) => ({
      label: app.t(`entityKind.${kind}`),
      run: () => createKind(app, kind, at),
    })),
  };
}

function emptyGroups(app: App, at: Point): MenuGroups {
  return [
    [createItem(app, at), actionItem(app, "paste")],
    [actionItem(app, "select-all"), actionItem(app, "expand-all"), actionItem(app, "collapse-all")],
    [actionItem(app, "sort-view"), actionItem(app, "show-all")],
    [actionItem(app, "fit-all"), actionItem(app, "grid"), actionItem(app, "snap")],
  ];
}

function entityGroups(app: App, at: Point): MenuGroups {
  const { document } = app;
  const entity = document.selection.primary as Entity;
  const prefab = instanceOf(document.tree, entity)?.prefab;
  return [
    [
      createItem(app, at),
      { label: app.t("hierarchy.renameIt"), shortcut: "F2", run: () => app.view.rename(entity) },
    ],
    [
      actionItem(app, "cut"),
      actionItem(app, "copy"),
      actionItem(app, "paste"),
      actionItem(app, "paste-child"),
      actionItem(app, "duplicate"),
      actionItem(app, "delete"),
    ],
    [
      actionItem(app, "group", app.t("menu.wrap")),
      actionItem(app, "ungroup"),
      {
        label: app.t("menu.arrange"),
        items: [
          actionItem(app, "backward"),
          actionItem(app, "forward"),
          actionItem(app, "to-front"),
          actionItem(app, "to-back"),
          actionItem(app, "indent"),
          actionItem(app, "outdent"),
          actionItem(app, "make-root"),
          actionItem(app, "sort-children"),
        ],
      },
      {
        label: app.t("menu.select"),
        items: [
          actionItem(app, "select-children"),
          actionItem(app, "select-parent"),
          actionItem(app, "select-same-prefab"),
          actionItem(app, "select-referrers"),
        ],
      },
    ],
    prefab === undefined
      ? [actionItem(app, "make-prefab")]
      : [
          { label: app.t("inspector.openPrefab"), run: () => openPrefab(app, prefab) },
          actionItem(app, "unpack"),
        ],
    [
      actionItem(app, "show-branch"),
      actionItem(app, "collapse-siblings"),
      actionItem(app, "toggle-visibility"),
      actionItem(app, "toggle-lock"),
      actionItem(app, "fit"),
    ],
    [actionItem(app, "copy-path"), actionItem(app, "copy-json")],
  ];
}
