/** Several entities, or pairs with data, each picked and cleared like a single one; the last input adds one. */
import type { Entity, Field } from "espalier";
import type { ReactNode } from "react";
import { spaced } from "../../../document/values/number-style.ts";
import {
  adding,
  type Item,
  type ListEdit,
  type Pair,
  removing,
  retargeting,
  settingDatum,
  targetOf,
} from "../../../document/values/reference-list.ts";
import { ReferenceInput } from "./reference-input.tsx";

/** One value of a pair. */
export interface PairDatum {
  readonly label: string;
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  /** Changes it to another value. */
  readonly setting: (value: unknown) => ListEdit;
}

interface ReferencesProps {
  readonly label: string;
  /** The list of the entity selected last. */
  readonly value: readonly Item[];
  readonly isMixed: boolean;
  readonly onChange: (change: ListEdit) => void;
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
  // Where lists differ, a value shown here would not be that of all pairs.
  const pairFields = isMixed ? [] : Object.entries(data ?? {});
  return (
    <div className="esp-column">
      {items.map((item, at) => {
        const entry = { at, target: isMixed ? undefined : targetOf(item) };
        return (
          <div key={targetOf(item)}>
            <div className="value">
              <ReferenceInput
                label={`${label} ${at + 1}`}
                value={targetOf(item)}
                isMixed={isMixed}
                onChange={(target) =>
                  onChange(target === null ? removing(entry) : retargeting(entry, target as Entity))
                }
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
                    setting: (changed) => settingDatum(entry, name, changed),
                  })}
                </div>
              </div>
            ))}
          </div>
        );
      })}
      <div className="value">
        <ReferenceInput
          label={`${label} ${items.length + 1}`}
          value={null}
          isMixed={isMixed}
          onChange={(target) => target !== null && onChange(adding(target as Entity, data !== undefined))}
        />
      </div>
    </div>
  );
}
