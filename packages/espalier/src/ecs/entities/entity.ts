/**
 * What an entity is: one number that holds an index and how often that index was used before (its generation).
 *
 * `handle = generation * 2^22 + index`. Up to generation 511 a handle is a positive 32-bit integer, which V8 keeps
 * unboxed; after that it becomes a double and stays exact up to 2^53. An index is therefore never worn out and a stale
 * handle is always recognised. Index 0 is never used, so 0 can mean "no entity" in columns.
 */
import { shortText } from "../checks/short-text.ts";

declare const entityBrand: unique symbol;

/** A handle to an entity of one world. Compare with `===`; ask `world.isAlive(e)` whether it still lives. */
export type Entity = number & { readonly [entityBrand]: "Entity" };

/** An object that stands for an entity: an entity object of a game, or one of your own that has the handle as `id`. */
export interface EntityHolder {
  /** The handle. */
  readonly id: Entity;
  /** The world of the entity, where the object knows it. Calls of other worlds refuse the object then. */
  readonly world?: object;
}

/** An entity where a call asks for one: its handle, or an object that stands for it. */
export type EntityLike = Entity | EntityHolder;

export const INDEX_BITS = 22;
/** Highest number of entities that can be alive at once in one world: 2^22 - 1. */
export const MAX_ENTITIES = 2 ** INDEX_BITS - 1;
export const INDEX_MASK = MAX_ENTITIES;
export const GENERATION_STEP = 2 ** INDEX_BITS;
/** Below this generation a handle is a positive 32-bit integer. */
export const NARROW_GENERATIONS = 2 ** (31 - INDEX_BITS);

/** The index of an entity in every column; 0, which is never used, for what is not an entity. Does not ask whether it is alive. */
export function indexOf(entity: EntityLike): number {
  return typeof entity === "number" ? entity & INDEX_MASK : (heldId(entity) ?? 0) & INDEX_MASK;
}

/** How many entities used the same index before this one; 0 for what is not an entity. */
export function generationOf(entity: EntityLike): number {
  return Math.floor((typeof entity === "number" ? entity : (heldId(entity) ?? 0)) / GENERATION_STEP);
}

/** The handle that an object holds as its `id`; `undefined` for anything else. */
export function heldId(value: unknown): Entity | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id } = value as Partial<EntityHolder>;
  return typeof id === "number" ? id : undefined;
}

/** Whether `value` has the form of a handle; says nothing about being alive. */
export function isHandle(value: unknown): value is Entity {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 && (value & INDEX_MASK) !== 0;
}

/** `#7` for the first entity at index 7, `#7v2` for the third; anything that is not a handle is described. */
export function formatEntity(entity: unknown): string {
  if (!isHandle(entity)) return formatOther(entity);
  const generation = generationOf(entity);
  return generation === 0 ? `#${indexOf(entity)}` : `#${indexOf(entity)}v${generation}`;
}

/** ` of #7` in a message; nothing while the entity is still to be created. */
export function ofEntity(entity: Entity | undefined): string {
  return entity === undefined ? "" : ` of ${formatEntity(entity)}`;
}

function formatOther(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortText(value));
  // What is inside may be anything, and may refuse to be a text.
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
