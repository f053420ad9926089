/**
 * The value of one field as patches hold it.
 */
import { type Entity, fieldTypeOf } from "../../ecs/index.ts";
import { writeValue } from "../snapshot/state-codec.ts";
import type { FieldState } from "../state.ts";
import { ownOf } from "../values/own-keys.ts";
import type { Json, ValueCodec } from "../values/value-codec.ts";
import type { Key } from "./patch.ts";

/** Whose value it is, for codecs and for messages. */
export interface ValueOwner {
  readonly component: string;
  readonly entity: Entity;
}

/** @param keyOf The key of an entity that a value refers to. */
export function patchValue(
  held: unknown,
  field: FieldState,
  { component, entity }: ValueOwner,
  codecs: { readonly [field: string]: ValueCodec } | undefined,
  keyOf: (entity: number) => Key | undefined,
): Json {
  const { toPatch, valueKind } = fieldTypeOf(field);
  if (toPatch !== undefined) return toPatch(held, field.names) as Json;
  if (valueKind === "entity") return keyOf(held as number) ?? null;
  const what = `${component}.${field.name}`;
  return writeValue(held, ownOf(codecs, what), what, () => entity);
}
