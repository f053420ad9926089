/** What is given to inputs inside of a field. */
import type { ComponentType, ReactNode } from "react";
import type { JsonSchema } from "../../../document/values/json-schema.ts";
import type { ValueForm } from "../../../document/values/value-form.ts";
import type { ValuePath } from "../../../document/values/value-path.ts";
import type { Inside } from "./inside.ts";

export interface NestedProps {
  readonly inside: Inside;
  readonly path: ValuePath;
  readonly title: string;
  readonly schema: JsonSchema | undefined;
  /** Of each entity; the last one is shown. */
  readonly values: readonly unknown[];
  /** Buttons at the end of its row. */
  readonly tools?: ReactNode;
  /** What stands before its title. */
  readonly grip?: ReactNode;
  /** Draws a value inside of this one. Given along, because groups and lists are in such values and have such values in them. */
  readonly Value: ComponentType<NestedProps>;
  /** Groups and lists show what is in them from the start. */
  readonly isOpen: boolean;
}

/** What every form needs, with the value that is shown. */
export interface FormProps<Kind extends ValueForm["kind"]> extends NestedProps {
  readonly value: unknown;
  readonly form: Extract<ValueForm, { kind: Kind }>;
}
