/**
 * The schema of the nodes of a shared document: the components of a scene format with their fields, by flat key.
 */
import { type AnyComponent, createWorld, type Entity, type Field, fieldTypeOf } from "espalier";
import { followChanges, type Json } from "espalier/history";
import type { SceneFormat } from "espalier/scene";
import { fieldKey } from "./keys.ts";

export interface SharedField {
  readonly component: string;
  readonly name: string;
  readonly key: string;
  /** `plain` is written unchanged, `json` as text. */
  readonly form: "plain" | "json" | "reference" | "references";
  /** Whether a codec writes its text, which may be any JSON. */
  readonly isCoded: boolean;
  /** Its declaration. */
  readonly declared: Field;
  /** Its value in a new component, in the form of patches. */
  readonly initial: Json | undefined;
}

/** By the kind of value of a field; all others are plain. */
const forms: { readonly [kind: string]: SharedField["form"] } = {
  object: "json",
  entity: "reference",
  entities: "references",
};

export interface SharedSchema {
  readonly version: number;
  readonly components: readonly AnyComponent[];
  readonly fieldsOf: ReadonlyMap<string, readonly SharedField[]>;
  readonly fieldAt: ReadonlyMap<string, SharedField>;
  /** By component: its declaration, `hp: f32 = 100`. */
  readonly signatures: { readonly [component: string]: string };
}

/** @param codecs - By the key of a field. */
export function sharedSchemaOf(
  format: SceneFormat,
  codecs: { readonly [field: string]: unknown } = {},
): SharedSchema {
  const components = format.components
    .map((name) => format.component(name) as AnyComponent)
    .filter(({ reserved }) => reserved === undefined);
  const fieldsOf = new Map<string, readonly SharedField[]>();
  const fieldAt = new Map<string, SharedField>();
  const signatures: { [component: string]: string } = {};
  for (const component of components) {
    const initial = initialOf(component);
    const names = Object.keys(component.schema);
    const fields = names.map((name): SharedField => {
      const { valueKind } = fieldTypeOf(component.schema[name] as Declared);
      const key = fieldKey(component.name, name);
      return {
        component: component.name,
        name,
        key,
        isCoded: codecs[key] !== undefined,
        form: forms[valueKind] ?? "plain",
        declared: component.schema[name] as Field,
        initial: initial[name],
      };
    });
    fieldsOf.set(component.name, fields);
    for (const field of fields) fieldAt.set(field.key, field);
    // Including the defaults, because default values are not written.
    signatures[component.name] = names
      .map((name) => {
        const signature = signatureOf(component.schema[name] as Declared);
        return `${name}: ${signature} = ${JSON.stringify(initial[name])}`;
      })
      .join(", ");
  }
  return { version: format.version, components, fieldsOf, fieldAt, signatures };
}

interface Declared {
  readonly kind: string;
  readonly names?: readonly string[];
  readonly data?: { readonly [name: string]: Declared };
}

/** The kind of a field, with the names of its values and the data of its pairs, if any. */
function signatureOf({ kind, names = [], data = {} }: Declared): string {
  const parts = Object.keys(data).map((name) => `${name}: ${(data[name] as Declared).kind}`);
  return [kind, ...names, ...parts].join(" ");
}

/** The values of a new component in the form of streams. */
function initialOf(component: AnyComponent): { readonly [field: string]: Json } {
  const world = createWorld();
  const stream = followChanges(world);
  let values: { readonly [field: string]: Json } = {};
  try {
    const entity: Entity = world.spawn(component as never);
    const [entry] = stream.read().patch;
    if (entry?.op === "add" && entry.id === entity) values = entry.components[component.name] ?? {};
  } catch {
    // An object that only a codec can write has no initial value here: every value of it is written.
  }
  world.dispose();
  return values;
}
