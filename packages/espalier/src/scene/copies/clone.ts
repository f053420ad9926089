/**
 * Copies of subtrees. References inside a copy lead to the copy, references outside stay.
 */
import {
  type AnyComponent,
  type AnyInit,
  type Component,
  describeValue,
  type Entity,
  type Schema,
} from "../../ecs/index.ts";
import { INDEX_MASK, initOf, stateOf, tellCapture } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { allOrNothing } from "../all-or-nothing.ts";
import { freeName, placeIn, type SiblingPlace } from "../among-siblings.ts";
import { refuseUse, requireEntity, requireOptions, requireTree } from "../arguments.ts";
import { setFields } from "../build.ts";
import type { ReadContext, WriteContext } from "../codec.ts";
import { SceneMember } from "../member.ts";
import type { Registry } from "../registry.ts";
import { noMember, tablesOf } from "../tables.ts";
import { copyValue } from "./copy-value.ts";

/** Options of a clone. */
export interface CloneOptions extends SiblingPlace {
  /** The parent of the copy; that of the original if left out. */
  readonly parent?: Entity | null;
  /** The name of the copy; that of the original if left out, with a number where siblings must have different names. */
  readonly name?: string;
  /** Gets each original with its copy. */
  readonly map?: Map<Entity, Entity>;
  /**
   * Copies a value of an object field. If left out plain objects, arrays, maps, sets, dates and buffers are copied and
   * instances of other classes shared.
   */
  readonly copy?: (value: unknown, component: AnyComponent, field: string) => unknown;
}

/**
 * Copies an entity with everything below it: components, names, order, and being an instance of a prefab. Stands right
 * behind the original unless told otherwise. Ids of scenes are not copied.
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
export function clone(tree: Hierarchy, entity: Entity, options: CloneOptions = {}): Entity {
  return cloneWith(tree, entity, undefined, options);
}

interface Later {
  readonly entity: Entity;
  readonly component: AnyComponent;
  readonly field: string;
  readonly value: () => unknown;
}

/** `clone` with the codecs of a registry. */
export function cloneWith(
  tree: Hierarchy,
  entity: Entity,
  registry: Registry | undefined,
  given: CloneOptions,
): Entity {
  requireTree(tree, "clone");
  const options = requireCloning(tree, given);
  requireEntity(tree, entity, "clone");
  tellCapture(stateOf(tree.world));
  const originals = [...tree.descendants(entity, { includeSelf: true })];
  const inside = new Set(originals);
  const copies = new Map<Entity, Entity>();
  const later: Later[] = [];
  const made: Entity[] = [];
  allOrNothing(tree, made, () => {
    for (const original of originals) {
      const inits = initsOf(tree, original, registry, options, inside, copies, later);
      const isTop = original === entity;
      const copy = isTop
        ? tree.attachNewAt(topParent(tree, entity, options), placeOf(entity, options), ...inits)
        : tree.attachNew(copies.get(tree.parentOf(original) as Entity) as Entity, ...inits);
      made.push(copy);
      copies.set(original, copy);
      const name = isTop ? nameOfCopy(tree, entity, options) : tree.nameOf(original);
      if (name !== undefined) tree.setName(copy, name);
    }
    for (const { entity: original, component, field, value } of later) {
      setFields(tree, copies.get(original) as Entity, component, { [field]: value() });
    }
  });
  copyTables(tree, copies);
  if (options.map !== undefined) for (const [original, copy] of copies) options.map.set(original, copy);
  return copies.get(entity) as Entity;
}

const cloneOptions = {
  parent: "anything",
  name: "string",
  map: "anything",
  copy: "anything",
  at: "anything",
  before: "anything",
  after: "anything",
} as const;

export function requireCloning(tree: Hierarchy, given: CloneOptions): CloneOptions {
  const options = requireOptions(given, "clone", cloneOptions, tree.world.checks);
  const { parent = null, map, copy } = options;
  if (parent !== null) requireEntity(tree, parent, "clone");
  if (map !== undefined && !(map instanceof Map))
    throw refuseUse("clone", `map is a Map, got ${describeValue(map)}.`);
  if (copy !== undefined && typeof copy !== "function") {
    throw refuseUse("clone", `copy is a function, got ${describeValue(copy)}.`);
  }
  return options;
}

function topParent(tree: Hierarchy, entity: Entity, options: CloneOptions): Entity | null {
  return options.parent === undefined ? tree.parentOf(entity) : options.parent;
}

function placeOf(entity: Entity, options: CloneOptions): SiblingPlace | undefined {
  return placeIn(options) ?? (options.parent === undefined ? { after: entity } : undefined);
}

function nameOfCopy(tree: Hierarchy, entity: Entity, options: CloneOptions): string | undefined {
  if (options.name !== undefined) return options.name;
  const name = tree.nameOf(entity);
  return name === undefined ? undefined : freeName(tree, topParent(tree, entity, options), name);
}

function initsOf(
  tree: Hierarchy,
  original: Entity,
  registry: Registry | undefined,
  options: CloneOptions,
  inside: ReadonlySet<Entity>,
  copies: ReadonlyMap<Entity, Entity>,
  later: Later[],
): AnyInit[] {
  const { world } = tree;
  const write: WriteContext = { idOf: (other) => (other === null ? null : String(other)) };
  const read: ReadContext = {
    entity: (id) => copies.get(Number(id) as Entity) ?? (Number(id) as Entity),
  };
  const inits: AnyInit[] = [];
  for (const { component } of stateOf(world).archetypeAt(original & INDEX_MASK)?.stores ?? []) {
    if (component.reserved !== undefined || component === SceneMember) continue;
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
          later.push({ entity: original, component, field, value: () => codec.read(json, read) });
        }
      } else if (valueKind === "object") {
        values[field] = (options.copy ?? copyValue)(value, component, field);
      } else if (valueKind === "entity" && inside.has(value as Entity)) {
        const target = value as Entity;
        values[field] = copies.get(target) ?? null;
        if (!copies.has(target))
          later.push({ entity: original, component, field, value: () => copies.get(target) });
      }
    }
    inits.push(initOf(component, values));
  }
  return inits;
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
