/** Inputs for the kinds of values a component can hold. */
import { type Entity, type Field, fieldTypeOf } from "espalier";
import { type ReactNode, useState } from "react";
import { icons } from "../shell/icons.tsx";
import { useApp } from "../shell/use-app.ts";
import { NumberInput } from "./number-input.tsx";

export interface ValueProps {
  readonly label: string;
  readonly field: Field;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly step: number;
  readonly unit: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: unknown, key: string | undefined) => void;
  readonly onEnd: () => void;
}

/** The input for a field, by its kind. */
export function ValueInput(props: ValueProps): ReactNode {
  const { label, field, value, isMixed, error, onChange, onEnd } = props;
  const app = useApp();
  const set = (next: unknown) => {
    onChange(next, undefined);
    onEnd();
  };
  const { valueKind } = fieldTypeOf(field);
  if (field.names !== undefined) {
    const values = valueKind === "choice" ? field.names : field.names.map((_, k) => k);
    return (
      <select
        className="esp-input"
        aria-label={label}
        value={isMixed ? "" : String(values.indexOf(value as never))}
        onChange={(event) => set(values[Number(event.target.value)])}
      >
        {isMixed ? <option value="">{app.t("inspector.mixed")}</option> : null}
        {field.names.map((name, k) => (
          <option key={name} value={k}>
            {name}
          </option>
        ))}
      </select>
    );
  }
  if ((field as { format?: string }).format === "color") return <ColorInput {...props} />;
  switch (valueKind) {
    case "boolean":
      return (
        <input
          type="checkbox"
          className="esp-checkbox"
          aria-label={label}
          checked={value === true}
          ref={(box) => {
            if (box !== null) box.indeterminate = isMixed;
          }}
          onChange={(event) => set(event.target.checked)}
        />
      );
    case "string":
      return <TextInput label={label} value={String(value)} isMixed={isMixed} onChange={set} />;
    case "entity":
      return <ReferenceInput label={label} value={value as Entity | null} isMixed={isMixed} onChange={set} />;
    case "object":
      return <DataInput label={label} value={value} isMixed={isMixed} onChange={set} />;
    default:
      return (
        <NumberInput
          label={label}
          value={value as number}
          isMixed={isMixed}
          step={props.step}
          error={error}
          onChange={onChange}
          onEnd={onEnd}
          {...(props.unit === undefined ? {} : { unit: props.unit })}
        />
      );
  }
}

interface SimpleProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly isMixed: boolean;
  readonly onChange: (value: unknown) => void;
}

function TextInput({ label, value, isMixed, onChange }: SimpleProps<string>): ReactNode {
  const app = useApp();
  const [draft, setDraft] = useState<string | undefined>();
  const isLong = value.includes("\n") || value.length > 60;
  const shared = {
    className: "esp-input",
    "aria-label": label,
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

function ColorInput({ label, value, onChange, onEnd }: ValueProps): ReactNode {
  const text = `#${((value as number) & 0xffffff).toString(16).padStart(6, "0")}`;
  return (
    <>
      <input
        type="color"
        className="esp-color"
        aria-label={label}
        value={text}
        onChange={(event) => onChange(Number.parseInt(event.target.value.slice(1), 16), `color ${label}`)}
        onBlur={onEnd}
      />
      <span className="esp-code">{text}</span>
    </>
  );
}

function ReferenceInput({ label, value, isMixed, onChange }: SimpleProps<Entity | null>): ReactNode {
  const app = useApp();
  const { document } = app;
  const isThere = value !== null && document.world.isAlive(value);
  return (
    <>
      <button
        type="button"
        className="esp-input"
        style={{ textAlign: "left" }}
        aria-label={label}
        disabled={!isThere}
        onClick={() => isThere && document.selection.replace([value])}
      >
        {isMixed ? app.t("inspector.mixed") : isThere ? document.label(value) : app.t("inspector.none")}
      </button>
      <button
        type="button"
        className="esp-button icon"
        aria-label={`${label}: ${app.t("inspector.pick")}`}
        title={app.t("inspector.pick")}
        aria-pressed={app.picking !== undefined}
        onClick={() => app.pick((entity) => onChange(entity))}
      >
        {icons.pick}
      </button>
      {isThere ? (
        <button
          type="button"
          className="esp-button icon"
          aria-label={`${label}: ${app.t("inspector.clear")}`}
          onClick={() => onChange(null)}
        >
          {icons.close}
        </button>
      ) : null}
    </>
  );
}

/** Objects and lists as JSON, checked while it is typed. */
function DataInput({ label, value, isMixed, onChange }: SimpleProps<unknown>): ReactNode {
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
