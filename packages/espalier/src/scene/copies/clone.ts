/**
 * Copies of subtrees. References inside a copy lead to the copy, references outside stay.
 */
import {
  type AnyComponent,
  type AnyInit,
  type Component,
  describeValue,
  type Entity,
  type EntityLike,
  type Schema,
} from "../../ecs/index.ts";
import { INDEX_MASK, initOf, notifyCapture, stateOf } from "../../ecs/internal.ts";
import { attachNewAt, type Hierarchy } from "../../hierarchy/index.ts";
import { allOrNothing } from "../all-or-nothing.ts";
import { freeName, positionFrom, type SiblingPositionOptions } from "../among-siblings.ts";
import { refuseUse, requireEntity, requireOptions, requireTree } from "../arguments.ts";
import { setFields } from "../build.ts";
import type { ReadContext, WriteContext } from "../codec.ts";
import { SceneMember } from "../member.ts";
import type { Registry } from "../registry.ts";
import { noMember, tablesOf } from "../tables.ts";
import { copyValue } from "./copy-value.ts";

/** Options of a clone. */
export interface CloneOptions extends SiblingPositionOptions {
  /** The parent of the copy; that of the original if left out. */
  readonly parent?: EntityLike | null;
  /** The name of the copy; that of the original if left out, with a number where siblings must have different names. */
  readonly name?: string;
  /** Filled with each original and its copy. */
  readonly map?: Map<Entity, Entity>;
  /**
   * Copies a value of an object field. If left out plain objects, arrays, maps, sets, dates and buffers are copied and
   * instances of other classes shared.
   */
  readonly copy?: (value: unknown, component: AnyComponent, field: string) => unknown;
}

/**
 * Copies an entity with everything below it: components, names, order, and links to prefabs. The copy is placed
 * directly after the original unless `options` say otherwise. Scene ids are not copied.
 *
 * Entities inside object fields are not recognised; `format.clone()` sees those that a codec with `references` writes.
 *
 * @example
 * ```ts
 * const Aim = component("Aim", { at: entityRef(), from: entityRef() });
 * const enemy = world.spawn();
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank, Aim({ at: enemy, from: tank }));
 * const copy = clone(tree, tank);
 * world.get(tree.childrenOf(copy)[0], Aim); // → { at: enemy, from: copy }
 * ```
 */
export function clone(tree: Hierarchy, entity: EntityLike, options: CloneOptions = {}): Entity {
  return cloneWith(tree, entity, options, undefined);
}

export const cloneOptions = {
  parent: "anything",
  name: "string",
  map: "anything",
  copy: "anything",
  at: "anything",
  before: "anything",
  after: "anything",
} as const;

/**
 * `clone` with the codecs of a registry.
 *
 * @param isAlone - Whether to copy only the entity as a plain one, without its descendants.
 */
export function cloneWith(
  tree: Hierarchy,
  original: EntityLike,
  given: CloneOptions,
  registry: Registry | undefined,
  isAlone = false,
): Entity {
  const { world } = requireTree(tree, "clone");
  const options = requireOptions(given, "clone", cloneOptions, world.checks);
  const { map, copy: copyOf = copyValue } = options;
  if (map !== undefined && !(map instanceof Map))
    throw refuseUse("clone", `map is a Map, got ${describeValue(map)}.`);
  if (typeof copyOf !== "function")
    throw refuseUse("clone", `copy is a function, got ${describeValue(copyOf)}.`);
  const under = options.parent ?? null;
  const chosen = under === null ? null : requireEntity(tree, under, "clone");
  const entity = requireEntity(tree, original, "clone");
  notifyCapture(stateOf(world));
  const isBeside = options.parent === undefined;
  const parent = isBeside ? tree.parentOf(entity) : chosen;
  const position = positionFrom(options) ?? (isBeside ? { after: entity } : undefined);
  const originals = isAlone ? [entity] : [...tree.descendants(entity, { includeSelf: true })];
  const inside = new Set(originals);
  const copies = new Map<Entity, Entity>();
  const made: Entity[] = [];
  /** Sets fields that need all copies to exist. */
  const later: (() => void)[] = [];
  const write: WriteContext = { idOf: (other) => (other === null ? null : String(other)) };
  const read: ReadContext = {
    entity: (id) => copies.get(Number(id) as Entity) ?? (Number(id) as Entity),
  };

  const setLater = (original: Entity, component: AnyComponent, field: string, find: () => unknown) =>
    later.push(() => setFields(tree, copies.get(original) as Entity, component, { [field]: find() }));

  const initFor = (original: Entity, component: AnyComponent): AnyInit => {
    const values = world.get(original, component as Component<Schema>) as { [field: string]: unknown };
    for (const field of Object.keys(values)) {
      const { valueKind } = component.schema[field].type;
      const value = values[field];
      const codec = registry?.byComponent.get(component)?.fields.get(field)?.codec;
      if (codec !== undefined) {
        const json = codec.write(value, write);
        if (codec.references !== true) values[field] = codec.read(json, read);
        else {
          delete values[field];
          setLater(original, component, field, () => codec.read(json, read));
        }
      } else if (valueKind === "object") {
        values[field] = copyOf(value, component, field);
      } else if (valueKind === "entities") {
        const items = value as readonly (Entity | { readonly target: Entity })[];
        const copyOfTarget = (target: Entity) => copies.get(target) ?? target;
        if (!items.some((item) => inside.has(typeof item === "object" ? item.target : item))) continue;
        delete values[field];
        setLater(original, component, field, () =>
          items.map((item) =>
            typeof item === "object" ? { ...item, target: copyOfTarget(item.target) } : copyOfTarget(item),
          ),
        );
      } else if (valueKind === "entity" && inside.has(value as Entity)) {
        const target = value as Entity;
        values[field] = copies.get(target) ?? null;
        if (!copies.has(target)) setLater(original, component, field, () => copies.get(target));
      }
    }
    return initOf(component, values);
  };

  allOrNothing(tree, made, () => {
    for (const original of originals) {
      const inits: AnyInit[] = [];
      for (const { component } of stateOf(world).archetypeAt(original & INDEX_MASK)?.stores ?? []) {
        if (component.reserved === undefined && component !== SceneMember)
          inits.push(initFor(original, component));
      }
      const isTop = original === entity;
      const copy = isTop
        ? attachNewAt(tree, parent, position, ...inits)
        : tree.attachNew(copies.get(tree.parentOf(original) as Entity) as Entity, ...inits);
      made.push(copy);
      copies.set(original, copy);
      let name = tree.nameOf(original);
      if (isTop) name = options.name ?? (name === undefined ? undefined : freeName(tree, parent, name));
      if (name !== undefined) tree.setName(copy, name);
    }
    for (const set of later) set();
  });
  if (!isAlone) copyTables(tree, copies);
  for (const [original, copy] of copies) map?.set(original, copy);
  return made[0];
}

function copyTables(tree: Hierarchy, copies: ReadonlyMap<Entity, Entity>): void {
  const { instances, kept } = tablesOf(tree);
  if (instances.isEmpty && kept.isEmpty) return;
  for (const [original, copy] of copies) {
    const keptThere = kept.get(original);
    if (keptThere !== undefined) kept.set(copy, keptThere);
    const record = instances.get(original);
    if (record === undefined) continue;
    const members = record.members.map((member) => copies.get(member) ?? noMember);
    const { registry, template, reference } = record;
    instances.set(copy, { registry, template, reference, root: copy, members });
  }
}
