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
  /** The list at present with another value here. */
  readonly listWith: (value: unknown) => readonly Item[];
}

interface ReferencesProps extends SimpleProps<readonly Item[]> {
  /** The list at present: a game may have changed it since it was shown, and an edit changes a part of it. */
  readonly now: () => readonly Item[];
  /** What each pair has besides its target. */
  readonly data: Field["data"];
  /** The input for one value of a pair. */
  readonly input: (datum: PairDatum) => ReactNode;
}

export function ReferencesInput({
  label,
  value,
  isMixed,
  now,
  onChange,
  data,
  input,
}: ReferencesProps): ReactNode {
  const items = Array.isArray(value) ? (value as readonly Item[]) : [];
  // Where lists differ, a value of one of them would replace all others.
  const pairFields = isMixed ? [] : Object.entries(data ?? {});
  /** Puts `target` where `was` is in the list, or at the end. */
  const replace = (was: Entity | undefined, target: Entity | null) => {
    const rest = [...now()];
    // Each entity once: an existing one is not added again.
    if (target !== null && rest.some((item) => targetOf(item) === target)) return;
    const found = rest.findIndex((item) => targetOf(item) === was);
    const at = found < 0 ? rest.length : found;
    if (target === null) rest.splice(at, 1);
    else rest[at] = data === undefined ? target : { ...(rest[at] as object), target };
    onChange(rest);
  };
  const withDatum = (target: Entity, datum: object) =>
    now().map((item) => (targetOf(item) === target ? { ...(item as Pair), ...datum } : item));
  return (
    <div className="esp-column">
      {items.map((item, at) => (
        <div key={targetOf(item)}>
          <div className="value">
            <ReferenceInput
              label={`${label} ${at + 1}`}
              value={targetOf(item)}
              isMixed={isMixed}
              onChange={(target) => replace(targetOf(item), target as Entity | null)}
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
                  listWith: (changed) => withDatum(targetOf(item), { [name]: changed }),
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
          onChange={(target) => replace(undefined, target as Entity | null)}
        />
      </div>
    </div>
  );
}

function targetOf(item: Item): Entity {
  return typeof item === "object" ? item.target : item;
}
