/** A string, in one line or, if it is long, in several. */
import { type ReactNode, useState } from "react";
import { useApp } from "../../../shell/use-app.ts";
import type { SimpleProps } from "./simple-props.ts";

export function TextInput({ label, value, isMixed, onChange }: SimpleProps<string>): ReactNode {
  const app = useApp();
  const [draft, setDraft] = useState<string | undefined>();
  const isLong = value.includes("\n") || value.length > 60;
  const shared = {
    className: "esp-input",
    "aria-label": label,
    "data-settled": draft === undefined,
    placeholder: isMixed ? app.t("inspector.mixed") : undefined,
    value: draft ?? (isMixed ? "" : value),
    onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
    onBlur: () => {
      if (draft !== undefined && (draft !== value || isMixed)) onChange(draft);
      setDraft(undefined);
    },
  };
  if (isLong) return <textarea {...shared} rows={3} />;
  return (
    <input
      {...shared}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        else if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}
