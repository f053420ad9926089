/** A number inside a field: typed, dragged by its title, stepped with the arrow keys. Angles are in degrees. */
import type { ReactNode } from "react";
import { isMixed } from "../../../document/values/field-values.ts";
import { DEGREES, isAngle, stepOf } from "../../../document/values/number-style.ts";
import { NumberInput, type NumberProps, useScrub } from "../inputs/number-input.tsx";
import type { FormProps } from "./nested-props.ts";
import { NestedRow } from "./nested-row.tsx";

export function NestedNumber(props: FormProps<"number">): ReactNode {
  const { inside, path, value, values, form } = props;
  const name = String(path.filter((step) => typeof step === "string").at(-1) ?? "");
  const factor = isAngle(name) ? DEGREES : 1;
  const number: NumberProps = {
    label: inside.nameOf(path),
    value: (value as number) * factor,
    isMixed: isMixed(values),
    step: stepOf(name, form.isInteger),
    error: inside.errorAt(path),
    onChange: (next, key) => inside.set(path, next / factor, key),
    onEach: (change) => inside.change(path, (now) => change(now * factor) / factor),
    onEnd: inside.end,
  };
  const scrub = useScrub(number);
  return (
    <NestedRow {...props} scrub={scrub}>
      <NumberInput {...number} {...(factor === 1 ? {} : { unit: "°" })} />
    </NestedRow>
  );
}
