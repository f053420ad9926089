/** A list of values, each with the input for its form; items can be added, removed and moved. */
import type { ReactNode } from "react";
import { newItem } from "../../../document/values/value-form.ts";
import { useApp } from "../../../shell/use-app.ts";
import { ItemList } from "./item-list.tsx";
import type { FormProps } from "./nested-props.ts";

/** Objects and lists in a list are shown closed when there are more than this many. */
const MOST_OPEN = 2;

export function NestedList(props: FormProps<"list">): ReactNode {
  const app = useApp();
  const { Value, inside, path, values, form } = props;
  const lists = values.filter((value): value is readonly unknown[] => Array.isArray(value));
  const items = lists.at(-1) ?? [];
  return (
    <ItemList
      {...props}
      summary={app.t(items.length === 1 ? "inspector.oneItem" : "inspector.items", { count: items.length })}
      counts={lists.map(({ length }) => length)}
      least={form.least}
      most={form.most}
      size={1}
      added={() => [newItem(form.item, items) ?? null]}
    >
      {(k, grip, tools) => (
        <Value
          Value={Value}
          inside={inside}
          path={[...path, k]}
          title={`[${k}]`}
          schema={form.item}
          values={lists.map((list) => list[k])}
          tools={tools}
          grip={grip}
          isOpen={items.length <= MOST_OPEN}
        />
      )}
    </ItemList>
  );
}
