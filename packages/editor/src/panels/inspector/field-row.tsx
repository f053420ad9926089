/** One field of a component: its label, its input, its error, and whether it differs from a prefab. */
import { type AnyComponent, type Entity, fieldTypeOf } from "espalier";
import type { Instance, Override } from "espalier/scene";
import { memo, type ReactNode, useState } from "react";
import { changeNumber } from "../../commands/components/change-number.ts";
import { setField } from "../../commands/components/set-field.ts";
import { revertOverride } from "../../commands/scene/revert-override.ts";
import { seal } from "../../document/edit.ts";
import { plainMessage } from "../../document/plain-message.ts";
import { type FieldState, isShownAsNumber, numberOver } from "../../document/values/field-values.ts";
import { inUnit } from "../../document/values/number-change.ts";
import { DEGREES, isAngle, spaced, stepOf } from "../../document/values/number-style.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { fieldGroups } from "../../shell/menu/field-menu.ts";
import { useApp } from "../../shell/use-app.ts";
import { type NumberProps, useScrub } from "./inputs/number-input.tsx";
import { ValueInput } from "./inputs/value-input.tsx";
import { NestedField } from "./nested/nested-field.tsx";

export interface FieldRowProps {
  readonly component: AnyComponent;
  /** Those that are written. */
  readonly entities: readonly Entity[];
  /** Those whose values are shown. */
  readonly compared: readonly Entity[];
  readonly state: FieldState;
  readonly override: { readonly instance: Instance; readonly override: Override } | undefined;
  readonly isChanged: boolean;
}

/** Drawn again when it would show something else, or when the app changes. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps): ReactNode {
  const { component, entities, compared, state, override, isChanged } = props;
  const app = useApp();
  const { name, field, isMixed } = state;
  const [error, setError] = useState<string | undefined>();
  const { valueKind } = fieldTypeOf(field);
  const isNumber = isShownAsNumber(state);
  const angle = isNumber && isAngle(name);
  const factor = angle ? DEGREES : 1;
  const value = angle ? (state.value as number) * factor : state.value;
  const read = () => numberOver(app.document, compared, component, name, factor);
  const onChange = (next: unknown, key: string | undefined) => {
    try {
      const stored = angle ? (next as number) / factor : next;
      setField(app.document, entities, component, name, stored, key === undefined ? {} : { key });
      setError(undefined);
    } catch (refused) {
      setError(plainMessage((refused as Error).message));
    }
  };
  const onEach = (change: (now: number) => number) => {
    try {
      changeNumber(app.document, entities, component, name, inUnit(change, factor));
      setError(undefined);
    } catch (refused) {
      setError(plainMessage((refused as Error).message));
    }
  };
  const step = stepOf(name, valueKind !== "number");
  const numeric: NumberProps = {
    label: name,
    value: value as number,
    step,
    ...(isNumber ? { read } : {}),
    onChange,
    onEnd: () => seal(app.document),
  };
  const scrub = useScrub(numeric);
  const revert =
    override === undefined ? null : (
      <Button
        label={`${app.t("inspector.revert")}: ${name}`}
        icon={icons.undo}
        onClick={() =>
          app.notes.attempt(() => revertOverride(app.document, override.instance, override.override))
        }
      />
    );
  const onContextMenu = (event: React.MouseEvent) => {
    event.preventDefault();
    const groups = fieldGroups(app, { component, entities, state, override });
    app.view.openMenu({ x: event.clientX, y: event.clientY, label: name, groups });
  };
  if (valueKind === "object") {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the menu key opens the same menu
      <div
        onContextMenu={onContextMenu}
        className="esp-field wide"
        data-field={`${component.name}.${name}`}
        data-override={override !== undefined}
        data-changed={isChanged}
      >
        <NestedField component={component} entities={entities} state={state} tools={revert} />
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu key opens the same menu
    <div
      onContextMenu={onContextMenu}
      className="esp-field"
      data-field={`${component.name}.${name}`}
      data-override={override !== undefined}
      data-changed={isChanged}
    >
      <span
        className={`label ${isNumber ? "scrub" : ""}`}
        title={`${component.name}.${name}`}
        {...(isNumber ? scrub : {})}
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
          read={isNumber ? read : undefined}
          onChange={onChange}
          onEach={isNumber ? onEach : undefined}
          onEnd={() => seal(app.document)}
        />
        {revert}
      </div>
      {error === undefined ? null : (
        <div className="error" role="alert">
          {error}
        </div>
      )}
    </div>
  );
}, isSameRow);

function isSameRow(a: FieldRowProps, b: FieldRowProps): boolean {
  return (
    a.component === b.component &&
    a.isChanged === b.isChanged &&
    a.override === undefined &&
    b.override === undefined &&
    a.entities.length === b.entities.length &&
    a.entities.every((entity, k) => entity === b.entities[k]) &&
    a.state.values.every((value, k) => Object.is(value, b.state.values[k]))
  );
}
