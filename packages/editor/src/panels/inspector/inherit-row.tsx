/** Which parts of a transform an entity takes from its parent. */
import type { Entity } from "espalier";
import { InheritTransform } from "espalier/transform";
import type { ReactNode } from "react";
import { setInherit } from "../../commands/transform/set-inherit.ts";
import { useApp } from "../../shell/use-app.ts";

const parts = ["position", "rotation", "scale"] as const;

export function InheritRow({ entities }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  const { world } = app.document;
  const last = entities.at(-1);
  const mask = last === undefined ? undefined : world.get(last, InheritTransform);
  const { position, rotation, scale } = { position: true, rotation: true, scale: true, ...mask };
  const values = { position, rotation, scale };
  return (
    <div className="esp-field">
      <span className="label">{app.t("inspector.inherits")}</span>
      <div className="value" style={{ flexWrap: "wrap" }}>
        {parts.map((part) => (
          <label key={part} className="esp-axis" title={app.t(`transform.${part}`)}>
            <input
              type="checkbox"
              className="esp-checkbox"
              checked={values[part]}
              onChange={(event) =>
                app.attempt(() =>
                  setInherit(app.document, entities, { ...values, [part]: event.target.checked }),
                )
              }
            />
            {app.t(`transform.${part}.short`)}
          </label>
        ))}
      </div>
    </div>
  );
}
