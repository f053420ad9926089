/** All shortcuts, which can be changed here, and what the mouse does. */
import { type ReactNode, useState } from "react";
import { actions, rebind, shortcutFor, titleOf } from "../actions/actions.ts";
import { shortcutOf, shownShortcut } from "../actions/shortcuts.ts";
import { Button } from "../button.tsx";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

const mouse = [
  "select",
  "behind",
  "add",
  "marquee",
  "pan",
  "zoom",
  "snap",
  "keepLocal",
  "rows",
  "ahead",
  "rename",
] as const;

export function Help(): ReactNode {
  const app = useApp();
  const [listening, listen] = useState<string | undefined>();
  const change = (id: string, shortcut: string) => {
    rebind(app, id, shortcut);
    listen(undefined);
  };
  return (
    <Dialog title={app.t("help.title")}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section className="content" tabIndex={0} aria-label={app.t("help.title")}>
        <p style={{ color: "var(--muted)", marginTop: 0 }}>{app.t("help.rebind")}</p>
        <div className="esp-keys">
          {mouse.map((what) => (
            <div key={what}>
              <span>{app.t(`mouse.${what}`)}</span>
              <kbd className="esp-kbd">{app.t(`mouse.${what}.how`)}</kbd>
            </div>
          ))}
          {actions.map((action) => {
            const shortcut = shortcutFor(app, action);
            return (
              <div key={action.id}>
                <span>{titleOf(app, action)}</span>
                <button
                  type="button"
                  className="esp-kbd"
                  aria-label={`${titleOf(app, action)}: ${shortcut === undefined ? app.t("inspector.none") : shownShortcut(shortcut)}`}
                  aria-pressed={listening === action.id}
                  onClick={() => listen(action.id)}
                  onBlur={() => listen(undefined)}
                  onKeyDown={(event) => {
                    if (
                      listening !== action.id ||
                      ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)
                    )
                      return;
                    event.preventDefault();
                    event.stopPropagation();
                    if (event.key === "Escape") listen(undefined);
                    else change(action.id, shortcutOf(event.nativeEvent));
                  }}
                >
                  {listening === action.id ? "…" : shortcut === undefined ? "–" : shownShortcut(shortcut)}
                </button>
              </div>
            );
          })}
        </div>
        <p>
          <Button
            label={app.t("help.reset")}
            className="solid"
            onClick={() => app.view.set({ shortcuts: {} })}
          />
        </p>
      </section>
    </Dialog>
  );
}
