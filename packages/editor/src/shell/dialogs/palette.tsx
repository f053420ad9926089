/** The command palette: every action by name. */
import { Command } from "cmdk";
import type { ReactNode } from "react";
import { actions, shortcutFor, titleOf, whyDisabled } from "../actions/actions.ts";
import { shownShortcut } from "../actions/shortcuts.ts";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

const groups = ["Edit", "Arrange", "View", "Tools", "File", "Play", "Help"] as const;

export function Palette(): ReactNode {
  const app = useApp();
  return (
    <Dialog title={app.t("palette.title")} bare>
      <Command className="esp-palette" label={app.t("palette.title")}>
        <Command.Input autoFocus placeholder={app.t("palette.placeholder")} />
        <Command.List>
          <Command.Empty>{app.t("palette.none")}</Command.Empty>
          {groups.map((group) => (
            <Command.Group key={group} heading={app.t(`group.${group}`)}>
              {actions
                .filter((action) => action.group === group && action.id !== "palette")
                .map((action) => {
                  const shortcut = shortcutFor(app, action);
                  return (
                    <Command.Item
                      key={action.id}
                      value={`${titleOf(app, action)} ${action.id}`}
                      disabled={whyDisabled(app, action) !== undefined}
                      onSelect={() => {
                        app.view.open("none");
                        action.run(app);
                      }}
                    >
                      <span style={{ flex: 1 }}>{titleOf(app, action)}</span>
                      {shortcut === undefined ? null : (
                        <kbd className="esp-kbd">{shownShortcut(shortcut)}</kbd>
                      )}
                    </Command.Item>
                  );
                })}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
