/**
 * Reading and changing relations: which entities an entity refers to, which refer to it, and the data of each pair.
 */
import { refuseArgument } from "../checks/arguments.ts";
import type { AnyComponent, Component } from "../components/component.ts";
import { describeValue, type Field, type Schema } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { requireHas, requireUnreserved } from "../components/validate.ts";
import { type Entity, type EntityLike, formatEntity, INDEX_MASK, ofEntity } from "../entities/entity.ts";
import { handleIn } from "../entities/handle-in.ts";
import { InvalidValueError, RelationError } from "../errors.ts";
import { type HeldRefs, holdRefs, withoutTargets } from "../field-types/entity-refs.ts";
import {
  changedPair,
  type HeldPair,
  holdPair,
  type PairValues,
  pairMisfit,
} from "../field-types/pair-values.ts";
import { settle } from "../listeners/notices.ts";
import { notifyOthersOfSet } from "../listeners/notify.ts";
import { askGuards } from "../mutate/write.ts";
import type { WorldState } from "../state.ts";
import { isWorld, stateOf, type World } from "../world.ts";
import { requireTarget } from "./refuse-dead-targets.ts";
import { MultiRelation, type Relation, SingleRelation } from "./relation.ts";

/** The names of the fields of a component that refer to entities. */
export type ReferenceFields<S extends Schema> = {
  [K in keyof S & string]: S[K] extends Field<infer _, "entity" | "entities"> ? K : never;
}[keyof S & string];
/** The names of the fields of a component that hold one reference. */
export type SingleFields<S extends Schema> = {
  [K in keyof S & string]: S[K] extends Field<infer _, "entity"> ? K : never;
}[keyof S & string];
/** The names of the fields of a component that hold several references. */
export type MultiFields<S extends Schema> = {
  [K in keyof S & string]: S[K] extends Field<infer _, "entities"> ? K : never;
}[keyof S & string];
/** A pair of a field: the target and its data. */
export type PairOf<F> = {
  /** The entity that the owner refers to. */
  readonly target: Entity;
} & PairDataOf<F>;
/** The data of the pairs of a field. */
export type PairDataOf<F> =
  F extends Field<readonly (infer Item)[], "entities">
    ? Item extends { readonly target: Entity }
      ? { readonly [K in Exclude<keyof Item, "target">]: Item[K] }
      : Record<never, never>
    : never;

/**
 * The entities that refer to `target` in a field that is indexed, in the order of their indices. O(answers) after a change, O(1)
 * before the next one. The array never changes: a later change makes a new array.
 *
 * @throws RelationError `ecs/relation` for a field that is not indexed, DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Targets = component("Targets", { enemy: indexedRef() });
 * const orc = world.spawn();
 * const [a, b] = world.spawnMany(2, Targets({ enemy: orc }));
 * referrersOf(world, orc, Targets, "enemy"); // → [a, b]
 * ```
 */
export function referrersOf<S extends Schema>(
  world: World,
  target: EntityLike,
  component: Component<S>,
  field: ReferenceFields<S>,
): readonly Entity[] {
  const s = stateIn(world, "find referrers");
  const relation = requireIndexed(s, component, field, "find referrers");
  return relation.referrersAt(s.require(target, "find referrers"));
}

/** How many entities refer to `target` in a field that is indexed. O(1). @throws The errors of `referrersOf`. */
export function referrerCount<S extends Schema>(
  world: World,
  target: EntityLike,
  component: Component<S>,
  field: ReferenceFields<S>,
): number {
  const s = stateIn(world, "count referrers");
  const relation = requireIndexed(s, component, field, "count referrers");
  return relation.lists.countAt(s.require(target, "count referrers"));
}

/**
 * Makes `owner` refer to `target` in a field of `indexedRef`, or to nothing: `world.set` of one field at half the cost.
 *
 * @throws MissingComponentError when `owner` lacks the component, RelationError, DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Targets = component("Targets", { enemy: indexedRef() });
 * const orc = world.spawn();
 * const knight = world.spawn(Targets);
 * setTarget(world, knight, Targets, "enemy", orc);
 * world.get(knight, Targets); // → { enemy: orc }
 * ```
 */
export function setTarget<S extends Schema>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: SingleFields<S>,
  target: EntityLike | null,
): void {
  const s = stateIn(world, "set a target");
  const relation = requireOne(s, component, field, "set a target");
  owner = handleIn(s, owner);
  target = handleIn(s, target);
  const index = requireOwner(s, relation.store, owner, "set a target");
  if (target !== null) requireTarget(s, relation.store, field, target, index);
  if (relation.store.writeGuards !== undefined) askGuards(s, relation.store, owner, { [field]: target });
  relation.set(index, owner, target ?? 0);
  if (s.notices.waits) settle(s);
}

/**
 * The entities that `owner` refers to in a field of `entityRefs`, in their order; none where it lacks the component. The array is not
 * a copy and never changes: a later change makes a new array.
 *
 * @throws RelationError, DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Likes = component("Likes", { people: entityRefs() });
 * const [ann, bob] = world.spawnMany(2);
 * const eve = world.spawn(Likes({ people: [bob, ann] }));
 * targetsOf(world, eve, Likes, "people"); // → [bob, ann]
 * ```
 */
export function targetsOf<S extends Schema>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: MultiFields<S>,
): readonly Entity[] {
  const s = stateIn(world, "list targets");
  const relation = requireMany(s, component, field, "list targets");
  const targets = relation.targetsAt(s.require(owner, "list targets"));
  return relation.lists.hasStrays ? targets.filter((target) => s.table.isAlive(target)) : targets;
}

/** Whether `owner` refers to `target` in a field of `entityRefs`. Looks through the shorter of both sides. @throws As `targetsOf`. */
export function hasTarget<S extends Schema>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: MultiFields<S>,
  target: EntityLike,
): boolean {
  const s = stateIn(world, "ask for a target");
  const relation = requireMany(s, component, field, "ask for a target");
  target = handleIn(s, target);
  return relation.refersTo(s.require(owner, "ask for a target"), target) && s.table.isAlive(target);
}

/**
 * Adds a target behind the others. Where it is one already, only given data is written. `true` when it was not there. O(targets of the
 * owner).
 *
 * @throws MissingComponentError when `owner` lacks the component, InvalidValueError for data that does not fit, RelationError,
 * DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Likes = component("Likes", { people: entityRefs() });
 * const [ann, bob] = world.spawnMany(2, Likes);
 * addTarget(world, ann, Likes, "people", bob); // → true
 * addTarget(world, ann, Likes, "people", bob); // → false
 * ```
 */
export function addTarget<S extends Schema, K extends MultiFields<S>>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: K,
  target: EntityLike,
  data?: Partial<PairDataOf<S[K]>>,
): boolean {
  const edit = beginEdit(world, owner, component, field, "add a target");
  const { s, relation, held } = edit;
  owner = edit.owner;
  target = handleIn(s, target);
  requireTarget(s, relation.store, field, target, owner & INDEX_MASK);
  const given = requireData(relation, data, owner);
  if (relation.refersTo(owner & INDEX_MASK, target)) {
    if (data !== undefined) writePair(edit, held.targets.indexOf(target), given);
    return false;
  }
  const pairs = held.data === null ? null : [...held.data, holdPair(relation.field, target, given)];
  const next = holdRefs([...held.targets, target], pairs);
  write(edit, next, held.targets.length);
  return true;
}

/**
 * Removes a target and the data of its pair; the others keep their order. `false` when it is not there.
 *
 * @throws MissingComponentError, RelationError, DeadEntityError, InvalidEntityError.
 */
export function removeTarget<S extends Schema>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: MultiFields<S>,
  target: EntityLike,
): boolean {
  const edit = beginEdit(world, owner, component, field, "remove a target");
  const { targets, data } = edit.held;
  target = handleIn(edit.s, target);
  const at = targets.indexOf(target);
  if (at < 0) {
    edit.s.requireEntityLike(target, "remove a target");
    return false;
  }
  const next = holdRefs(without(targets, at), data === null ? null : without(data, at));
  write(edit, next, at);
  return true;
}

/**
 * The pairs of `owner`, in the order of its targets, each with its target and data; none where it lacks the component. The array
 * never changes: a later change makes a new array.
 *
 * @throws RelationError, DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Inventory = component("Inventory", { items: entityRefs({ data: { amount: u32(1) } }) });
 * const arrow = world.spawn();
 * const hero = world.spawn(Inventory({ items: [{ target: arrow, amount: 20 }] }));
 * pairsOf(world, hero, Inventory, "items"); // → [{ target: arrow, amount: 20 }]
 * ```
 */
export function pairsOf<S extends Schema, K extends MultiFields<S>>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: K,
): readonly PairOf<S[K]>[] {
  const s = stateIn(world, "list pairs");
  const relation = requireMany(s, component, field, "list pairs");
  const held = relation.heldAt(s.require(owner, "list pairs")) as HeldRefs | undefined;
  if (held === undefined) return [];
  const { targets, data } = relation.lists.hasStrays
    ? withoutTargets(held, (target) => !s.table.isAlive(target))
    : held;
  return (data ?? targets.map((target) => ({ target }))) as readonly PairOf<S[K]>[];
}

/**
 * The pair of `owner` and `target`, with its data; `undefined` when `owner` does not refer to `target`.
 *
 * @throws RelationError, DeadEntityError, InvalidEntityError.
 */
export function pairOf<S extends Schema, K extends MultiFields<S>>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: K,
  target: EntityLike,
): PairOf<S[K]> | undefined {
  const s = stateIn(world, "read a pair");
  const relation = requireMany(s, component, field, "read a pair");
  const held = relation.heldAt(s.require(owner, "read a pair")) as HeldRefs | undefined;
  target = handleIn(s, target);
  const at = held?.targets.indexOf(target) ?? -1;
  if (at < 0 || !s.table.isAlive(target)) return undefined;
  return (held?.data?.[at] ?? { target }) as PairOf<S[K]>;
}

/**
 * Writes some of the data of a pair; the rest stays.
 *
 * @throws RelationError `ecs/relation` when `owner` does not refer to `target`; use `addTarget` then. InvalidValueError,
 * MissingComponentError, DeadEntityError, InvalidEntityError.
 *
 * @example
 * ```ts
 * const Ties = component("Ties", { people: entityRefs({ data: { strength: f32(0.5) } }) });
 * const ann = world.spawn();
 * const eve = world.spawn(Ties);
 * addTarget(world, eve, Ties, "people", ann);
 * setPair(world, eve, Ties, "people", ann, { strength: 0.75 });
 * pairOf(world, eve, Ties, "people", ann)?.strength; // → 0.75
 * ```
 */
export function setPair<S extends Schema, K extends MultiFields<S>>(
  world: World,
  owner: EntityLike,
  component: Component<S>,
  field: K,
  target: EntityLike,
  data: Partial<PairDataOf<S[K]>>,
): void {
  const edit = beginEdit(world, owner, component, field, "set a pair");
  const { relation, held } = edit;
  owner = edit.owner;
  target = handleIn(edit.s, target);
  const at = held.targets.indexOf(target);
  if (at < 0) {
    edit.s.requireEntityLike(target, "set a pair");
    throw new RelationError(
      `Cannot set a pair of ${formatEntity(owner)} and ${formatEntity(target)}: ${relation.name} of ${formatEntity(owner)} does not refer to it. Use addTarget().`,
      { entities: [owner, target], component: component.name, field },
    );
  }
  writePair(edit, at, requireData(relation, data, owner));
}

// Edits --------------------------------------------------------------------------------------------------------------------

const nothing: PairValues = {};

interface Edit {
  readonly s: WorldState;
  readonly relation: MultiRelation;
  readonly owner: Entity;
  readonly held: HeldRefs;
}

function beginEdit(
  world: World,
  given: EntityLike,
  component: AnyComponent,
  field: string,
  doing: string,
): Edit {
  const s = stateIn(world, doing);
  const relation = requireMany(s, component, field, doing);
  const owner = handleIn(s, given);
  const row = relation.store.rowOf(requireOwner(s, relation.store, owner, doing));
  return { s, relation, owner, held: relation.column[row] as unknown as HeldRefs };
}

/** The index of an entity that has the component and may be given other values of it. */
function requireOwner(s: WorldState, store: Store, owner: Entity, doing: string): number {
  const index = s.require(owner, doing);
  requireUnreserved(store, "set", owner);
  requireHas(s, owner, index, store);
  s.requireUnasked(doing);
  return index;
}

function writePair(edit: Edit, at: number, given: PairValues): void {
  const { relation, held } = edit;
  if (held.data === null) return;
  const pair = changedPair(relation.field, held.data[at] as HeldPair, given);
  if (pair === undefined) return;
  const data = held.data.slice();
  data[at] = pair;
  // The same targets: their links stay as they are.
  write(edit, holdRefs(held.targets, data));
}

/** Writes what differs from what is there: in data, or by one target, at a position. */
function write({ s, relation, owner, held: before }: Edit, held: HeldRefs, at = -1): void {
  const { store, number, field } = relation;
  if (store.writeGuards !== undefined) {
    const value = field.type.decode?.(held, s, field);
    askGuards(s, store, owner, { [store.names[number] as string]: value });
  }
  if (s.recorder.wanted) s.recorder.writing(owner, store, number, before);
  const index = owner & INDEX_MASK;
  (relation.column as unknown[])[store.rowOf(index)] = held;
  // The index is given what following the change would have to find out, and nothing where the targets are the same.
  if (at >= 0 && !relation.changedAt(index, before.targets, held.targets, at)) relation.follow(index);
  store.external?.written(index);
  if (store.heard) notifyOthersOfSet(s, owner, index, store);
  if (s.notices.waits) settle(s);
}

function requireData(relation: MultiRelation, data: object | undefined, owner?: Entity): PairValues {
  if (data === undefined) return nothing;
  const isObject = typeof data === "object" && data !== null;
  const wrong = isObject
    ? pairMisfit(relation.field, data as PairValues)
    : `takes an object, got ${describeValue(data)}`;
  if (wrong === undefined) return data as PairValues;
  const field = relation.store.names[relation.number] as string;
  throw new InvalidValueError(`Cannot set ${relation.name}${ofEntity(owner)}: ${field} ${wrong}.`, {
    entities: owner === undefined ? [] : [owner],
    component: relation.store.component.name,
    field,
    value: data,
  });
}

function without<Item>(list: readonly Item[], at: number): Item[] {
  const rest: Item[] = [];
  for (let k = 0; k < list.length; k++) if (k !== at) rest.push(list[k] as Item);
  return rest;
}

// Arguments ----------------------------------------------------------------------------------------------------------------

function stateIn(world: World, doing: string): WorldState {
  const s = isWorld(world) ? stateOf(world) : refuseArgument(world, doing, "it", "a world");
  s.requireUsable(doing);
  return s;
}

/** The number of a field that holds references. */
export function requireReference(store: Store, field: string, doing: string): number {
  const number = store.names.indexOf(field);
  const valueKind = number < 0 ? undefined : store.types[number].valueKind;
  if (valueKind === "entity" || valueKind === "entities") return number;
  const { name } = store.component;
  const why = number < 0 ? "has no such field" : `holds ${store.types[number].kind} there`;
  throw new RelationError(
    `Cannot ${doing}: ${fieldIn(name, field)} is not a reference, ${name} ${why}. Name a field of indexedRef() or entityRefs().`,
    { component: name, field: typeof field === "string" ? field : describeValue(field) },
  );
}

/** `Targets.enemy`; what is not a name is described. */
function fieldIn(component: string, field: unknown): string {
  return typeof field === "string" ? `${component}.${field}` : `${component}[${describeValue(field)}]`;
}

/** The relation of an indexed field. */
export function requireIndexed(
  s: WorldState,
  component: AnyComponent,
  field: string,
  doing: string,
): Relation {
  const store = s.store(component);
  const relation = store.relations?.[store.names.indexOf(field)];
  if (relation !== undefined) return relation as Relation;
  requireReference(store, field, doing);
  throw new RelationError(
    `Cannot ${doing}: ${component.name}.${field} is not indexed. Define it with indexedRef().`,
    { component: component.name, field },
  );
}

/** What can be known of an edit before its entities are: that the field can be edited this way, and that the data fits. */
export function requireEditable(
  world: World,
  component: AnyComponent,
  field: string,
  holdsMany: boolean,
  data: object | undefined,
  doing: string,
): void {
  const s = stateIn(world, doing);
  if (!holdsMany) requireOne(s, component, field, doing);
  else requireData(requireMany(s, component, field, doing), data);
}

function requireOne(s: WorldState, component: AnyComponent, field: string, doing: string): SingleRelation {
  const relation = requireIndexed(s, component, field, doing);
  if (relation instanceof SingleRelation) return relation;
  throw new RelationError(
    `Cannot ${doing}: ${relation.name} holds several references. Use addTarget() and removeTarget().`,
    { component: component.name, field },
  );
}

function requireMany(s: WorldState, component: AnyComponent, field: string, doing: string): MultiRelation {
  const relation = requireIndexed(s, component, field, doing);
  if (relation instanceof MultiRelation) return relation;
  throw new RelationError(
    `Cannot ${doing}: ${component.name}.${field} holds one reference. Use world.get() and world.set(), or define it with entityRefs().`,
    { component: component.name, field },
  );
}
