/** A list x, y, x, y, … as points. */
import type { ReactNode } from "react";
import { nextPoint, numbersOf, pointsOf } from "../../../document/values/points.ts";
import { useApp } from "../../../shell/use-app.ts";
import type { Inside } from "./inside.ts";
import { ItemList } from "./item-list.tsx";
import type { FormProps } from "./nested-props.ts";
import { PointRow } from "./point-row.tsx";

export function NestedPoints(props: FormProps<"points">): ReactNode {
  const app = useApp();
  const { inside, path, values } = props;
  const lists = values
    .filter((value): value is readonly number[] => Array.isArray(value))
    .map((numbers) => pointsOf(numbers));
  const points = lists.at(-1) ?? [];
  /** Maps a coordinate of a point to its index in the list of numbers. */
  const numberAt = (own: readonly (string | number)[]) => [
    ...path,
    2 * Number(own[path.length]) + (own.at(-1) === "y" ? 1 : 0),
  ];
  const flat: Inside = {
    ...inside,
    set: (own, value, key) => inside.set(numberAt(own), value, key),
    errorAt: (own) => (own.length === path.length + 2 ? inside.errorAt(numberAt(own)) : inside.errorAt(own)),
  };
  return (
    <ItemList
      {...props}
      summary={app.t(points.length === 1 ? "inspector.oneItem" : "inspector.points", {
        count: points.length,
      })}
      counts={lists.map(({ length }) => length)}
      least={0}
      most={Number.POSITIVE_INFINITY}
      size={2}
      added={() => numbersOf([nextPoint(points)])}
    >
      {(k, grip, tools) => (
        <PointRow
          Value={props.Value}
          inside={flat}
          path={[...path, k]}
          title={`[${k}]`}
          schema={undefined}
          values={lists.map((list) => list[k])}
          tools={tools}
          grip={grip}
          isOpen
        />
      )}
    </ItemList>
  );
}
