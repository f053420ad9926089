/**
 * What queries can ask of relations: `world.query(Soldier, refersTo(Targets, "enemy", Health))`.
 *
 * The terms are answered from the columns and the index while the query runs, as those of trees are. They are made without a world and
 * bound to one when a query is.
 */

import { type AnyComponent, type Component, isComponent } from "../components/component.ts";
import { describeValue, type Schema } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import {
  type Entity,
  type EntityLike,
  formatEntity,
  heldId,
  INDEX_MASK,
  isHandle,
} from "../entities/entity.ts";
import { handleIn } from "../entities/handle-in.ts";
import type { HeldRefs } from "../field-types/entity-refs.ts";
import { testOf } from "../queries/split-terms.ts";
import { type FilterTerm, type NarrowingTerm, nameOfTerm, type RelatedTerm } from "../queries/terms.ts";
import type { WorldState } from "../state.ts";
import { stateOf, type World } from "../world.ts";
import type { Relation } from "./relation.ts";
import { type ReferenceFields, requireIndexed, requireReference } from "./targets.ts";

/** What the other side of a relation must be: an entity, or what a term says. */
export type OtherSide = EntityLike | NarrowingTerm;

/** The index of the first entity on the other side for which a test holds; 0 for none. */
type Find = (index: number, test: (other: number) => boolean) => number;

/**
 * Entities that refer to some entity in a field, to a given one, or to one for which a term holds. With a component the callback
 * gets the target's values, of several targets the first that has it; `query.sourceOf(entity, term)` says which that is. O(targets).
 *
 * Each candidate of the other terms is asked. To start from one target, use `referrersOf`, which is O(answers).
 *
 * @throws RelationError when the query is made, for a field that is not a reference.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const Targets = component("Targets", { enemy: indexedRef() });
 * const orc = world.spawn(Health);
 * const knight = world.spawn(Targets({ enemy: orc }));
 * world.query(Targets, refersTo(Targets, "enemy", Health)).update((_, health) => {
 *   health.hp -= 10;
 * });
 * world.get(orc, Health); // → { hp: 90 }
 * world.query(refersTo(Targets, "enemy", orc)).ids(); // → [knight]
 * world.query(Health, not(refersTo(Targets, "enemy"))).ids(); // → [orc]
 * ```
 */
export function refersTo<S extends Schema, C extends AnyComponent>(
  component: Component<S>,
  field: ReferenceFields<S>,
  target: C,
): RelatedTerm<C>;
/** Entities that refer to some entity, to a given one, or to one for which a term holds. */
export function refersTo<S extends Schema>(
  component: Component<S>,
  field: ReferenceFields<S>,
  target?: OtherSide,
): FilterTerm;
export function refersTo(
  component: AnyComponent,
  field: string,
  target?: OtherSide,
): FilterTerm | RelatedTerm {
  return relationTerm("refersTo", component, field, target, (s) => findTarget(s, component, field));
}

/**
 * Entities to which some entity refers in an indexed field, a given one, or one for which a term holds. With a component the callback
 * gets the values of the owner, of several the one with the lowest index that has it. O(referrers) for what is asked of them, O(1)
 * otherwise.
 *
 * @throws RelationError when the query is made, for a field that is not an indexed reference.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const Targets = component("Targets", { enemy: indexedRef() });
 * const [orc, wolf] = world.spawnMany(2, Health);
 * world.spawn(Targets({ enemy: orc }));
 * world.query(Health, referredBy(Targets, "enemy")).ids(); // → [orc]
 * world.query(Health, not(referredBy(Targets, "enemy"))).ids(); // → [wolf]
 * ```
 */
export function referredBy<S extends Schema, C extends AnyComponent>(
  component: Component<S>,
  field: ReferenceFields<S>,
  owner: C,
): RelatedTerm<C>;
/** Entities to which some entity refers, a given one, or one for which a term holds. */
export function referredBy<S extends Schema>(
  component: Component<S>,
  field: ReferenceFields<S>,
  owner?: OtherSide,
): FilterTerm;
export function referredBy(
  component: AnyComponent,
  field: string,
  owner?: OtherSide,
): FilterTerm | RelatedTerm {
  return relationTerm("referredBy", component, field, owner, (s) => findOwner(s, component, field));
}

function relationTerm(
  kind: string,
  component: AnyComponent,
  field: string,
  other: OtherSide | undefined,
  findIn: (s: WorldState) => Find,
): FilterTerm | RelatedTerm {
  const shown = other === undefined ? "" : `, ${isEntity(other) ? formatEntity(other) : nameOfTerm(other)}`;
  const of = isComponent(component) ? component.name : describeValue(component);
  const name = `${kind}(${of}, ${describeValue(field)}${shown})`;
  if (isComponent(other)) {
    return {
      term: "related",
      name,
      component: other,
      resolve: unbound,
      bind: (world) => {
        const s = stateOf(world as World);
        const find = findIn(s);
        const store = s.store(other);
        const has = (index: number) => s.hasAt(index, store);
        return { term: "related", name, component: other, resolve: (index) => find(index, has), world };
      },
    };
  }
  return {
    term: "filter",
    name,
    test: unbound,
    bind: (world) => {
      const s = stateOf(world as World);
      const find = findIn(s);
      const holds = otherTest(s, world, other);
      return { term: "filter", name, test: (index) => find(index, holds) !== 0, world };
    },
  };
}

function isEntity(other: OtherSide): other is EntityLike {
  return isHandle(other) || heldId(other) !== undefined;
}

function otherTest(
  s: WorldState,
  world: object,
  other: Exclude<OtherSide, AnyComponent> | undefined,
): (index: number) => boolean {
  if (other === undefined) return () => true;
  if (!isEntity(other)) return testOf(s, world, other);
  const wanted = s.require(other, "query a relation");
  const entity = handleIn(s, other);
  return (index) => index === wanted && s.table.isAlive(entity);
}

function findTarget(s: WorldState, component: AnyComponent, field: string): Find {
  const store = s.store(component);
  const number = requireReference(store, field, "query a relation");
  const held = heldIn(s, store, number);
  if (store.types[number].valueKind === "entity") {
    return (index, test) => {
      const target = (held(index) ?? 0) as Entity | 0;
      if (target === 0 || !s.table.isAlive(target as Entity)) return 0;
      return test(target & INDEX_MASK) ? target & INDEX_MASK : 0;
    };
  }
  return (index, test) => {
    const targets = (held(index) as HeldRefs | undefined)?.targets;
    if (targets === undefined) return 0;
    for (const target of targets) {
      if (s.table.isAlive(target) && test(target & INDEX_MASK)) return target & INDEX_MASK;
    }
    return 0;
  };
}

function heldIn(s: WorldState, store: Store, number: number): (index: number) => unknown {
  const name = store.names[number] as string;
  return (index) =>
    s.hasAt(index, store) ? (store.columns[name] as unknown[])[store.rowOf(index)] : undefined;
}

function findOwner(s: WorldState, component: AnyComponent, field: string): Find {
  const relation: Relation = requireIndexed(s, component, field, "query a relation");
  const { lists } = relation;
  return (index, test) => {
    let lowest = 0;
    for (let link = lists.firstAt(index); link !== 0; link = lists.after(link)) {
      const owner = relation.ownerOf(link);
      if ((lowest === 0 || owner < lowest) && test(owner)) lowest = owner;
    }
    return lowest;
  };
}

function unbound(): never {
  throw new TypeError("A term of a relation answers only inside a query.");
}
