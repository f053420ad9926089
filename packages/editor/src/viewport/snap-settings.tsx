/** What a drag snaps to: the grid, an angle, and the edges of other entities. */
import { type ReactNode, useState } from "react";
import { NumberInput } from "../panels/inspector/inputs/number-input.tsx";
import { Button } from "../shell/button.tsx";
import { icons } from "../shell/icons.tsx";
import { useAppItself, useAppValue } from "../shell/use-app.ts";

export function SnapSettings(): ReactNode {
  const app = useAppItself();
  const snap = useAppValue(({ view }) => view.settings.snap);
  const [isOpen, setOpen] = useState(false);
  const set = (change: Partial<typeof snap>) => app.view.set({ snap: { ...snap, ...change } });
  return (
    <>
      <Button
        label={app.t("snap.settings")}
        icon={icons.twistOpen}
        expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <fieldset
          className="esp-snap"
          aria-label={app.t("snap.settings")}
          onKeyDown={(event) => {
            if (event.key === "Escape") setOpen(false);
          }}
        >
          {(["grid", "angle"] as const).map((name) => (
            <div key={name} className="esp-field">
              <span className="label">{app.t(`snap.${name}`)}</span>
              <div className="value">
                <NumberInput
                  label={app.t(`snap.${name}`)}
                  value={snap[name]}
                  onChange={(value) => set({ [name]: Math.max(0, value) })}
                  onEnd={() => {}}
                  {...(name === "angle" ? { unit: "°" } : {})}
                />
              </div>
            </div>
          ))}
          <label>
            <input
              type="checkbox"
              checked={snap.edges}
              onChange={(event) => set({ edges: event.target.checked })}
            />
            {app.t("snap.edges")}
          </label>
          <small>{app.t("snap.hint")}</small>
        </fieldset>
      ) : null}
    </>
  );
}
