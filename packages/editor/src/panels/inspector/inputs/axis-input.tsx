/** One coordinate of a pair: a number whose letter can be dragged. */
import type { ReactNode } from "react";
import { NumberInput, type NumberProps, useScrub } from "./number-input.tsx";

export function AxisInput({
  axis,
  number,
}: {
  readonly axis: "x" | "y" | "z";
  readonly number: NumberProps;
}): ReactNode {
  const scrub = useScrub(number);
  return (
    <div className="esp-axis">
      <span className={axis} {...scrub} aria-hidden="true">
        {axis.toUpperCase()}
      </span>
      <NumberInput {...number} />
    </div>
  );
}
