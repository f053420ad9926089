/** Selecting related entities, and copying their paths and ids. */
import type { Entity } from "espalier";
import { instanceOf, instancesIn, referencesTo } from "espalier/scene";
import { copyText } from "../../document/clipboard.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { hasSelection, selected } from "./selected.ts";

function prefabOfPrimary({ document }: App): string | undefined {
  const { primary } = document.selection;
  return primary === undefined ? undefined : instanceOf(document.tree, primary)?.prefab;
}

function select(app: App, entities: readonly Entity[]): void {
  if (entities.length === 0) app.notes.say(app.t("select.none"));
  else app.document.selection.replace(entities);
}

/** Selects all instances of a prefab. */
export function selectInstances(app: App, isWanted: (prefab: string) => boolean): void {
  select(
    app,
    instancesIn(app.document.tree)
      .filter(({ prefab }) => isWanted(prefab))
      .map(({ root }) => root),
  );
}

/** Copies a text to the clipboard, and confirms it. */
export async function copyPlain(app: App, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.notes.say(app.t("copy.done", { what: text.length > 60 ? `${text.slice(0, 57)}…` : text }));
  } catch {
    app.notes.say(app.t("copy.refused"), "error");
  }
}

export const selectActions: readonly Action[] = [
  {
    id: "select-children",
    group: "Edit",
    isEnabled: hasSelection,
    run: (app) =>
      select(
        app,
        selected(app).flatMap((entity) => app.document.tree.childrenOf(entity)),
      ),
  },
  {
    id: "select-parent",
    group: "Edit",
    isEnabled: hasSelection,
    run: (app) =>
      select(app, [...new Set(selected(app).flatMap((entity) => app.document.tree.parentOf(entity) ?? []))]),
  },
  {
    id: "select-same-prefab",
    group: "Edit",
    isEnabled: (app) => prefabOfPrimary(app) !== undefined,
    run: (app) => {
      const wanted = prefabOfPrimary(app);
      selectInstances(app, (prefab) => prefab === wanted);
    },
  },
  {
    id: "select-referrers",
    group: "Edit",
    isEnabled: hasSelection,
    run: (app) => {
      const { world } = app.document;
      const from = selected(app).flatMap((entity) => referencesTo(world, entity).map((one) => one.entity));
      select(app, [...new Set(from)]);
    },
  },
  {
    id: "copy-path",
    group: "Edit",
    isEnabled: hasSelection,
    run: (app) =>
      void copyPlain(
        app,
        selected(app)
          .map((entity) => app.document.tree.pathOf(entity))
          .join("\n"),
      ),
  },
  {
    id: "copy-json",
    group: "Edit",
    isEnabled: hasSelection,
    run: (app) => {
      const text = app.notes.attempt(() => copyText(app.document, selected(app)));
      if (text !== undefined) void copyPlain(app, text);
    },
  },
];
