/**
 * The values of one entity's component in the form of patches.
 */
import { type Entity, fieldTypeOf } from "../../ecs/index.ts";
import type { HeldRefs } from "../../ecs/internal.ts";
import { type Codecs, writeValue } from "../snapshot/state-codec.ts";
import { ownOf } from "../values/own-keys.ts";
import { type Json, toJson } from "../values/value-codec.ts";
import type { FieldValues, Key } from "./patch.ts";

/** Where the values are stored. */
export interface HeldValues {
  readonly component: string;
  readonly entity: Entity;
  readonly names: readonly string[];
  readonly fields: readonly { readonly kind: string; readonly names?: readonly string[] | undefined }[];
  held(field: number): unknown;
}

/**
 * @param keyOf - The key of an entity that a value refers to.
 * @param only - The numbers of the fields to write; all if left out.
 */
export function patchValues(
  { component, entity, names, fields, held }: HeldValues,
  codecs: Codecs | undefined,
  keyOf: (entity: number) => Key | undefined,
  only?: ReadonlySet<number>,
): FieldValues {
  return Object.fromEntries(
    fields.flatMap((field, k) => {
      if (only?.has(k) === false) return [];
      const { toPatch, valueKind } = fieldTypeOf(field);
      const name = names[k] as string;
      const what = `${component}.${name}`;
      const value = held(k);
      if (toPatch !== undefined) return [[name, toPatch(value, field.names)]];
      if (valueKind === "entity") return [[name, keyOf(value as number) ?? null]];
      if (valueKind === "entities") return [[name, pairsOf(value as HeldRefs, keyOf)]];
      return [[name, writeValue(value, ownOf(codecs, what), what, () => entity)]];
    }),
  ) as FieldValues;
}

/** A patch holds the key of each target or, if pairs have data, the key under `target` beside the data. */
function pairsOf({ targets, data }: HeldRefs, keyOf: (entity: number) => Key | undefined): Json {
  return targets.flatMap((target, k): Json[] => {
    const key = keyOf(target);
    if (key === undefined) return [];
    return [data === null ? key : { ...(toJson(data[k]) as object), target: key }];
  });
}
