/** Own and effective state side by side: visible, active, z. */
import type { Entity } from "espalier";
import { Visibility, ZIndex } from "espalier/inherit";
import type { ReactNode } from "react";
import { isOwnActive, toggleActive } from "../../commands/state/toggle-active.ts";
import { toggleVisibility } from "../../commands/state/toggle-visibility.ts";
import { useApp } from "../../shell/use-app.ts";
import { useLiveValue } from "./use-live-value.ts";

export interface StateProps {
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
}

export function StateRow({ entities, compared }: StateProps): ReactNode {
  const app = useApp();
  const { document } = app;
  const { world } = document;
  const modes = ["state.inherit", "state.visible", "state.hidden"] as const;
  const yesNo = (isIt: boolean) => app.t(isIt ? "state.yes" : "state.no");
  const onOff = (isIt: boolean) => app.t(isIt ? "state.on" : "state.off");
  /** The common value of all entities as text. */
  const common = <Value,>(read: (entity: Entity) => Value, word: (value: Value) => string): string => {
    const value = read(compared.at(-1) as Entity);
    return compared.every((entity) => Object.is(read(entity), value))
      ? word(value)
      : app.t("inspector.mixed");
  };
  const [ownVisible, visible, ownActive, active, ownZ, z] = useLiveValue(
    app,
    compared,
    () =>
      [
        common(
          (one) => world.get(one, Visibility)?.mode ?? 0,
          (value) => app.t(modes[value] ?? "state.inherit"),
        ),
        common((one) => document.visible.of(one), yesNo),
        common((one) => isOwnActive(document, one), onOff),
        common((one) => document.active.of(one), onOff),
        common((one) => world.get(one, ZIndex)?.z ?? 0, String),
        common((one) => document.depth.of(one), String),
      ] as const,
    (a, b) => a.every((value, k) => value === b[k]),
  );
  const inWords = (own: string, effective: string): string => {
    if (own === effective) return effective;
    if (own !== app.t("state.inherit")) return app.t("inspector.ownAndEffective", { own, effective });
    return effective === app.t("state.yes") ? effective : app.t("inspector.byParent", { effective });
  };
  /** Side by side: its own value, and the effective one. */
  const both = (own: string, effective: string) => <small>{inWords(own, effective)}</small>;
  return (
    <div className="esp-states" style={{ padding: "0 6px 8px 10px" }}>
      <button
        type="button"
        className="esp-state"
        data-state="visible"
        onClick={() => app.notes.attempt(() => toggleVisibility(document, entities))}
      >
        <b>{app.t("inspector.visible")}</b>
        {both(ownVisible, visible)}
      </button>
      <button
        type="button"
        className="esp-state"
        data-state="active"
        onClick={() => app.notes.attempt(() => toggleActive(document, entities))}
      >
        <b>{app.t("inspector.active")}</b>
        {both(ownActive, active)}
      </button>
      <span className="esp-state" data-state="z">
        <b>{app.t("inspector.depth")}</b>
        {both(ownZ, z)}
      </span>
    </div>
  );
}
