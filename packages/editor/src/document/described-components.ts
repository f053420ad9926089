/**
 * Components as data: what a server tells the editor about the components of a project, so that no code of the project runs in
 * the editor.
 */
import { type AnyComponent, component, type Field, type FieldType, fieldTypeOf, object } from "espalier";
import { color, isColorField } from "espalier/render";

export interface DescribedField {
  readonly name: string;
  readonly kind: string;
  /** As it stands in files. */
  readonly initial: unknown;
  readonly finite?: boolean;
  readonly names?: readonly string[];
  /** `"color"`: a number that is a colour, "#rrggbb" in files. */
  readonly format?: string;
}

/** A component as data, for an editor that cannot load the program. */
export interface DescribedComponent {
  readonly name: string;
  readonly storage: "dense" | "sparse";
  readonly fields: readonly DescribedField[];
}

/** What `componentFrom` needs. Defaults that are not plain JSON become `null`. */
export function describeComponent({ name, storage, schema }: AnyComponent): DescribedComponent {
  const fields = Object.entries(schema).map(([field, { kind, initial, finite: isBounded, names }]) => ({
    name: field,
    kind,
    initial: asJson(typeof initial === "function" ? initial() : initial),
    ...(isBounded === true ? { finite: true } : {}),
    ...(names === undefined ? {} : { names }),
    ...(isColorField(schema[field] as Field) ? { format: "color" } : {}),
  }));
  return { name, storage, fields };
}

/** A component with the same fields. Its object fields hold plain JSON, as it stands in files. */
export function componentFrom({ name, storage, fields }: DescribedComponent): AnyComponent {
  return component(name, Object.fromEntries(fields.map((field) => [field.name, fieldFrom(field)])), {
    storage,
  });
}

function fieldFrom({ kind, initial, finite, names, format }: DescribedField): Field {
  if (format === "color") return color(initial as number);
  const type = fieldTypeOf({ kind }) as FieldType | undefined;
  // A project may have a newer library, with kinds that this one does not know.
  if (type === undefined || type.valueKind === "object") return object(() => structuredClone(initial));
  const field: Field = {
    kind,
    initial,
    ...(finite === true ? { finite } : {}),
    ...(names === undefined ? {} : { names: [...names] }),
  };
  return type.misfit(field, initial) === undefined ? field : { ...field, initial: type.standard(field) };
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}
