/** Position, rotation and scale: as seen from the parent, or in the world. Both can be edited. */
import type { Entity } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { InheritTransform, Transform2D } from "espalier/transform";
import { type ReactNode, useState } from "react";
import { setField } from "../../commands/components/set-field.ts";
import { revertOverride } from "../../commands/scene/revert-override.ts";
import { setInherit } from "../../commands/transform/set-inherit.ts";
import { setWorldValue, type WorldField } from "../../commands/transform/set-world-value.ts";
import { seal } from "../../document/edit.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { useApp } from "../../shell/use-app.ts";
import { AxisInput } from "./inputs/axis-input.tsx";
import { NumberInput, type NumberProps, useScrub } from "./inputs/number-input.tsx";

const DEGREES = 180 / Math.PI;
type LocalField = WorldField | "skew";

export interface TransformProps {
  /** Those that are written. */
  readonly entities: readonly Entity[];
  /** Those whose values are shown. */
  readonly compared: readonly Entity[];
  /** How a field differs from the prefab; nothing where it does not. */
  readonly overrideOf: (
    field: string,
  ) => { readonly instance: Instance; readonly override: Override } | undefined;
}

export function TransformSection({ entities, compared, overrideOf }: TransformProps): ReactNode {
  const app = useApp();
  const { document, settings } = app;
  const isWorld = settings.inspectorSpace === "world";
  const [error, setError] = useState<string | undefined>();
  const read = (entity: Entity, field: LocalField): number => {
    const { space } = document;
    if (!isWorld) return space.localOf(entity)[field];
    if (field === "x" || field === "y") return space.worldOf(entity)[field];
    if (field === "rotation") return space.worldRotation(entity);
    const scale = space.lossyScale(entity);
    return field === "scaleX" ? scale.x : field === "scaleY" ? scale.y : scale.skew;
  };
  const numeric = (field: LocalField): NumberProps => {
    const factor = field === "rotation" ? DEGREES : 1;
    const values = compared.map((entity) => read(entity, field));
    const value = (values.at(-1) ?? 0) * factor;
    return {
      label: `${app.t(isWorld ? "inspector.world" : "inspector.local")} ${field}`,
      value,
      isMixed: values.some((one) => one !== values.at(-1)),
      step: field === "x" || field === "y" ? 1 : field === "rotation" ? 1 : 0.01,
      onChange: (next, key) => {
        const options = key === undefined ? {} : { key };
        try {
          if (isWorld && field !== "skew") setWorldValue(document, entities, field, next / factor, options);
          else setField(document, entities, Transform2D, field, next / factor, options);
          setError(undefined);
        } catch (refused) {
          setError((refused as Error).message);
        }
      },
      onEnd: () => seal(document),
    };
  };
  /** What takes fields back to the prefab, where one of them differs. */
  const revertOf = (...fields: readonly LocalField[]): (() => void) | undefined => {
    const overrides = fields.flatMap((field) => overrideOf(field) ?? []);
    if (overrides.length === 0) return undefined;
    return () =>
      void app.attempt(() => {
        for (const { instance, override } of overrides) revertOverride(document, instance, override);
      });
  };
  return (
    <>
      <div className="esp-field">
        <span className="label">{app.t("inspector.space")}</span>
        <div className="value">
          <span className="esp-segment">
            {(["local", "world"] as const).map((space) => (
              <button
                key={space}
                type="button"
                className="esp-button"
                aria-pressed={settings.inspectorSpace === space}
                onClick={() => app.set({ inspectorSpace: space })}
              >
                {app.t(space === "local" ? "inspector.local" : "inspector.world")}
              </button>
            ))}
          </span>
        </div>
      </div>
      <Pair part="position" x={numeric("x")} y={numeric("y")} revert={revertOf("x", "y")} />
      <Single part="rotation" unit="°" number={numeric("rotation")} revert={revertOf("rotation")} />
      <Pair part="scale" x={numeric("scaleX")} y={numeric("scaleY")} revert={revertOf("scaleX", "scaleY")} />
      {isWorld ? null : <Single part="skew" number={numeric("skew")} revert={revertOf("skew")} />}
      <InheritRow entities={entities} />
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

function Pair({
  part,
  x,
  y,
  revert,
}: {
  readonly part: "position" | "scale";
  readonly x: NumberProps;
  readonly y: NumberProps;
  readonly revert: (() => void) | undefined;
}): ReactNode {
  const app = useApp();
  return (
    <div className="esp-field" data-field={part} data-override={revert !== undefined}>
      <span className="label">{app.t(`transform.${part}`)}</span>
      <div className="value">
        <div className="esp-pair">
          <AxisInput axis="x" number={x} />
          <AxisInput axis="y" number={y} />
        </div>
        <RevertButton part={part} revert={revert} />
      </div>
    </div>
  );
}

function Single({
  part,
  unit,
  number,
  revert,
}: {
  readonly part: "rotation" | "skew";
  readonly unit?: string;
  readonly number: NumberProps;
  readonly revert: (() => void) | undefined;
}): ReactNode {
  const app = useApp();
  const scrub = useScrub(number);
  return (
    <div className="esp-field" data-field={part} data-override={revert !== undefined}>
      <span className="label scrub" {...scrub}>
        {app.t(`transform.${part}`)}
      </span>
      <div className="value">
        <NumberInput {...number} {...(unit === undefined ? {} : { unit })} />
        <RevertButton part={part} revert={revert} />
      </div>
    </div>
  );
}

function RevertButton({
  part,
  revert,
}: {
  readonly part: "position" | "rotation" | "scale" | "skew";
  readonly revert: (() => void) | undefined;
}): ReactNode {
  const app = useApp();
  if (revert === undefined) return null;
  const label = `${app.t("inspector.revert")}: ${app.t(`transform.${part}`)}`;
  return <Button label={label} icon={icons.undo} onClick={revert} />;
}

const parts = ["position", "rotation", "scale"] as const;

function pick({ position, rotation, scale }: { position: boolean; rotation: boolean; scale: boolean }) {
  return { position, rotation, scale };
}

function InheritRow({ entities }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  const { world } = app.document;
  const last = entities.at(-1);
  const mask = last === undefined ? undefined : world.get(last, InheritTransform);
  const values = { position: true, rotation: true, scale: true, ...mask };
  return (
    <div className="esp-field">
      <span className="label">{app.t("inspector.inherits")}</span>
      <div className="value">
        {parts.map((part) => (
          <label key={part} className="esp-axis" title={app.t(`transform.${part}`)}>
            <input
              type="checkbox"
              className="esp-checkbox"
              checked={values[part]}
              onChange={(event) =>
                app.attempt(() =>
                  setInherit(app.document, entities, { ...pick(values), [part]: event.target.checked }),
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
