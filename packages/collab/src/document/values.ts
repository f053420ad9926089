/**
 * Converts between values of patches, which refer to entities by handle, and those of the document, which refer to nodes.
 */
import type { Entity } from "espalier";
import type { IdMap, Json } from "espalier/history";
import type { Plain } from "./keys.ts";
import type { NodeId, SharedDocument } from "./shared-document.ts";
import type { SharedField } from "./shared-schema.ts";

type Pair = number | string | { readonly target: number | string };

/** @returns The value for the document; `undefined` for the default of a new component. */
export function toShared(field: SharedField, value: Json, ids: IdMap): Plain | undefined {
  switch (field.form) {
    case "reference":
      return (
        (value === null ? undefined : (ids.keyOf(value as unknown as Entity) as NodeId | undefined)) ?? null
      );
    case "references": {
      const pairs = (value as unknown as readonly Pair[]).flatMap((pair): Json[] => {
        const target = ids.keyOf((typeof pair === "object" ? pair.target : pair) as Entity);
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

/** @param isThere - Whether a node is in the document: references to others read as null. */
export function fromShared(
  field: SharedField,
  value: Plain | undefined,
  isThere: (id: NodeId) => boolean,
): Json | undefined {
  if (value === undefined)
    return field.form === "reference" ? null : field.form === "references" ? [] : field.initial;
  switch (field.form) {
    case "reference":
      return value !== null && isThere(value as NodeId) ? value : null;
    case "references":
      return (JSON.parse(value as string) as Pair[]).filter((pair) =>
        isThere((typeof pair === "object" ? pair.target : pair) as NodeId),
      ) as Json;
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
  document: SharedDocument,
): boolean {
  if (Object.is(a, b)) return true;
  const isThere = (id: NodeId) => document.has(id);
  const x = fromShared(field, a, isThere);
  const y = fromShared(field, b, isThere);
  return Object.is(x, y) || JSON.stringify(x) === JSON.stringify(y);
}

/** The same for the text of a codec, which writes nodes as strings, and null for what has none. */
export function isSameText(text: Plain | undefined, written: string, document: SharedDocument): boolean {
  if (text === written || typeof text !== "string") return text === written;
  const isGone = (value: unknown) => document.nodes.has(value as NodeId) && !document.has(value as NodeId);
  return JSON.stringify(JSON.parse(text, (_, value) => (isGone(value) ? null : value))) === written;
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

/** The nodes that the text of a codec names. */
export function nodesIn(text: Plain | undefined): NodeId[] {
  return (String(text ?? "").match(/\d+@\d+/g) ?? []) as NodeId[];
}
