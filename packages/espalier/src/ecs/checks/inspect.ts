// biome-ignore-all lint/complexity/useLiteralKeys: brackets reach private state, and the compiler still checks them
/**
 * What tools want to know of a world: the values of an entity, the components and queries there are, rows for a table.
 *
 * Everything here is a copy; changing it changes nothing in the world.
 */
import type { AnyComponent } from "../components/component.ts";
import type { FieldKind } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { type Entity, type EntityLike, generationOf } from "../entities/entity.ts";
import { computedOf } from "../queries/computed.ts";
import { stateOf, type World } from "../world.ts";

/** One component of an inspected entity. */
export interface InspectedComponent {
  /** The name of the component. */
  readonly name: string;
  /** The component itself. */
  readonly component: AnyComponent;
  /** For a component that only its owner may write: the calls to use instead. */
  readonly reserved: string | undefined;
  /** A copy of its values, by field. */
  readonly values: { readonly [field: string]: unknown };
  /** Shared storage only: how many entities have these very values, this one included. */
  readonly sharedBy?: number;
}

/** A value that no component holds, such as the position in the world that follows from the parents. */
export interface InspectedValue {
  /** The name it was registered with. */
  readonly name: string;
  /** What was computed; `undefined` when computing it threw. */
  readonly value: unknown;
  /** What computing it threw; then there is no value. */
  readonly error?: unknown;
}

/** What `inspect` says of a world: counts and sizes. */
export interface Inspection {
  /** The handle that was inspected. */
  readonly entity: Entity;
  /** The index of the entity in all columns. */
  readonly index: number;
  /** How often this index has been used before. */
  readonly generation: number;
  /** In the order the world met them. */
  readonly components: readonly InspectedComponent[];
  /** In the order they were registered; those that do not apply to the entity are left out. */
  readonly computed: readonly InspectedValue[];
}

/** One component of a world, as `inspect` reports it. */
export interface ComponentInfo {
  /** The name it was defined with. */
  readonly name: string;
  /** Its fields, in the order of its definition. */
  readonly fields: readonly { readonly name: string; readonly kind: FieldKind }[];
  /** `external`: another room keeps the values. */
  readonly storage: "dense" | "sparse" | "shared" | "external";
  /** The calls that write it instead, where only its owner may write it. */
  readonly reserved: string | undefined;
  /** How many entities have it. */
  readonly count: number;
  /** Shared storage only: how many different values they have, each kept once. */
  readonly distinct?: number;
}

/** One query of a world, as `inspect` reports it. */
export interface QueryInfo {
  /** `query(Position, not(Frozen))`, with components in the order the world met them. */
  readonly text: string;
  /** How many combinations of components match. */
  readonly archetypes: number;
  /** How many entities match, filter terms left aside. */
  readonly count: number;
}

/**
 * Everything an entity has.
 *
 * @throws DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const e = world.spawn(Health);
 * inspect(world, e).components.map(({ name, values }) => [name, values]); // → [["Health", { hp: 100 }]]
 * ```
 */
export function inspect(world: World, entity: EntityLike): Inspection {
  const index = stateOf(world).require(entity, "inspect an entity");
  entity = stateOf(world).handleAt(index);
  return {
    entity,
    index,
    generation: generationOf(entity),
    components: (stateOf(world).archetypeAt(index)?.stores ?? []).map((store) => ({
      name: store.component.name,
      component: store.component,
      reserved: store.component.reserved,
      values: valuesOf(world, store, index),
      ...(store.shared && { sharedBy: store.shared.sharing(index) }),
    })),
    computed: [...computedOf(world)].flatMap(({ name, compute }): InspectedValue[] => {
      try {
        const value = compute(entity);
        return value === undefined ? [] : [{ name, value }];
      } catch (error) {
        return [{ name, value: undefined, error }];
      }
    }),
  };
}

/** Every component the world has met, in that order. */
export function listComponents(world: World): ComponentInfo[] {
  stateOf(world).requireUsable("list components");
  return stateOf(world).stores.map((store) => ({
    name: store.component.name,
    fields: store.fields.map(({ kind }, k) => ({ name: store.names[k] as string, kind: kind as FieldKind })),
    storage: store.external === undefined ? store.component.storage : "external",
    reserved: store.component.reserved,
    count: stateOf(world).graph.all.reduce(
      (sum, archetype) => sum + (archetype.has[store.id] === 1 ? archetype.count : 0),
      0,
    ),
    ...(store.shared && { distinct: store.shared.size }),
  }));
}

/** Every combination of components that was queried, in the order it was first asked for. */
export function listQueries(world: World): QueryInfo[] {
  stateOf(world).requireUsable("list queries");
  const names = (stores: readonly Store[]) =>
    [...stores].sort((a, b) => a.id - b.id).map((store) => store.component.name);
  return [...stateOf(world).graph.matchSets.values()].map((set) => {
    const none = set["none"].length === 0 ? [] : [`not(${names(set["none"]).join(", ")})`];
    const some = set["some"].map((group) => `any(${names(group).join(", ")})`);
    return {
      text: `query(${[...names(set["all"]), ...none, ...some].join(", ")})`,
      archetypes: set.archetypes.length,
      count: set.archetypes.reduce((sum, archetype) => sum + archetype.count, 0),
    };
  });
}

function valuesOf(world: World, store: Store, index: number): { [field: string]: unknown } {
  return store.access.read(store.rowOf(index), world) as { [field: string]: unknown };
}
