/** A colour: a number 0xrrggbb, or a string "#rrggbb". */
import type { ReactNode } from "react";
import { useApp } from "../../../shell/use-app.ts";

export interface ColorProps {
  readonly label: string;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onChange: (value: unknown, key: string | undefined) => void;
  readonly onEnd: () => void;
}

/** Returns the same kind that it was given. All choices until the field loses the focus are one step. */
export function ColorInput({ label, value, isMixed, onChange, onEnd }: ColorProps): ReactNode {
  const app = useApp();
  const isText = typeof value === "string";
  const text = isText ? value : `#${(Number(value) & 0xffffff).toString(16).padStart(6, "0")}`;
  return (
    <>
      <input
        type="color"
        className="esp-color"
        aria-label={label}
        value={text}
        onChange={({ target }) =>
          onChange(isText ? target.value : Number.parseInt(target.value.slice(1), 16), `color ${label}`)
        }
        onBlur={onEnd}
      />
      <span className="esp-code">{isMixed ? app.t("inspector.mixed") : text}</span>
    </>
  );
}
