/** Several entities, or pairs with data, each picked and cleared like a single one; the last input adds one. */
import type { Entity, Field } from "espalier";
import type { ReactNode } from "react";
import { spaced } from "../../../document/values/number-style.ts";
import { ReferenceInput } from "./reference-input.tsx";
import type { SimpleProps } from "./simple-props.ts";

type Pair = { readonly target: Entity; readonly [name: string]: unknown };
type Item = Entity | Pair;

/** One value of a pair. */
export interface PairDatum {
  readonly label: string;
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  /** The whole list with another value here. */
  readonly listWith: (value: unknown) => readonly Item[];
}

interface ReferencesProps extends SimpleProps<readonly Item[]> {
  /** What each pair has besides its target. */
  readonly data: Field["data"];
  /** The input for one value of a pair. */
  readonly input: (datum: PairDatum) => ReactNode;
}

export function ReferencesInput({
  label,
  value,
  isMixed,
  onChange,
  data,
  input,
}: ReferencesProps): ReactNode {
  const items = Array.isArray(value) ? (value as readonly Item[]) : [];
  // Where lists differ, a value of one of them would replace all others.
  const pairFields = isMixed ? [] : Object.entries(data ?? {});
  const replace = (at: number, target: Entity | null) => {
    // Each entity once: an existing one is not added again.
    if (target !== null && items.some((item) => targetOf(item) === target)) return;
    const rest = [...items];
    if (target === null) rest.splice(at, 1);
    else rest[at] = data === undefined ? target : { ...(items[at] as object), target };
    onChange(rest);
  };
  return (
    <div className="esp-column">
      {items.map((item, at) => (
        <div key={targetOf(item)}>
          <div className="value">
            <ReferenceInput
              label={`${label} ${at + 1}`}
              value={targetOf(item)}
              isMixed={isMixed}
              onChange={(target) => replace(at, target as Entity | null)}
            />
          </div>
          {pairFields.map(([name, field]) => (
            <div key={name} className="esp-pair">
              <span>{spaced(name)}</span>
              <div className="value">
                {input({
                  label: `${label} ${at + 1} ${name}`,
                  name,
                  field,
                  value: (item as Pair)[name],
                  listWith: (changed) =>
                    items.map((other, k) => (k === at ? { ...(item as Pair), [name]: changed } : other)),
                })}
              </div>
            </div>
          ))}
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
