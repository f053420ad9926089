/** An object: a group of named values. */
import { type ReactNode, useState } from "react";
import { isMixed } from "../../../document/values/field-values.ts";
import { initialOf } from "../../../document/values/initial-value.ts";
import { spaced } from "../../../document/values/number-style.ts";
import type { Member } from "../../../document/values/value-form.ts";
import { valueAt } from "../../../document/values/value-path.ts";
import { Button } from "../../../shell/button.tsx";
import { icons } from "../../../shell/icons.tsx";
import { useApp } from "../../../shell/use-app.ts";
import { ChoiceInput } from "../inputs/choice-input.tsx";
import { GradientStrip } from "./gradient-strip.tsx";
import { NestedFold } from "./nested-fold.tsx";
import type { FormProps } from "./nested-props.ts";
import { NestedRow } from "./nested-row.tsx";

export function NestedGroup(props: FormProps<"group">): ReactNode {
  const app = useApp();
  const { Value, inside, path, values, value, form } = props;
  const { members, missing, isOpen: takesMore, tag } = form;
  const tagOf = (one: unknown) => valueAt(one, tag === undefined ? [] : [tag.name]);
  const summary =
    tag === undefined
      ? members
          .slice(0, 4)
          .map(({ name }) => name)
          .join(", ")
      : String(tagOf(value));
  const removal = (member: Member) => {
    const own = [...path, member.name];
    if (!member.isOptional) return undefined;
    const label = app.t("inspector.removeItem", { name: inside.nameOf(own) });
    return <Button label={label} icon={icons.minus} onClick={() => inside.removeMember(own)} />;
  };
  return (
    <NestedFold {...props} summary={summary}>
      {() => (
        <>
          <GradientStrip value={value} />
          {tag === undefined ? null : (
            <NestedRow inside={inside} path={[...path, tag.name]} title={spaced(tag.name)}>
              <ChoiceInput
                label={inside.nameOf([...path, tag.name])}
                value={tagOf(value)}
                isMixed={isMixed(values.map(tagOf))}
                values={tag.values}
                names={tag.values.map(String)}
                onChange={(next) => inside.setTag(path, props.schema, tag, next)}
              />
            </NestedRow>
          )}
          {members.map((member) => (
            <Value
              key={member.name}
              Value={Value}
              inside={inside}
              path={[...path, member.name]}
              title={spaced(member.name)}
              schema={member.schema}
              values={values.map((one) => valueAt(one, [member.name]))}
              tools={removal(member)}
              isOpen
            />
          ))}
          {missing.length > 0 ? <AddKnown {...props} missing={missing} /> : null}
          {missing.length === 0 && takesMore ? <AddOther {...props} /> : null}
        </>
      )}
    </NestedFold>
  );
}

/** Adds a member that the schema allows. */
function AddKnown({
  inside,
  path,
  missing,
}: FormProps<"group"> & { readonly missing: readonly Member[] }): ReactNode {
  const app = useApp();
  const label = app.t("inspector.addMember", { name: inside.nameOf(path) });
  return (
    <select
      className="esp-input esp-more"
      aria-label={label}
      value=""
      onChange={({ target }) => {
        const member = missing.find(({ name }) => name === target.value);
        if (member !== undefined) inside.set([...path, member.name], initialOf(member.schema ?? {}));
      }}
    >
      <option value="">+</option>
      {missing.map(({ name }) => (
        <option key={name} value={name}>
          {spaced(name)}
        </option>
      ))}
    </select>
  );
}

/** Adds a member of any name. It is empty at first, and its row asks for its type. */
function AddOther({ inside, path, value }: FormProps<"group">): ReactNode {
  const app = useApp();
  const [name, setName] = useState("");
  const isNew = name !== "" && !Object.hasOwn(value as object, name);
  const add = () => {
    if (!isNew) return;
    inside.set([...path, name], null);
    setName("");
  };
  return (
    <div className="esp-more">
      <input
        className="esp-input"
        aria-label={app.t("inspector.memberName", { name: inside.nameOf(path) })}
        placeholder="+"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") add();
          else if (event.key === "Escape") setName("");
        }}
      />
      {isNew ? (
        <Button
          label={app.t("inspector.create", { name: inside.nameOf([...path, name]) })}
          icon={icons.plus}
          onClick={add}
        />
      ) : null}
    </div>
  );
}
