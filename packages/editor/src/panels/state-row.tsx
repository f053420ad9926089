/** Own and effective state side by side: visible, active, z. */
import type { Entity } from "espalier";
import { Active, Visibility, ZIndex } from "espalier/inherit";
import type { ReactNode } from "react";
import { toggleVisibility } from "../commands/toggle-visibility.ts";
import { edit } from "../document/edit.ts";
import { useApp } from "../shell/use-app.ts";

export function StateRow({ entities }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  const { document } = app;
  const { world } = document;
  const last = entities.at(-1) as Entity;
  const modes = ["inherit", "visible", "hidden"];
  const ownMode = world.get(last, Visibility)?.mode ?? 0;
  const ownActive = world.get(last, Active)?.on ?? true;
  const ownZ = world.get(last, ZIndex)?.z ?? 0;
  const toggleActive = () =>
    app.attempt(() =>
      edit(document, ownActive ? "Deactivate" : "Activate", () => {
        for (const entity of entities) world.add(entity, Active({ on: !ownActive }));
      }),
    );
  return (
    <div className="esp-states" style={{ padding: "0 10px 8px" }}>
      <button
        type="button"
        className="esp-state"
        data-state="visible"
        onClick={() => app.attempt(() => toggleVisibility(document, entities))}
      >
        <b>{app.t("inspector.visible")}</b>
        <small>
          {app.t("inspector.own")} {modes[ownMode]} · {app.t("inspector.effective")}{" "}
          {document.visible.of(last) ? "yes" : "no"}
        </small>
      </button>
      <button type="button" className="esp-state" data-state="active" onClick={toggleActive}>
        <b>{app.t("inspector.active")}</b>
        <small>
          {app.t("inspector.own")} {ownActive ? "on" : "off"} · {app.t("inspector.effective")}{" "}
          {document.active.of(last) ? "on" : "off"}
        </small>
      </button>
      <span className="esp-state" data-state="z">
        <b>{app.t("inspector.depth")}</b>
        <small>
          {app.t("inspector.own")} {ownZ} · {app.t("inspector.effective")} {document.depth.of(last)}
        </small>
      </span>
    </div>
  );
}
