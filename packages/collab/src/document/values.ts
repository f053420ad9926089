/**
 * Converts between values of patches, which refer to entities by handle, and those of the document, which refer to nodes.
 */
import type { Entity } from "espalier";
import type { Json } from "espalier/history";
import type { Plain } from "./keys.ts";
import type { NodeId } from "./shared-document.ts";
import type { SharedField } from "./shared-schema.ts";

type Pair = number | string | { readonly target: number | string };

/** What a node means for a world: itself, an entity, or nothing. */
type Target = (id: NodeId) => NodeId | Entity | undefined;

/**
 * @param nodeOf - The node of an entity.
 * @returns The value for the document; `undefined` for the default of a new component.
 */
export function toShared(
  field: SharedField,
  value: Json,
  nodeOf: (entity: Entity) => NodeId | undefined,
): Plain | undefined {
  switch (field.form) {
    case "reference":
      return (value === null ? undefined : nodeOf(value as unknown as Entity)) ?? null;
    case "references": {
      const pairs = (value as unknown as readonly Pair[]).flatMap((pair): Json[] => {
        const target = nodeOf((typeof pair === "object" ? pair.target : pair) as Entity);
        if (target === undefined) return [];
        return [typeof pair === "object" ? ({ ...pair, target } as Json) : target];
      });
      return JSON.stringify(pairs);
    }
    case "json":
      return JSON.stringify(value);
    case "plain":
      return value as Plain;
  }
}

/** @param target - What replaces nodes in references: those without any read as null. */
export function fromShared(field: SharedField, value: Plain | undefined, target: Target): Json | undefined {
  if (value === undefined)
    return field.form === "reference" ? null : field.form === "references" ? [] : field.initial;
  switch (field.form) {
    case "reference":
      return (value === null ? undefined : target(value as NodeId)) ?? null;
    case "references":
      return (JSON.parse(value as string) as Pair[]).flatMap((pair): Json[] => {
        const found = target((typeof pair === "object" ? pair.target : pair) as NodeId);
        if (found === undefined) return [];
        return [typeof pair === "object" ? ({ ...pair, target: found } as Json) : found];
      });
    case "json":
      return JSON.parse(value as string) as Json;
    case "plain":
      return value;
  }
}

/** Whether two values of the document are equal for a world, in which references to removed nodes read as null. */
export function isSame(
  field: SharedField,
  a: Plain | undefined,
  b: Plain | undefined,
  target: Target,
): boolean {
  if (Object.is(a, b)) return true;
  const x = fromShared(field, a, target);
  const y = fromShared(field, b, target);
  return Object.is(x, y) || JSON.stringify(x) === JSON.stringify(y);
}

/**
 * The same for the text of a codec, which writes nodes as strings. Nodes that are gone keep their names there, unless the codec
 * writes null for entities that are not alive.
 *
 * @param isNode - Whether a string is the name of a node.
 */
export function isSameText(
  text: Plain | undefined,
  written: string,
  target: Target,
  isNode: (text: NodeId) => boolean,
): boolean {
  if (text === written || typeof text !== "string") return text === written;
  const withTargets = (json: string, whenGone: (id: NodeId) => NodeId | null) =>
    JSON.stringify(
      JSON.parse(json, (_, value) => (isNode(value) ? (target(value) ?? whenGone(value)) : value)),
    );
  const here = withTargets(written, (id) => id);
  return here === withTargets(text, (id) => id) || here === withTargets(text, () => null);
}

/** The nodes that a value refers to. */
export function targetsOf(field: SharedField, value: Plain | undefined): NodeId[] {
  if (value === undefined || value === null) return [];
  if (field.form === "reference") return [value as NodeId];
  if (field.form !== "references") return [];
  return (JSON.parse(value as string) as Pair[]).map(
    (pair) => (typeof pair === "object" ? pair.target : pair) as NodeId,
  );
}

/** The nodes that the text of a codec names. Members choose it, so only the digits of 64 bits are read. */
export function nodesIn(text: Plain | undefined): NodeId[] {
  return (String(text ?? "").match(/\d{1,20}@\d{1,20}/g) ?? []) as NodeId[];
}
