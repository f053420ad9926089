/**
 * Components as data: what a server tells the editor about the components of a project, so that no code of the project runs in
 * the editor.
 */
import {
  type AnyComponent,
  bool,
  component,
  entityRef,
  type Field,
  type FieldKind,
  f32,
  f64,
  finite,
  i8,
  i16,
  i32,
  named,
  object,
  string,
  u8,
  u16,
  u32,
} from "espalier";
import { color, isColorField } from "espalier/render";

export interface DescribedField {
  readonly name: string;
  readonly kind: FieldKind;
  /** As it stands in files. */
  readonly initial: unknown;
  readonly finite?: boolean;
  readonly names?: readonly string[];
  /** `"color"`: a number that is a colour, "#rrggbb" in files. */
  readonly format?: string;
}

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
    initial: asJson(kind === "object" ? (initial as () => unknown)() : initial),
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

function fieldFrom({ kind, initial, finite: isBounded, names, format }: DescribedField): Field {
  switch (kind) {
    case "bool":
      return bool(initial === true);
    case "string":
      return string(typeof initial === "string" ? initial : "");
    case "entity":
      return entityRef();
    case "object":
      return object(() => structuredClone(initial));
    case "f32":
    case "f64": {
      const field = (kind === "f32" ? f32 : f64)(typeof initial === "number" ? initial : 0);
      return isBounded === true ? finite(field) : field;
    }
    default: {
      if (format === "color") return color(initial as number);
      const field = { i8, i16, i32, u8, u16, u32 }[kind](typeof initial === "number" ? initial : 0);
      return names === undefined ? field : named(field, [...names]);
    }
  }
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}
