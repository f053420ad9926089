/** Props of inputs inside a field. */
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
  /** The value of each entity; the last one is shown. */
  readonly values: readonly unknown[];
  /** Buttons at the end of its row. */
  readonly tools?: ReactNode;
  /** The element before its title. */
  readonly grip?: ReactNode;
  /** Renders a nested value. Passed as a prop, because objects and lists both are such values and contain them. */
  readonly Value: ComponentType<NestedProps>;
  /** Whether objects and lists are open at first. */
  readonly isOpen: boolean;
}

/** Common props of all forms, with the value that is shown. */
export interface FormProps<Kind extends ValueForm["kind"]> extends NestedProps {
  readonly value: unknown;
  readonly form: Extract<ValueForm, { kind: Kind }>;
}
