/** One field of a component: its label, its input, its error, and whether it differs from a prefab. */
import { type AnyComponent, type Entity, fieldTypeOf, type ValueKind } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { type ReactNode, useState } from "react";
import { revertOverride } from "../commands/revert-override.ts";
import { setField } from "../commands/set-field.ts";
import { seal } from "../document/edit.ts";
import type { FieldState } from "../document/field-values.ts";
import { Button } from "../shell/button.tsx";
import { icons } from "../shell/icons.tsx";
import { useApp } from "../shell/use-app.ts";
import { type NumberProps, useScrub } from "./number-input.tsx";
import { ValueInput } from "./value-input.tsx";

export interface FieldRowProps {
  readonly component: AnyComponent;
  readonly entities: readonly Entity[];
  readonly state: FieldState;
  readonly override: { readonly instance: Instance; readonly override: Override } | undefined;
}

/** Radians in the world, degrees for people. */
const DEGREES = 180 / Math.PI;
const isAngle = (name: string) => /^(rotation|angle)$/i.test(name);

export function FieldRow({ component, entities, state, override }: FieldRowProps): ReactNode {
  const app = useApp();
  const { name, field, isMixed } = state;
  const [error, setError] = useState<string | undefined>();
  const { valueKind } = fieldTypeOf(field);
  const isNumber = typeof state.value === "number" && field.names === undefined && valueKind !== "entity";
  const isColor = (field as { format?: string }).format === "color";
  const angle = isNumber && isAngle(name);
  const value = angle ? (state.value as number) * DEGREES : state.value;
  const onChange = (next: unknown, key: string | undefined) => {
    try {
      const stored = angle ? (next as number) / DEGREES : next;
      setField(app.document, entities, component, name, stored, key === undefined ? {} : { key });
      setError(undefined);
    } catch (refused) {
      setError((refused as Error).message);
    }
  };
  const step = stepOf(valueKind, name, angle);
  const numeric: NumberProps = {
    label: name,
    value: value as number,
    step,
    onChange,
    onEnd: () => seal(app.document),
  };
  const scrub = useScrub(numeric);
  const isWide = valueKind === "object";
  return (
    <div
      className={`esp-field ${isWide ? "wide" : ""}`}
      data-field={`${component.name}.${name}`}
      data-override={override !== undefined}
      data-changed={app.watch?.wasFieldChanged(entities, component) ?? false}
    >
      <span
        className={`label ${isNumber && !isColor ? "scrub" : ""}`}
        title={`${component.name}.${name}`}
        {...(isNumber && !isColor ? scrub : {})}
      >
        {spaced(name)}
      </span>
      <div className="value">
        <ValueInput
          label={`${component.name} ${name}`}
          field={field}
          value={value}
          isMixed={isMixed}
          step={step}
          unit={angle ? "°" : undefined}
          error={error}
          onChange={onChange}
          onEnd={() => seal(app.document)}
        />
        {override === undefined ? null : (
          <Button
            label={`${app.t("inspector.revert")}: ${name}`}
            icon={icons.undo}
            onClick={() =>
              app.attempt(() => revertOverride(app.document, override.instance, override.override))
            }
          />
        )}
      </div>
      {error === undefined ? null : (
        <div className="error" role="alert">
          {error}
        </div>
      )}
    </div>
  );
}

function stepOf(kind: ValueKind, name: string, angle: boolean): number {
  if (angle) return 1;
  if (/scale|alpha|skew|anchor|opacity/i.test(name)) return 0.01;
  return kind === "number" ? 0.5 : 1;
}

/** `scaleX` as `scale x`. */
function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
}
