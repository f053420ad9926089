/** A value inside a field, by its form: a row with an input, an object with members, a list of items. */
import type { ReactNode } from "react";
import { isMixed } from "../../../document/values/field-values.ts";
import { formOf, isNullable } from "../../../document/values/value-form.ts";
import { Button } from "../../../shell/button.tsx";
import { icons } from "../../../shell/icons.tsx";
import { useApp } from "../../../shell/use-app.ts";
import { ChoiceInput } from "../inputs/choice-input.tsx";
import { ColorInput } from "../inputs/color-input.tsx";
import { FlagInput } from "../inputs/flag-input.tsx";
import { TextInput } from "../inputs/text-input.tsx";
import { EmptyValue } from "./empty-value.tsx";
import { NestedGroup } from "./nested-group.tsx";
import { NestedList } from "./nested-list.tsx";
import { NestedNumber } from "./nested-number.tsx";
import { NestedPoints } from "./nested-points.tsx";
import type { FormProps, NestedProps } from "./nested-props.ts";
import { NestedRow } from "./nested-row.tsx";
import { isPoint, PointRow } from "./point-row.tsx";

export function NestedValue(given: NestedProps): ReactNode {
  const app = useApp();
  const { inside, path, schema, values } = given;
  const value = values.at(-1);
  const form = formOf(schema, value);
  const props = { ...given, value };
  if (form.kind !== "nothing" && isNullable(schema)) {
    const label = `${inside.nameOf(path)}: ${app.t("inspector.clear")}`;
    props.tools = (
      <>
        <Button label={label} icon={icons.close} onClick={() => inside.set(path, null)} />
        {given.tools}
      </>
    );
  }
  switch (form.kind) {
    case "number":
      return <NestedNumber {...props} form={form} />;
    case "group":
      return isPoint(form) ? <PointRow {...props} /> : <NestedGroup {...props} form={form} />;
    case "list":
      return <NestedList {...props} form={form} />;
    case "points":
      return <NestedPoints {...props} form={form} />;
    case "nothing":
      return <EmptyValue {...props} />;
    case "opaque":
      return (
        <NestedRow {...props}>
          <small>{app.t("inspector.opaque")}</small>
        </NestedRow>
      );
    default:
      return (
        <NestedRow {...props}>
          <Leaf {...props} form={form} />
        </NestedRow>
      );
  }
}

function Leaf({ inside, path, value, values, form }: FormProps<"text" | "flag" | "color" | "choice">) {
  const simple = {
    label: inside.nameOf(path),
    isMixed: isMixed(values),
    onChange: (next: unknown) => inside.set(path, next),
  };
  switch (form.kind) {
    case "choice":
      return (
        <ChoiceInput
          {...simple}
          value={value}
          values={form.values}
          names={form.values.map((one) => String(one))}
        />
      );
    case "flag":
      return <FlagInput {...simple} value={value} />;
    case "color":
      return (
        <ColorInput
          {...simple}
          value={value}
          onChange={(next, key) => inside.set(path, next, key)}
          onEnd={inside.end}
        />
      );
    default:
      return <TextInput {...simple} value={String(value)} />;
  }
}
