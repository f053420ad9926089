/** The command palette: every action by name. */
import { Command } from "cmdk";
import type { Entity } from "espalier";
import { type ReactNode, useState } from "react";
import { search } from "../../document/tree/search.ts";
import { actions, shortcutFor, titleOf, whyDisabled } from "../actions/actions.ts";
import { shownShortcut } from "../actions/shortcuts.ts";
import type { App } from "../app.ts";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

const groups = ["Edit", "Arrange", "View", "Tools", "File", "Play", "Help"] as const;

/** Entities that are offered at most. */
const MOST_ENTITIES = 20;

export function Palette(): ReactNode {
  const app = useApp();
  const [text, setText] = useState("");
  const { document } = app;
  // One letter matches too much, and searches every entity.
  const entities =
    text.trim().length < 2 ? [] : (search(document, text)?.matches.slice(0, MOST_ENTITIES) ?? []);
  return (
    <Dialog title={app.t("palette.title")} bare>
      <Command className="esp-palette" label={app.t("palette.title")} filter={score}>
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={app.t("palette.placeholder")}
        />
        <Command.List>
          <Command.Empty>{app.t("palette.none")}</Command.Empty>
          {groups.map((group) => (
            <Command.Group key={group} heading={app.t(`group.${group}`)}>
              {actions
                .filter(
                  ({ id, isRepeat, ...action }) => action.group === group && id !== "palette" && !isRepeat,
                )
                .map((action) => {
                  const shortcut = shortcutFor(app, action);
                  const refused = whyDisabled(app, action);
                  return (
                    <Command.Item
                      key={action.id}
                      value={`${titleOf(app, action)} ${action.id}`}
                      disabled={refused !== undefined}
                      onSelect={() => {
                        app.view.open("none");
                        action.run(app);
                      }}
                    >
                      <span style={{ flex: 1 }}>{titleOf(app, action)}</span>
                      {refused === undefined || refused === "" ? null : <small>{refused}</small>}
                      {shortcut === undefined ? null : (
                        <kbd className="esp-kbd">{shownShortcut(shortcut)}</kbd>
                      )}
                    </Command.Item>
                  );
                })}
            </Command.Group>
          ))}
          {entities.length === 0 ? null : (
            <Command.Group heading={app.t("palette.entities")}>
              {entities.map((entity) => (
                <Command.Item
                  key={entity}
                  value={`entity ${entity}`}
                  // Found by the search of the tree, which understands paths and components too.
                  keywords={[text]}
                  onSelect={() => {
                    app.view.open("none");
                    document.selection.replace([entity]);
                    app.view.reveal(entity);
                  }}
                >
                  <span style={{ flex: 1 }}>{document.label(entity)}</span>
                  <small>{pathTo(app, entity)}</small>
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** Every word must match; values that begin with the text come first. */
function score(value: string, text: string, keywords: readonly string[] = []): number {
  const all = `${value} ${keywords.join(" ")}`.toLowerCase();
  const wanted = text.trim().toLowerCase();
  if (!wanted.split(/\s+/).every((word) => all.includes(word))) return 0;
  return all.startsWith(wanted) ? 1 : 0.5;
}

/** The nearest ancestors: the whole path of a deep entity is longer than the window. */
function pathTo({ document }: App, entity: Entity): string {
  const names: string[] = [];
  for (let up = document.tree.parentOf(entity); up !== null; up = document.tree.parentOf(up)) {
    if (names.length === 3) return `… › ${names.join(" › ")}`;
    names.unshift(document.label(up));
  }
  return names.join(" › ");
}
