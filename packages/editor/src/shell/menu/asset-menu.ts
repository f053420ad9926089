/** The menu of an asset of the project. */
import { prefabPath, referenceTo } from "../../files/prefab-lookup.ts";
import { addToSelected, replaceSelected, selectedSprites, useTexture } from "../actions/asset-actions.ts";
import { openPrefab } from "../actions/prefab-actions.ts";
import { copyPlain, selectInstances } from "../actions/select-actions.ts";
import type { App } from "../app.ts";
import type { MenuGroups } from "./menu-item.ts";

/** @param path - The path of the prefab in the project. */
export function prefabGroups(app: App, path: string): MenuGroups {
  const { file } = app.document;
  const name = referenceTo(path, file);
  return [
    [
      {
        label: app.t("menu.addAsset"),
        shortcut: "Enter",
        run: () => addToSelected(app, { kind: "prefab", name }),
      },
      {
        label: app.t("menu.replaceByPrefab"),
        disabled: whyNotReplace(app),
        run: () => replaceSelected(app, name),
      },
      { label: app.t("inspector.openPrefab"), run: () => openPrefab(app, name) },
    ],
    [
      {
        label: app.t("menu.selectInstances"),
        run: () => selectInstances(app, (prefab) => prefabPath(app.project, prefab, file) === path),
      },
      { label: app.t("menu.copyName"), run: () => void copyPlain(app, name) },
    ],
  ];
}

function whyNotReplace(app: App): string | undefined {
  return app.document.selection.size === 0 ? app.t("refuse.nothingSelected") : undefined;
}

export function soundGroups(app: App, name: string): MenuGroups {
  return [
    [
      {
        label: app.t("menu.addAsset"),
        shortcut: "Enter",
        run: () => addToSelected(app, { kind: "sound", name }),
      },
    ],
    [{ label: app.t("menu.copyName"), run: () => void copyPlain(app, name) }],
  ];
}

export function imageGroups(app: App, name: string): MenuGroups {
  const hasSprite = selectedSprites(app).length > 0;
  return [
    [
      {
        label: app.t("menu.addAsset"),
        shortcut: "Enter",
        run: () => addToSelected(app, { kind: "image", name }),
      },
      {
        label: app.t("menu.useTexture"),
        disabled: hasSprite ? undefined : app.t("refuse.noSprite"),
        run: () => useTexture(app, name),
      },
    ],
    [{ label: app.t("menu.copyName"), run: () => void copyPlain(app, name) }],
  ];
}
