/** The input for a field of a component that holds no object, by its kind. */
import { type Entity, type Field, fieldTypeOf } from "espalier";
import type { ReactNode } from "react";
import { DEGREES, isAngle, stepOf } from "../../../document/values/number-style.ts";
import type { Item, ListEdit } from "../../../document/values/reference-list.ts";
import { ChoiceInput } from "./choice-input.tsx";
import { ColorInput } from "./color-input.tsx";
import { FlagInput } from "./flag-input.tsx";
import { NumberInput, type NumberProps } from "./number-input.tsx";
import { ReferenceInput } from "./reference-input.tsx";
import { ReferencesInput } from "./references-input.tsx";
import { TextInput } from "./text-input.tsx";

export interface ValueProps {
  readonly label: string;
  readonly field: Field;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly step: number;
  readonly unit: string | undefined;
  readonly error: string | undefined;
  /** Reads the current number in a live world. */
  readonly read: NumberProps["read"];
  readonly onChange: (value: unknown, key: string | undefined) => void;
  /** Changes each selected entity relative to its own value. */
  readonly onEach?: NumberProps["onEach"] | undefined;
  /** Changes a part of the list of each selected entity, as it is then: a game may have changed it since it was shown. */
  readonly onList?: ((change: ListEdit, key: string | undefined) => void) | undefined;
  readonly onEnd: () => void;
}

export function ValueInput(props: ValueProps): ReactNode {
  const { label, field, value, isMixed, error, onChange, onEnd } = props;
  const set = (next: unknown) => {
    onChange(next, undefined);
    onEnd();
  };
  const { valueKind } = fieldTypeOf(field);
  const simple = { label, isMixed, onChange: set };
  if (field.names !== undefined) {
    const values = valueKind === "choice" ? field.names : field.names.map((_, k) => k);
    return <ChoiceInput {...simple} value={value} values={values} names={field.names} />;
  }
  if ((field as { format?: string }).format === "color") return <ColorInput {...props} />;
  switch (valueKind) {
    case "boolean":
      return <FlagInput {...simple} value={value} />;
    case "string":
      return <TextInput {...simple} value={String(value)} />;
    case "entity":
      return <ReferenceInput {...simple} value={value as Entity | null} />;
    case "entities":
      return (
        <ReferencesInput
          label={label}
          isMixed={isMixed}
          value={value as readonly Item[]}
          onChange={(change) => {
            props.onList?.(change, undefined);
            onEnd();
          }}
          data={field.data}
          input={({ label, name, field, value, setting }) => {
            const factor = isAngle(name) && typeof value === "number" ? DEGREES : 1;
            return (
              <ValueInput
                label={label}
                field={field}
                value={factor === 1 ? value : (value as number) * factor}
                isMixed={false}
                step={stepOf(name, fieldTypeOf(field).valueKind !== "number")}
                unit={factor === 1 ? undefined : "°"}
                error={undefined}
                read={undefined}
                onChange={(next, key) =>
                  props.onList?.(setting(factor === 1 ? next : (next as number) / factor), key)
                }
                onEnd={onEnd}
              />
            );
          }}
        />
      );
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
          {...(props.onEach === undefined ? {} : { onEach: props.onEach })}
          {...(props.read === undefined ? {} : { read: props.read })}
        />
      );
  }
}
