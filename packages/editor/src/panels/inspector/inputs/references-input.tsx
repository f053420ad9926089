/** Several entities, or pairs with data, each picked and cleared like a single one; the last input adds one. */
import type { Entity } from "espalier";
import type { ReactNode } from "react";
import { ReferenceInput } from "./reference-input.tsx";
import type { SimpleProps } from "./simple-props.ts";

type Item = Entity | { readonly target: Entity };

export function ReferencesInput({
  label,
  value,
  isMixed,
  onChange,
}: SimpleProps<readonly Item[]>): ReactNode {
  const items = Array.isArray(value) ? (value as readonly Item[]) : [];
  const hasData = items.some((item) => typeof item === "object");
  const replace = (at: number, target: Entity | null) => {
    // Each entity once: an existing one is not added again.
    if (target !== null && items.some((item) => targetOf(item) === target)) return;
    const rest = [...items];
    if (target === null) rest.splice(at, 1);
    else rest[at] = hasData ? { ...(items[at] as object), target } : target;
    onChange(rest);
  };
  return (
    <div className="esp-column">
      {items.map((item, at) => (
        <div key={targetOf(item)} className="value" title={dataOf(item)}>
          <ReferenceInput
            label={`${label} ${at + 1}`}
            value={targetOf(item)}
            isMixed={isMixed}
            onChange={(target) => replace(at, target as Entity | null)}
          />
        </div>
      ))}
      <div className="value">
        <ReferenceInput
          label={`${label} ${items.length + 1}`}
          value={null}
          isMixed={isMixed}
          onChange={(target) => replace(items.length, target as Entity | null)}
        />
      </div>
    </div>
  );
}

function targetOf(item: Item): Entity {
  return typeof item === "object" ? item.target : item;
}

/** The data of a pair in words. */
function dataOf(item: Item): string | undefined {
  if (typeof item !== "object") return undefined;
  const { target: _, ...data } = item;
  return Object.entries(data)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ");
}
