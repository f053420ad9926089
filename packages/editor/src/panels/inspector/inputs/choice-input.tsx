/** One of several values, by their names. */
import type { ReactNode } from "react";
import { useApp } from "../../../shell/use-app.ts";
import type { SimpleProps } from "./simple-props.ts";

export interface ChoiceProps extends SimpleProps<unknown> {
  readonly values: readonly unknown[];
  readonly names: readonly string[];
}

export function ChoiceInput({ label, value, isMixed, values, names, onChange }: ChoiceProps): ReactNode {
  const app = useApp();
  const at = values.indexOf(value);
  return (
    <select
      className="esp-input"
      aria-label={label}
      value={isMixed || at < 0 ? "" : String(at)}
      onChange={(event) => onChange(values[Number(event.target.value)])}
    >
      {isMixed || at < 0 ? <option value="">{isMixed ? app.t("inspector.mixed") : "–"}</option> : null}
      {names.map((name, k) => (
        <option key={name} value={k}>
          {name}
        </option>
      ))}
    </select>
  );
}
