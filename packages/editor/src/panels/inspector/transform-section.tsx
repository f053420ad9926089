/** Position, rotation and scale: relative to the parent, or in the world. Both can be edited. */
import type { Entity } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { type ReactNode, useState } from "react";
import { revertOverrides } from "../../commands/scene/revert-override.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { useApp } from "../../shell/use-app.ts";
import { InheritRow } from "./inherit-row.tsx";
import { SpaceSwitch } from "./space-switch.tsx";
import { AxisNumber, LabelledNumber, type LocalField, type NumbersOf } from "./transform-number.tsx";
import { useLiveValue } from "./use-live-value.ts";

export interface TransformProps {
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
  /** The override of a field; `undefined` if it equals the prefab. */
  readonly overrideOf: (
    field: string,
  ) => { readonly instance: Instance; readonly override: Override } | undefined;
}

type Part = "position" | "rotation" | "scale" | "skew";

export function TransformSection({ entities, compared, overrideOf }: TransformProps): ReactNode {
  const app = useApp();
  const { document } = app;
  const isWorld = app.view.settings.inspectorSpace === "world";
  const [error, setError] = useState<string | undefined>();
  const of: NumbersOf = { entities, compared, isWorld, onError: setError };
  /** Reverts fields to the prefab, if one of them differs. */
  const revertOf = (...fields: readonly LocalField[]): (() => void) | undefined => {
    const overrides = fields.flatMap((field) => overrideOf(field) ?? []);
    if (overrides.length === 0) return undefined;
    return () => void app.notes.attempt(() => revertOverrides(document, overrides));
  };
  return (
    <>
      <SpaceSwitch />
      <Pair part="position" of={of} fields={["x", "y"]} revert={revertOf("x", "y")} />
      <Single part="rotation" of={of} unit="°" revert={revertOf("rotation")} />
      <Pair part="scale" of={of} fields={["scaleX", "scaleY"]} revert={revertOf("scaleX", "scaleY")} />
      {isWorld ? null : <Single part="skew" of={of} revert={revertOf("skew")} />}
      <InheritRow entities={entities} compared={compared} />
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

interface PartProps<P extends Part> {
  readonly part: P;
  readonly of: NumbersOf;
  readonly revert: (() => void) | undefined;
}

/** Whether one of the fields changed recently in a live world. */
function useIsChanged({ compared }: NumbersOf, fields: readonly LocalField[]): boolean {
  const app = useApp();
  return useLiveValue(app, compared, () =>
    fields.some((field) => app.live.watch?.wasFieldChanged(compared, Transform2D, field) === true),
  );
}

function Pair(
  props: PartProps<"position" | "scale"> & { readonly fields: readonly [LocalField, LocalField] },
): ReactNode {
  const { part, of, fields, revert } = props;
  const app = useApp();
  const isChanged = useIsChanged(of, fields);
  return (
    <div
      className="esp-field"
      data-field={part}
      data-override={revert !== undefined}
      data-changed={isChanged}
    >
      <span className="label">{app.t(`transform.${part}`)}</span>
      <div className="value">
        <div className="esp-pair">
          <AxisNumber of={of} field={fields[0]} />
          <AxisNumber of={of} field={fields[1]} />
        </div>
        <RevertButton part={part} revert={revert} />
      </div>
    </div>
  );
}

function Single(props: PartProps<"rotation" | "skew"> & { readonly unit?: string }): ReactNode {
  const { part, of, revert, unit } = props;
  const app = useApp();
  const isChanged = useIsChanged(of, [part]);
  return (
    <div
      className="esp-field"
      data-field={part}
      data-override={revert !== undefined}
      data-changed={isChanged}
    >
      <LabelledNumber
        of={of}
        field={part}
        label={app.t(`transform.${part}`)}
        {...(unit === undefined ? {} : { unit })}
      >
        <RevertButton part={part} revert={revert} />
      </LabelledNumber>
    </div>
  );
}

function RevertButton({ part, revert }: Pick<PartProps<Part>, "part" | "revert">): ReactNode {
  const app = useApp();
  if (revert === undefined) return null;
  const label = `${app.t("inspector.revert")}: ${app.t(`transform.${part}`)}`;
  return <Button label={label} icon={icons.undo} onClick={revert} />;
}
