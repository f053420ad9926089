/**
 * Components as data: what a server sends the editor about the components of a project, so that no code of the project runs in
 * the editor.
 */
import {
  type AnyComponent,
  component,
  type Field,
  type FieldType,
  fieldTypeOf,
  object,
  shared,
} from "espalier";
import { color, isColorField } from "espalier/render";
import type { SceneFormat } from "espalier/scene";
import { FieldSchemas, type FieldWithSchema } from "./values/field-schemas.ts";
import type { JsonSchema } from "./values/json-schema.ts";

export interface DescribedField {
  readonly name: string;
  readonly kind: string;
  /** The default value, as written in files. */
  readonly initial: unknown;
  readonly finite?: boolean;
  readonly names?: readonly string[];
  /** `"color"`: a number that is a colour, "#rrggbb" in files. */
  readonly format?: string;
  /** The form of an object field, as JSON Schema. */
  readonly schema?: JsonSchema;
}

/** A component as data, for an editor that cannot load the program. */
export interface DescribedComponent {
  /** The name it was defined with. */
  readonly name: string;
  /** How its values are stored. */
  readonly storage: "dense" | "sparse" | "shared";
  /** Its fields, in order. */
  readonly fields: readonly DescribedField[];
}

/**
 * What `componentFrom` needs. Defaults that are not plain JSON become `null`.
 *
 * @param format - Knows what the objects of the component hold, by their codecs and validators.
 */
export function describeComponent(component: AnyComponent, format?: SceneFormat): DescribedComponent {
  const { name, storage, schema } = component;
  const schemas = format === undefined ? undefined : new FieldSchemas(format);
  const fields = Object.entries(schema).map(([field, { kind, initial, finite: isBounded, names }]) => ({
    name: field,
    kind,
    initial: asJson(typeof initial === "function" ? initial() : initial),
    ...(isBounded === true ? { finite: true } : {}),
    ...(names === undefined ? {} : { names }),
    ...(isColorField(schema[field] as Field) ? { format: "color" } : {}),
    ...schemaOf(schemas?.of(component, field) ?? (schema[field] as FieldWithSchema).schema),
  }));
  return { name, storage, fields };
}

/** A component with the same fields. Its object fields hold plain JSON, as written in files. */
export function componentFrom({ name, storage, fields }: DescribedComponent): AnyComponent {
  return component(name, Object.fromEntries(fields.map((field) => [field.name, fieldFrom(field)])), {
    storage: storage === "shared" ? shared : storage,
  });
}

function schemaOf(schema: JsonSchema | undefined): FieldWithSchema {
  return schema === undefined ? {} : { schema };
}

function fieldFrom({ kind, initial, finite, names, format, schema }: DescribedField): Field {
  if (format === "color") return color(initial as number);
  const type = typeOfKind(kind);
  if (type === undefined || type.valueKind === "object") {
    return { ...object(() => structuredClone(initial)), ...schemaOf(schema) };
  }
  const field: Field = {
    kind,
    type,
    initial,
    ...(finite === true ? { finite } : {}),
    ...(names === undefined ? {} : { names: [...names] }),
  };
  return type.misfit(field, initial) === undefined ? field : { ...field, initial: type.standard(field) };
}

/** `undefined` for an unknown kind: a project may use a newer library. */
function typeOfKind(kind: string): FieldType | undefined {
  try {
    return fieldTypeOf({ kind });
  } catch {
    return undefined;
  }
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}
