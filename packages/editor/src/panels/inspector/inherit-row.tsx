/** Which parts of a transform an entity inherits from its parent. */
import type { Entity } from "espalier";
import { InheritTransform } from "espalier/transform";
import type { ReactNode } from "react";
import { setInherit } from "../../commands/transform/set-inherit.ts";
import { useApp } from "../../shell/use-app.ts";

const parts = ["position", "rotation", "scale"] as const;

export interface InheritProps {
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
}

export function InheritRow({ entities, compared }: InheritProps): ReactNode {
  const app = useApp();
  const { world } = app.document;
  const masks = compared.map((entity) => world.get(entity, InheritTransform));
  const isOn = (part: (typeof parts)[number], mask: (typeof masks)[number]) => mask?.[part] ?? true;
  return (
    <div className="esp-field">
      <span className="label">{app.t("inspector.inherits")}</span>
      <div className="value" style={{ flexWrap: "wrap" }}>
        {parts.map((part) => (
          <label key={part} className="esp-axis" title={app.t(`transform.${part}`)}>
            <input
              type="checkbox"
              className="esp-checkbox"
              checked={isOn(part, masks.at(-1))}
              ref={(box) => {
                if (box !== null)
                  box.indeterminate = masks.some((mask) => isOn(part, mask) !== isOn(part, masks.at(-1)));
              }}
              onChange={(event) =>
                app.notes.attempt(() => setInherit(app.document, entities, part, event.target.checked))
              }
            />
            {app.t(`transform.${part}.short`)}
          </label>
        ))}
      </div>
    </div>
  );
}
