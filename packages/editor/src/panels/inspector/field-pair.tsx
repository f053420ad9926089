/** Two fields that belong together, such as `anchorX` and `anchorY`: one label, and an input for each axis. */
import { memo, type ReactNode } from "react";
import { stemOf } from "../../document/values/field-pairs.ts";
import { spaced } from "../../document/values/number-style.ts";
import { type NumberProps, useScrub } from "./inputs/number-input.tsx";
import { ValueInput } from "./inputs/value-input.tsx";
import { type FieldProps, isSameField, useField } from "./use-field.tsx";

interface PairProps {
  readonly x: FieldProps;
  readonly y: FieldProps;
}

/** Re-rendered when it would show something else, or when the app changes. */
export const FieldPair = memo(
  function FieldPair({ x, y }: PairProps): ReactNode {
    return (
      <div
        className="esp-field"
        data-override={x.override !== undefined || y.override !== undefined}
        data-changed={x.isChanged || y.isChanged}
      >
        <span className="label">{spaced(stemOf(x.state.name)) || "x, y"}</span>
        <div className="value">
          <div className="esp-pair">
            <Half axis="x" {...x} />
            <Half axis="y" {...y} />
          </div>
        </div>
      </div>
    );
  },
  (a, b) => isSameField(a.x, b.x) && isSameField(a.y, b.y),
);

function Half({ axis, ...props }: FieldProps & { readonly axis: "x" | "y" }): ReactNode {
  const { component, state, override } = props;
  const { name, field, isMixed } = state;
  const { isNumber, value, read, step, error, revert, openMenu, onChange, onEach, onEnd } = useField(props);
  const numeric: NumberProps = { label: name, value: value as number, step, read, onChange, onEnd };
  const scrub = useScrub(numeric);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu key opens the same menu
    <div
      className="esp-axis"
      data-field={`${component.name}.${name}`}
      data-override={override !== undefined}
      title={`${component.name}.${name}`}
      onContextMenu={openMenu}
    >
      <span className={axis} {...(isNumber ? scrub : {})} aria-hidden="true">
        {axis.toUpperCase()}
      </span>
      <ValueInput
        label={`${component.name} ${name}`}
        field={field}
        value={value}
        isMixed={isMixed}
        step={step}
        unit={undefined}
        error={error}
        read={isNumber ? read : undefined}
        onChange={onChange}
        onEach={isNumber ? onEach : undefined}
        onEnd={onEnd}
      />
      {revert}
      {error === undefined ? null : (
        <div className="esp-problem" role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
