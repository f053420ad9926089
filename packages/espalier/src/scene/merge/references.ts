/**
 * Which entities the values of components refer to, by their ids in files.
 */
import type { Entity } from "../../ecs/index.ts";
import type { FieldInfo } from "../codec.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Registry } from "../registry.ts";

/** The ids that a value of a field refers to. */
export function referencesIn(
  registry: Registry,
  component: string,
  field: string,
  json: Json | undefined,
): string[] {
  const info = referringField(registry, component, field);
  if (info === undefined || json === undefined || json === null) return [];
  if (info.codec === undefined) return typeof json === "string" ? [json] : [];
  const found: string[] = [];
  try {
    info.codec.read(json, {
      entity: (id) => {
        found.push(id);
        return found.length as unknown as Entity;
      },
    });
  } catch {
    // A value that the codec refuses was kept by lenient reading: it refers to nothing.
  }
  return found;
}

/** The same value with other ids. A value that its codec cannot read stays as it is. */
export function renameReferences(
  registry: Registry,
  component: string,
  field: string,
  json: Json,
  rename: (id: string) => string,
): Json {
  const info = referringField(registry, component, field);
  if (info === undefined) return json;
  if (info.codec === undefined) return typeof json === "string" ? rename(json) : json;
  const ids: string[] = [];
  try {
    const value = info.codec.read(json, { entity: (id) => ids.push(rename(id)) as unknown as Entity });
    return info.codec.write(value, {
      idOf: (entity) => (entity === null ? null : (ids[(entity as unknown as number) - 1] ?? null)),
    });
  } catch {
    return json;
  }
}

/** Every field of a component that holds references, with the values given. */
export function* referringFields(
  registry: Registry,
  component: string,
  values: JsonObject | null | undefined,
): IterableIterator<readonly [field: string, value: Json]> {
  if (values === null || values === undefined || !registry.codecs.has(component)) return;
  for (const field of Object.keys(values)) {
    if (referringField(registry, component, field) !== undefined) yield [field, values[field]];
  }
}

function referringField(registry: Registry, component: string, field: string): FieldInfo | undefined {
  const info = registry.codecs.get(component)?.fields.get(field);
  if (info === undefined) return undefined;
  const isReference =
    info.codec === undefined ? info.type.valueKind === "entity" : info.codec.references === true;
  return isReference ? info : undefined;
}
