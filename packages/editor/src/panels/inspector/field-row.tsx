/** One field of a component: its label, its input, its error, and whether it differs from a prefab. */
import { fieldTypeOf } from "espalier";
import { memo, type ReactNode } from "react";
import { spaced } from "../../document/values/number-style.ts";
import { type NumberProps, useScrub } from "./inputs/number-input.tsx";
import { ValueInput } from "./inputs/value-input.tsx";
import { NestedField } from "./nested/nested-field.tsx";
import { type FieldProps, isSameField, useField } from "./use-field.tsx";

/** Re-rendered when it would show something else, or when the app changes. */
export const FieldRow = memo(function FieldRow(props: FieldProps): ReactNode {
  const { component, entities, state, override, isChanged } = props;
  const { name, field, isMixed } = state;
  const { valueKind } = fieldTypeOf(field);
  const { isNumber, angle, value, read, step, error, revert, openMenu, onChange, onEach, onList, onEnd } =
    useField(props);
  const numeric: NumberProps = {
    label: name,
    value: value as number,
    step,
    ...(isNumber ? { read } : {}),
    onChange,
    onEnd,
  };
  const scrub = useScrub(numeric);
  if (valueKind === "object") {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the menu key opens the same menu
      <div
        onContextMenu={openMenu}
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
      onContextMenu={openMenu}
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
          onList={onList}
          onEnd={onEnd}
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
}, isSameField);
