/**
 * Several references to entities, in an order, each once, with data for each pair of owner and target.
 */
import { type Entity, isHandle } from "../entities/entity.ts";
import { describeGiven } from "./entity-ref.ts";
import { type Aliveness, describeValue, type Field, type FieldJson, type FieldType } from "./field-type.ts";
import { frozen } from "./frozen.ts";
import { type HeldPair, holdPair, type PairValues, pairMisfit } from "./pair-values.ts";

/**
 * What a column holds. Never changed, only replaced: the record of change, snapshots and several entities may share one, and
 * equal `targets` mean that no link changed.
 */
export interface HeldRefs {
  readonly targets: readonly Entity[];
  /** The pairs by target; `null` where the field has no data. */
  readonly data: readonly HeldPair[] | null;
}

/** Targets and their data as a column holds them. Users read these very arrays: in development they cannot be changed. */
export function holdRefs(targets: readonly Entity[], data: readonly HeldPair[] | null): HeldRefs {
  return { targets: frozen(targets), data: frozen(data) };
}

/** What is left when the targets are gone that `isGone` names; the same object when none is. */
export function withoutTargets(held: HeldRefs, isGone: (target: Entity) => boolean): HeldRefs {
  const { targets, data } = held;
  if (!targets.some(isGone)) return held;
  return holdRefs(
    targets.filter((target) => !isGone(target)),
    data === null ? null : data.filter((_, k) => !isGone(targets[k] as Entity)),
  );
}

/** Equal targets in equal order with equal data. */
export function areSameRefs(a: HeldRefs | undefined, b: HeldRefs | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.targets.length !== b.targets.length) return false;
  if (a.targets !== b.targets && !a.targets.every((target, k) => target === b.targets[k])) return false;
  return (a.data ?? []).every((values, k) => {
    const other: PairValues = b.data?.[k] ?? {};
    return Object.keys(values).every((name) => Object.is(values[name], other[name]));
  });
}

export const entitiesType: FieldType<"entities", unknown[]> = {
  kind: "entities",
  valueKind: "entities",
  array: undefined,
  standard: () => [],
  takes: "an array of the ids of entities, each once",
  misfit(field, value) {
    if (!Array.isArray(value)) return `takes an array of entities, got ${describeValue(value)}`;
    const met = new Set<unknown>();
    for (const item of value as unknown[]) {
      const target = targetOf(item);
      if (!isHandle(target)) return `takes entities, got ${describeGiven(target ?? item)} among them`;
      if (met.has(target)) return `takes each entity once, got #${target} twice`;
      met.add(target);
      const wrong = target === item ? undefined : pairMisfit(field, dataOf(item as object));
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  },
  encode(value, field) {
    const items = value as readonly unknown[];
    return holdRefs(
      items.map((item) => targetOf(item) as Entity),
      field.data === undefined
        ? null
        : items.map((item) =>
            holdPair(field, targetOf(item) as Entity, typeof item === "object" ? (item as HeldPair) : {}),
          ),
    );
  },
  decode: (held, host, field) => readRefs(held as HeldRefs | undefined, host, field),
  isSame: (a, b) => areSameRefs(a as HeldRefs, b as HeldRefs),
  isJson: (json) => Array.isArray(json) && json.length === 0,
  schema: (field) => ({
    type: "array",
    uniqueItems: true,
    items:
      field.data === undefined
        ? { type: "string", description: "The id of an entity." }
        : {
            type: "object",
            properties: {
              target: { type: "string", description: "The id of an entity." },
              ...Object.fromEntries(
                Object.entries(field.data).map(([name, part]) => [name, part.type.schema(part) as FieldJson]),
              ),
            },
            required: ["target"],
            additionalProperties: false,
          },
  }),
  code: {
    constant: (field) => ({
      encode: (value: unknown) => entitiesType.encode?.(value, field),
      decode: (held: HeldRefs | undefined, host: Aliveness) => readRefs(held, host, field),
    }),
    read: (held, host, constant) => `${constant}.decode(${held}, ${host})`,
    encode: (value, constant) => `${constant}.encode(${value})`,
  },
};

/** The value users see: without targets that are dead. */
function readRefs(held: HeldRefs | undefined, host: Aliveness, field: Field): readonly unknown[] {
  if (held === undefined) return [];
  const { targets, data } = withoutTargets(held, (target) => !host.isAlive(target));
  return field.data === undefined ? targets : (data ?? []);
}

function targetOf(item: unknown): unknown {
  return typeof item === "object" && item !== null ? (item as { target?: unknown }).target : item;
}

const dataOf = ({ target: _, ...data }: { target?: unknown }): PairValues => data;
