/**
 * The schemas of object fields, where one is declared.
 */
import { type AnyComponent, fieldTypeOf } from "espalier";
import type { SceneFormat } from "espalier/scene";
import { alternativesOf, type JsonSchema } from "./json-schema.ts";
import { librarySchemas } from "./library-schemas.ts";

/** A field with its schema attached, as sent by a server about a component of a project. */
export interface FieldWithSchema {
  readonly schema?: JsonSchema;
}

/** The schemas of the fields of a format. */
export class FieldSchemas {
  private readonly format: SceneFormat;
  /** Created on first use, from the schema of whole files. */
  private ofFormat: { readonly [component: string]: JsonSchema } | undefined;

  constructor(format: SceneFormat) {
    this.format = format;
  }

  /** The schema of the field's own codec or validator, that of the library, or `undefined`. */
  of(component: AnyComponent, name: string): JsonSchema | undefined {
    const field = component.schema[name];
    if (field === undefined || fieldTypeOf(field).valueKind !== "object") return undefined;
    return (field as FieldWithSchema).schema ?? this.given(component, name) ?? this.library(component, name);
  }

  private library({ name }: AnyComponent, field: string): JsonSchema | undefined {
    const key = `${name}.${field}`;
    return Object.hasOwn(librarySchemas, key) ? librarySchemas[key] : undefined;
  }

  private given(component: AnyComponent, name: string): JsonSchema | undefined {
    this.ofFormat ??= componentSchemas(this.format);
    const whole = this.ofFormat[component.name];
    if (whole === undefined) return undefined;
    const found = alternativesOf(whole).find(({ properties }) => properties !== undefined)?.properties?.[
      name
    ];
    // For a field about which nothing is known, the schema has only a default.
    return found !== undefined && Object.keys(found).some((key) => key !== "default") ? found : undefined;
  }
}

/** A validator may be unable to describe what it accepts; then only its values are shown. */
function componentSchemas(format: SceneFormat): { readonly [component: string]: JsonSchema } {
  try {
    const { definitions } = format.jsonSchema() as unknown as {
      readonly definitions: { readonly components: JsonSchema };
    };
    return definitions.components.properties ?? {};
  } catch {
    return {};
  }
}
