/** Yes or no. */
import type { ReactNode } from "react";
import type { SimpleProps } from "./simple-props.ts";

export function FlagInput({ label, value, isMixed, onChange }: SimpleProps<unknown>): ReactNode {
  return (
    <input
      type="checkbox"
      className="esp-checkbox"
      aria-label={label}
      checked={value === true}
      ref={(box) => {
        if (box !== null) box.indeterminate = isMixed;
      }}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
