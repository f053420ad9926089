/** A point: x and y in one row. */
import type { ReactNode } from "react";
import { isMixed } from "../../../document/values/field-values.ts";
import type { ValueForm } from "../../../document/values/value-form.ts";
import { valueAt } from "../../../document/values/value-path.ts";
import { AxisInput } from "../inputs/axis-input.tsx";
import type { NumberProps } from "../inputs/number-input.tsx";
import type { NestedProps } from "./nested-props.ts";
import { NestedRow, RefusalLine } from "./nested-row.tsx";

/** Whether an object has exactly x and y, both of them required or present. */
export function isPoint(form: Extract<ValueForm, { kind: "group" }>): boolean {
  const { members, missing, tag } = form;
  return tag === undefined && missing.length === 0 && members.map(({ name }) => name).join() === "x,y";
}

export function PointRow(props: NestedProps): ReactNode {
  const { inside, path } = props;
  return (
    <NestedRow {...props}>
      <div className="esp-pair">
        <Coordinate {...props} axis="x" />
        <Coordinate {...props} axis="y" />
      </div>
      <RefusalLine error={inside.errorAt([...path, "x"]) ?? inside.errorAt([...path, "y"])} />
    </NestedRow>
  );
}

function Coordinate({ inside, path, values, axis }: NestedProps & { readonly axis: "x" | "y" }): ReactNode {
  const own = [...path, axis];
  const all = values.map((value) => valueAt(value, [axis]));
  const number: NumberProps = {
    label: inside.nameOf(own),
    value: Number(all.at(-1)),
    isMixed: isMixed(all),
    step: 0.5,
    error: inside.errorAt(own),
    onChange: (next, key) => inside.set(own, next, key),
    onEach: (change) => inside.change(own, change),
    onEnd: inside.end,
  };
  return <AxisInput axis={axis} number={number} />;
}
