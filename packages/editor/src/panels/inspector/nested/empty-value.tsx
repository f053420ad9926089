/** An absent value: created from the schema, or of a kind that the user chooses. */
import type { ReactNode } from "react";
import { isMixed } from "../../../document/values/field-values.ts";
import { initialOf } from "../../../document/values/initial-value.ts";
import { Button } from "../../../shell/button.tsx";
import { icons } from "../../../shell/icons.tsx";
import { useApp } from "../../../shell/use-app.ts";
import type { NestedProps } from "./nested-props.ts";
import { NestedRow } from "./nested-row.tsx";

const kinds = {
  number: 0,
  text: "",
  flag: false,
  list: [],
  group: {},
} as const;

export function EmptyValue(props: NestedProps): ReactNode {
  const app = useApp();
  const { inside, path, schema, values } = props;
  const name = inside.nameOf(path);
  const made = schema === undefined ? undefined : initialOf({ ...schema, default: undefined });
  return (
    <NestedRow {...props}>
      {made === undefined || made === null ? (
        <select
          className="esp-input"
          aria-label={app.t("inspector.kindOf", { name })}
          value=""
          onChange={({ target }) =>
            inside.set(path, structuredClone(kinds[target.value as keyof typeof kinds]))
          }
        >
          <option value="">{app.t("kind.nothing")}</option>
          {(Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => (
            <option key={kind} value={kind}>
              {app.t(`kind.${kind}`)}
            </option>
          ))}
        </select>
      ) : (
        <>
          <span style={{ flex: 1 }}>{app.t(isMixed(values) ? "inspector.mixed" : "inspector.none")}</span>
          <Button
            label={app.t("inspector.create", { name })}
            icon={icons.plus}
            onClick={() => inside.set(path, made)}
          />
        </>
      )}
    </NestedRow>
  );
}
