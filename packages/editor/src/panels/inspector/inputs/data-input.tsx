/** Any plain data as text: the alternative to the inputs for objects and lists. */
import { type ReactNode, useState } from "react";
import { useApp } from "../../../shell/use-app.ts";
import type { SimpleProps } from "./simple-props.ts";

/** Objects and lists as JSON, checked while it is typed. */
export function DataInput({ label, value, isMixed, onChange }: SimpleProps<unknown>): ReactNode {
  const app = useApp();
  const [draft, setDraft] = useState<string | undefined>();
  const text = isMixed ? "" : asText(value);
  const error = draft === undefined ? undefined : jsonError(draft);
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <textarea
        className="esp-input esp-code"
        aria-label={label}
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        placeholder={isMixed ? app.t("inspector.mixed") : undefined}
        value={draft ?? text}
        spellCheck={false}
        {...(error === undefined ? {} : { "aria-invalid": true })}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          if (draft !== undefined && error === undefined && draft !== text) onChange(JSON.parse(draft));
          if (error === undefined) setDraft(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") setDraft(undefined);
        }}
      />
      {error === undefined ? null : <div className="error">{error}</div>}
    </div>
  );
}

function asText(value: unknown): string {
  try {
    const text = JSON.stringify(value, null, 1) ?? "null";
    return text.length < 60 ? text.replace(/\s*\n\s*/g, " ") : text;
  } catch {
    return String(value);
  }
}

function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
