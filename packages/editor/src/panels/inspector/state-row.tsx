/** Own and effective state side by side: visible, active, z. */
import type { Entity } from "espalier";
import { Visibility, ZIndex } from "espalier/inherit";
import type { ReactNode } from "react";
import { isOwnActive, toggleActive } from "../../commands/state/toggle-active.ts";
import { toggleVisibility } from "../../commands/state/toggle-visibility.ts";
import { useApp } from "../../shell/use-app.ts";
import { useLiveValue } from "./use-live-value.ts";

export function StateRow({ entities }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  const { document } = app;
  const { world } = document;
  const last = entities.at(-1) as Entity;
  const modes = ["state.inherit", "state.visible", "state.hidden"] as const;
  const [mode, isVisible, isOwnOn, isOn, ownZ, z] = useLiveValue(
    app,
    entities,
    () =>
      [
        world.get(last, Visibility)?.mode ?? 0,
        document.visible.of(last),
        isOwnActive(document, last),
        document.active.of(last),
        world.get(last, ZIndex)?.z ?? 0,
        document.depth.of(last),
      ] as const,
    (a, b) => a.every((value, k) => Object.is(value, b[k])),
  );
  /** Side by side: what it says itself, and what follows with its parents. */
  const both = (own: string | number, effective: string | number) => (
    <small>
      {app.t("inspector.own", { value: own })} · {app.t("inspector.effective", { value: effective })}
    </small>
  );
  const onOff = (isIt: boolean) => app.t(isIt ? "state.on" : "state.off");
  return (
    <div className="esp-states" style={{ padding: "0 10px 8px" }}>
      <button
        type="button"
        className="esp-state"
        data-state="visible"
        onClick={() => app.attempt(() => toggleVisibility(document, entities))}
      >
        <b>{app.t("inspector.visible")}</b>
        {both(app.t(modes[mode] ?? "state.inherit"), app.t(isVisible ? "state.yes" : "state.no"))}
      </button>
      <button
        type="button"
        className="esp-state"
        data-state="active"
        onClick={() => app.attempt(() => toggleActive(document, entities))}
      >
        <b>{app.t("inspector.active")}</b>
        {both(onOff(isOwnOn), onOff(isOn))}
      </button>
      <span className="esp-state" data-state="z">
        <b>{app.t("inspector.depth")}</b>
        {both(ownZ, z)}
      </span>
    </div>
  );
}
