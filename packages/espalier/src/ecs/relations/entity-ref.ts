/**
 * Fields that refer to entities.
 */
import { checkOptions } from "../checks/check-options.ts";
import type { Store } from "../components/store.ts";
import { DEVELOPMENT } from "../development.ts";
import type { Entity } from "../entities/entity.ts";
import { InvalidSchemaError } from "../errors.ts";
import { entityType } from "../field-types/entity-ref.ts";
import { entitiesType } from "../field-types/entity-refs.ts";
import type { FieldRelation, TargetPolicy } from "../field-types/field-relation.ts";
import { describeValue, type Field, fieldOf } from "../field-types/field-type.ts";
import type { WorldState } from "../state.ts";
import { relationsOf } from "./relations.ts";

/** What can become of the owner of an `indexedRef` when its target is destroyed. */
export type SinglePolicy = Exclude<TargetPolicy, "removePair">;
/** What can become of the owner of `entityRefs` when one of its targets is destroyed. */
export type MultiPolicy = Exclude<TargetPolicy, "null">;

/** Options of `indexedRef`. */
export interface IndexedRefOptions {
  /**
   * What happens when the target is destroyed. `"null"` (the default) writes null, `"removeComponent"` removes the
   * component from its owner, `"destroyOwner"` destroys the owner too, `"refuse"` refuses to destroy the target while its owner lives.
   */
  readonly onTargetDestroyed?: SinglePolicy;
}

/** Options of `entityRefs`. */
export interface EntityRefsOptions<Data extends PairSchema = PairSchema> {
  /** The fields of the data of each pair: numbers, booleans, strings, choices. */
  readonly data?: Data;
  /**
   * What happens when a target is destroyed: `"removePair"` (the default) takes it off the list, `"removeComponent"` removes the
   * component from its owner, `"destroyOwner"` destroys the owner too, `"refuse"` refuses to destroy the target while its owner lives.
   */
  readonly onTargetDestroyed?: MultiPolicy;
}

/** The fields of the data of a pair. */
export type PairSchema = { readonly [name: string]: Field };
/** The data of a pair, by name. */
export type PairData<Data extends PairSchema> = {
  readonly [K in keyof Data]: Data[K] extends Field<infer Value> ? Value : never;
} & {};
/** A target with the data of its pair, as `world.get` gives it. */
export type Pair<Data extends PairSchema> = {
  /** The entity that the owner refers to. */
  readonly target: Entity;
} & PairData<Data>;

/** A field of several references. */
export type EntityRefsField<Value = readonly Entity[]> = Field<Value, "entities">;

const refOptions = { onTargetDestroyed: "string" } as const;
const refsOptions = { data: "anything", onTargetDestroyed: "string" } as const;
const singlePolicies: readonly string[] = ["null", "removeComponent", "destroyOwner", "refuse"];
const multiPolicies: readonly string[] = ["removePair", "removeComponent", "destroyOwner", "refuse"];

/**
 * A reference to another entity of the same world, or `null`. Reading a reference whose target died gives `null`;
 * it is never mistaken for a later entity at the same index. For the way back, from an entity to those that refer to it, use `indexedRef`.
 *
 * @throws InvalidSchemaError for options: it has none.
 *
 * @example
 * ```ts
 * const Aim = component("Aim", { at: entityRef() });
 * const orc = world.spawn();
 * const knight = world.spawn(Aim({ at: orc }));
 * world.destroy(orc);
 * world.get(knight, Aim); // → { at: null }
 * ```
 */
export function entityRef(): Field<Entity | null, "entity">;
export function entityRef(options?: unknown): Field<Entity | null, "entity"> {
  // In every build: a reference without the policy that was asked for would not protect its target.
  if (options !== undefined) {
    throw new InvalidSchemaError(
      "Cannot define entityRef() with options. Use indexedRef() for references that the world knows both ways.",
      { option: "options", value: options },
    );
  }
  return fieldOf<Entity | null, "entity">(entityType, null);
}

/**
 * A reference as `entityRef` gives, of which the world keeps the way back: `referrersOf` and `referredBy` answer in O(answers), and the field
 * decides what happens when the target is destroyed. A reference to an entity that is dead or of another world is refused, and a write costs
 * some 50 ns more.
 *
 * @throws InvalidSchemaError for a policy that does not exist.
 *
 * @example
 * ```ts
 * const Targets = component("Targets", { enemy: indexedRef() });
 * const orc = world.spawn();
 * const knight = world.spawn(Targets({ enemy: orc }));
 * referrersOf(world, orc, Targets, "enemy"); // → [knight]
 * world.destroy(orc);
 * world.get(knight, Targets); // → { enemy: null }
 * ```
 */
export function indexedRef(options: IndexedRefOptions = {}): Field<Entity | null, "entity"> {
  checkOptions(DEVELOPMENT, "define a reference", options, refOptions);
  const { onTargetDestroyed = "null" } = options;
  const policy = requirePolicy("indexedRef()", onTargetDestroyed, singlePolicies);
  return { ...entityRef(), relation: relationWith(policy) };
}

/**
 * References to several entities of the same world, in an order, each once. The world knows which entities refer to an entity; see
 * `addTarget`, `targetsOf`, `referrersOf`. With `data`, each pair of owner and target has values of its own.
 *
 * @throws InvalidSchemaError for a policy that does not exist, and data that cannot be kept per pair.
 *
 * @example
 * ```ts
 * const Inventory = component("Inventory", { items: entityRefs({ data: { amount: u32(1) } }) });
 * const [arrow, sword] = [world.spawn(), world.spawn()];
 * const hero = world.spawn(Inventory({ items: [{ target: sword, amount: 1 }] }));
 * addTarget(world, hero, Inventory, "items", arrow, { amount: 20 });
 * targetsOf(world, hero, Inventory, "items"); // → [sword, arrow]
 * pairOf(world, hero, Inventory, "items", arrow); // → { target: arrow, amount: 20 }
 * ```
 */
export function entityRefs(options?: EntityRefsOptions & { readonly data?: never }): EntityRefsField;
/** References with data for each pair. */
export function entityRefs<const Data extends PairSchema>(
  options: EntityRefsOptions<Data> & { readonly data: Data },
): EntityRefsField<readonly Pair<Data>[]>;
export function entityRefs(options: EntityRefsOptions = {}): EntityRefsField<never> {
  checkOptions(DEVELOPMENT, "define references", options, refsOptions);
  const { data, onTargetDestroyed = "removePair" } = options;
  const policy = requirePolicy("entityRefs()", onTargetDestroyed, multiPolicies);
  if (data !== undefined) requireData(data);
  const field = fieldOf<readonly unknown[], "entities">(entitiesType, Object.freeze([]));
  return {
    ...field,
    relation: relationWith(policy),
    ...(data !== undefined && { data: Object.freeze({ ...data }) }),
  } as EntityRefsField<never>;
}

function relationWith(onTargetDestroyed: TargetPolicy): FieldRelation {
  return {
    onTargetDestroyed,
    met: (state, store, field) => relationsOf(state as WorldState).add(store as Store, field),
  };
}

function requirePolicy(of: string, policy: string, known: readonly string[]): TargetPolicy {
  if (known.includes(policy)) return policy as TargetPolicy;
  throw new InvalidSchemaError(
    `Cannot define ${of} with onTargetDestroyed ${describeValue(policy)}. Use one of ${known.join(", ")}.`,
    { option: "onTargetDestroyed", value: policy },
  );
}

function requireData(data: PairSchema): void {
  const refuse = (why: string) => {
    throw new InvalidSchemaError(
      `Cannot define entityRefs() with data that ${why}. Give an object with fields such as u32(1), bool() or string().`,
      { option: "data", value: data },
    );
  };
  if (typeof data !== "object" || data === null) refuse(`is ${describeValue(data)}`);
  for (const [name, field] of Object.entries(data)) {
    const type = (Object(field) as Partial<Field>).type;
    if (name === "target") refuse('has a field "target", which is the entity itself');
    else if (type === undefined) refuse(`has ${describeValue(field)} as ${describeValue(name)}`);
    else if (["entity", "entities", "object"].includes(type.valueKind))
      refuse(`has a field ${describeValue(name)} that holds an object or refers to an entity`);
  }
}
