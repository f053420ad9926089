/** Position, rotation and scale in 3D: relative to the parent, or in the world. Euler angles are shown beside the quaternion. */
import type { Entity } from "espalier";
import { Transform3D } from "espalier/transform";
import { type ReactNode, useState } from "react";
import { type Field3D, readValues3D, setValue3D } from "../../commands/transform/set-value-3d.ts";
import { type EditOptions, seal } from "../../document/edit.ts";
import { plainMessage } from "../../document/plain-message.ts";
import { inUnit, type NumberChange } from "../../document/values/number-change.ts";
import { DEGREES } from "../../document/values/number-style.ts";
import { useApp } from "../../shell/use-app.ts";
import { AxisInput } from "./inputs/axis-input.tsx";
import type { NumberProps } from "./inputs/number-input.tsx";
import { SpaceSwitch } from "./space-switch.tsx";

const rows = [
  { part: "position", fields: ["x", "y", "z"] },
  { part: "rotation", fields: ["angleX", "angleY", "angleZ"] },
  { part: "scale", fields: ["scaleX", "scaleY", "scaleZ"] },
] as const;

export interface Transform3DProps {
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
}

export function Transform3DSection({ entities, compared }: Transform3DProps): ReactNode {
  const app = useApp();
  const { document } = app;
  const { space3D } = document;
  const isWorld = app.view.settings.inspectorSpace === "world";
  const [error, setError] = useState<string | undefined>();
  if (space3D === undefined) return null;
  const all = compared.map((entity) => readValues3D(space3D, entity, isWorld));
  const last = all.at(-1);
  const numberOf = (field: Field3D): NumberProps => {
    const factor = field.startsWith("angle") ? DEGREES : 1;
    const value = last?.[field] ?? 0;
    const write = (change: NumberChange, options: EditOptions) => {
      try {
        setValue3D(document, entities, field, inUnit(change, factor), isWorld, options);
        setError(undefined);
      } catch (refused) {
        setError(plainMessage((refused as Error).message));
      }
    };
    return {
      label: `${app.t(isWorld ? "inspector.world" : "inspector.local")} ${field}`,
      value: value * factor,
      isMixed: all.some((one) => !Object.is(one[field], value)),
      step: field.startsWith("scale") ? 0.01 : 1,
      onEach: (change) => write(change, {}),
      onChange: (next, key) => write(next, key === undefined ? {} : { key }),
      onEnd: () => seal(document),
    };
  };
  const quaternion =
    compared.length === 1 ? quaternionOf(app.document.world.get(compared[0] as Entity, Transform3D)) : "";
  return (
    <>
      <SpaceSwitch />
      {rows.map(({ part, fields }) => (
        <div key={part} className="esp-field esp-triple" data-field={`3d.${part}`}>
          <span className="label">
            {app.t(`transform.${part}`)}
            {part === "rotation" ? " °" : ""}
          </span>
          <div className="value">
            {fields.map((field, k) => (
              <AxisInput key={field} axis={(["x", "y", "z"] as const)[k] ?? "x"} number={numberOf(field)} />
            ))}
          </div>
        </div>
      ))}
      {quaternion === "" ? null : (
        <div className="esp-field">
          <span className="label">{app.t("transform.quaternion")}</span>
          <code className="esp-code">{quaternion}</code>
        </div>
      )}
      {error === undefined ? null : (
        <div className="esp-field wide">
          <div className="error" role="alert">
            {error}
          </div>
        </div>
      )}
    </>
  );
}

function quaternionOf(values: { readonly [field: string]: number } | undefined): string {
  const { qx = 0, qy = 0, qz = 0, qw = 1 } = values ?? {};
  return [qx, qy, qz, qw].map((one) => Number(one.toFixed(4))).join(", ");
}
