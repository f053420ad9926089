/** A field that holds an object or a list: inputs for its content, or all of it as text. */
import type { AnyComponent, Entity } from "espalier";
import { type ReactNode, useState } from "react";
import type { FieldState } from "../../../document/values/field-values.ts";
import { spaced } from "../../../document/values/number-style.ts";
import { Button } from "../../../shell/button.tsx";
import { icons } from "../../../shell/icons.tsx";
import { useApp } from "../../../shell/use-app.ts";
import { DataInput } from "../inputs/data-input.tsx";
import { NestedRow } from "./nested-row.tsx";
import { NestedValue } from "./nested-value.tsx";
import { useInside } from "./use-inside.ts";

export function NestedField({
  component,
  entities,
  state,
  tools,
}: {
  readonly component: AnyComponent;
  readonly entities: readonly Entity[];
  readonly state: FieldState;
  readonly tools: ReactNode;
}): ReactNode {
  const app = useApp();
  const [isText, setText] = useState(false);
  const inside = useInside(entities, component, state.name);
  const name = inside.nameOf([]);
  const title = spaced(state.name);
  const all = (
    <>
      <Button
        label={app.t("inspector.asText", { name })}
        icon={icons.braces}
        pressed={isText}
        onClick={() => setText(!isText)}
      />
      {tools}
    </>
  );
  if (isText) {
    return (
      <>
        <NestedRow inside={inside} path={[]} title={title} tools={all}>
          <span style={{ flex: 1 }} />
        </NestedRow>
        <DataInput
          label={name}
          value={state.value}
          isMixed={state.isMixed}
          onChange={(next) => inside.set([], next)}
        />
      </>
    );
  }
  return (
    <NestedValue
      Value={NestedValue}
      inside={inside}
      path={[]}
      title={title}
      schema={app.document.schemas.of(component, state.name)}
      values={state.values}
      tools={all}
      isOpen
    />
  );
}
