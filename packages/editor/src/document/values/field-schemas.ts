/**
 * What the object fields of components look like inside, as far as it is declared.
 */
import { type AnyComponent, fieldTypeOf } from "espalier";
import type { SceneFormat } from "espalier/scene";
import { alternativesOf, type JsonSchema } from "./json-schema.ts";
import { librarySchemas } from "./library-schemas.ts";

/** A field that brings its schema along: what a server sent about a component of a project. */
export interface FieldWithSchema {
  readonly schema?: JsonSchema;
}

/** The schemas of the fields of a format. */
export class FieldSchemas {
  private readonly format: SceneFormat;
  /** Made when first asked for, from the schema of whole files. */
  private ofFormat: { readonly [component: string]: JsonSchema } | undefined;

  constructor(format: SceneFormat) {
    this.format = format;
  }

  /** That of a field's own codec or validator, that of the library, or nothing. */
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
    // A field about which nothing is known has its default there, and nothing else.
    return found !== undefined && Object.keys(found).some((key) => key !== "default") ? found : undefined;
  }
}

/** A validator may be unable to say what it accepts; then only its values tell. */
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
