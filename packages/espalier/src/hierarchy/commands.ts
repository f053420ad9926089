/**
 * Editing calls for later: everything `Hierarchy` offers, recorded on a command buffer and applied at its flush.
 */

import { type Commands, type ComponentInit, type Entity, MAX_ENTITIES } from "../ecs/index.ts";
import {
  checkOptions,
  INDEX_MASK,
  type OptionKinds,
  refuseArgument,
  requireFunction,
  requireList,
} from "../ecs/internal.ts";
import { requireTree } from "./arguments.ts";
import * as edits from "./edit/edits.ts";
import { destroyChildren, ensurePath, replaceInTree } from "./edit/more-edits.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";
import { parsePath } from "./names/paths.ts";
import {
  type DestroyOptions,
  destroyOptions,
  type KeepOptions,
  keepOptions,
  type PlaceOptions,
  placeOptions,
  type SpaceName,
} from "./options.ts";
import { moveToBack, moveToFront, setOrder } from "./order/sibling-order.ts";
import { flatten, handlesOf, type NamesIn, type SpawnedTree, type TreeLiteral } from "./spawn-tree.ts";

/**
 * Records the editing calls of `tree` on `buffer`. A command is skipped when an entity it names is dead at the flush,
 * and refused when the call would throw then; both are reported in the flush result.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const commands = createCommands(world);
 * const later = hierarchyCommands(tree, commands);
 * const turret = later.attachNew(tank);
 * tree.childCount(tank); // → 0
 * commands.flush();
 * tree.childrenOf(tank); // → [turret]
 * ```
 */
export function hierarchyCommands<Keep extends string>(
  tree: Hierarchy<Keep>,
  buffer: Commands,
): HierarchyCommands<Keep> {
  requireTree(tree, "record tree commands");
  if (typeof (Object(buffer) as Partial<Commands>).record !== "function") {
    refuseArgument(buffer, "record tree commands", "the buffer", "one that createCommands() returned");
  }
  return new HierarchyCommands(tree, buffer);
}

/** The editing calls of a tree as commands: recorded now, made at the next flush. */
export class HierarchyCommands<Keep extends string = SpaceName> {
  private readonly tree: Hierarchy<Keep>;
  private readonly buffer: Commands;

  constructor(tree: Hierarchy<Keep>, buffer: Commands) {
    this.tree = tree;
    this.buffer = buffer;
  }

  /** Records `tree.attach`. */
  attach(child: Entity, parent: Entity | null, options?: PlaceOptions<Keep>): void {
    this.edit(
      "attach",
      (...own) => this.tree.attach(...own),
      [child, parent, options],
      [child, parent, ...beside(options)],
      placeOptions,
    );
  }

  /** Records `setParent`. */
  setParent(child: Entity, parent: Entity | null, options?: KeepOptions<Keep>): void {
    this.edit(
      "setParent",
      (...own) => edits.setParent(this.tree, ...own),
      [child, parent, options],
      [child, parent],
      keepOptions,
    );
  }

  /**
   * Creates an entity under `parent` at the flush; its handle can be used in further commands at once. If it cannot be
   * attached then, there is no entity.
   */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    return this.attachNewAt(parent, undefined, ...inits);
  }

  /** `attachNew` with a place among the siblings. */
  attachNewAt(
    parent: Entity | null,
    options: PlaceOptions<Keep> | undefined,
    ...inits: ComponentInit[]
  ): Entity {
    this.check(options, placeOptions);
    const own = copied(options);
    const entity = this.spawnUnder(parent, inits);
    this.attachSpawned("attachNew", [entity], [parent, ...beside(own)], () => {
      this.tree.attach(entity, parent, own);
    });
    return entity;
  }

  /**
   * Creates the tree that `literal` describes at the flush; its handles can be used in further commands at once. If
   * one node is refused then, none of them exists.
   */
  spawnTree<const T extends TreeLiteral>(literal: T, parent: Entity | null = null): SpawnedTree<NamesIn<T>> {
    const nodes = flatten(literal);
    const all: Entity[] = [];
    const pairs = nodes.map(({ literal, parentIndex }) => {
      const above = parentIndex < 0 ? parent : all[parentIndex];
      const entity = this.spawnUnder(above, literal.with ?? []);
      all.push(entity);
      return [entity, above] as const;
    });
    this.attachSpawned("spawnTree", all, [parent], () => {
      edits.attachAll(this.tree, pairs);
      nodes.forEach(({ literal: { name } }, k) => {
        if (name !== undefined) this.tree.setName(all[k], name);
      });
    });
    return handlesOf(nodes, all) as SpawnedTree<NamesIn<T>>;
  }

  /** Records `attachMany`: all of them, or none if one is refused at the flush. */
  attachMany(children: readonly Entity[], parent: Entity | null, options?: PlaceOptions<Keep>): void {
    const named = [...listed(children), parent, ...beside(options)];
    this.edit(
      "attachMany",
      (...own) => edits.attachMany(this.tree, ...own),
      [children, parent, options],
      named,
      placeOptions,
    );
  }

  /** Records `insertChildren`. */
  insertChildren(
    parent: Entity | null,
    index: number,
    children: readonly Entity[],
    options?: KeepOptions<Keep>,
  ): void {
    const named = [parent, ...listed(children)];
    this.edit(
      "insertChildren",
      (...own) => edits.insertChildren(this.tree, ...own),
      [parent, index, children, options],
      named,
      keepOptions,
    );
  }

  /** Records `attachAll`: all of them, or none if one is refused at the flush. */
  attachAll(
    pairs: readonly (readonly [child: Entity, parent: Entity | null])[],
    options?: KeepOptions<Keep>,
  ): void {
    requireList(pairs, "record attachments", "the list of pairs");
    for (const pair of pairs) requireList(pair, "record attachments", "a pair of child and parent");
    this.edit(
      "attachAll",
      (...own) => edits.attachAll(this.tree, ...own),
      [pairs, options],
      pairs.flat(),
      keepOptions,
    );
  }

  /** Records `tree.detach`. */
  detach(child: Entity, options?: KeepOptions<Keep>): void {
    this.edit("detach", (...own) => this.tree.detach(...own), [child, options], [child], keepOptions);
  }

  /** Records `detachMany`. */
  detachMany(children: readonly Entity[], options?: KeepOptions<Keep>): void {
    this.edit(
      "detachMany",
      (...own) => edits.detachMany(this.tree, ...own),
      [children, options],
      listed(children),
      keepOptions,
    );
  }

  /** Records `detachChildren`. */
  detachChildren(parent: Entity, options?: KeepOptions<Keep>): void {
    this.edit(
      "detachChildren",
      (...own) => edits.detachChildren(this.tree, ...own),
      [parent, options],
      [parent],
      keepOptions,
    );
  }

  /** Records `replaceChildren`. */
  replaceChildren(parent: Entity, children: readonly Entity[], options?: KeepOptions<Keep>): void {
    const named = [parent, ...listed(children)];
    this.edit(
      "replaceChildren",
      (...own) => edits.replaceChildren(this.tree, ...own),
      [parent, children, options],
      named,
      keepOptions,
    );
  }

  /** Records `tree.moveChild`. */
  moveChild(child: Entity, to: Parameters<Hierarchy["moveChild"]>[1]): void {
    this.edit(
      "moveChild",
      (...own) => this.tree.moveChild(...own),
      [child, to],
      [child, ...beside(to as PlaceOptions)],
    );
  }

  /** Records `setOrder`. */
  setOrder(entity: Entity, index: number): void {
    this.record("setOrder", [entity], () => setOrder(this.tree, entity, index));
  }

  /** Records `moveToFront`. */
  moveToFront(entity: Entity): void {
    this.record("moveToFront", [entity], () => moveToFront(this.tree, entity));
  }

  /** Records `moveToBack`. */
  moveToBack(entity: Entity): void {
    this.record("moveToBack", [entity], () => moveToBack(this.tree, entity));
  }

  /** Records `swap`. */
  swap(a: Entity, b: Entity, options?: KeepOptions<Keep>): void {
    this.edit("swap", (...own) => edits.swap(this.tree, ...own), [a, b, options], [a, b], keepOptions);
  }

  /** Records `isolate`. */
  isolate(entity: Entity, options?: KeepOptions<Keep>): void {
    this.edit(
      "isolate",
      (...own) => edits.isolate(this.tree, ...own),
      [entity, options],
      [entity],
      keepOptions,
    );
  }

  /** Records `dissolve`. */
  dissolve(entity: Entity, options?: KeepOptions<Keep>): void {
    this.edit(
      "dissolve",
      (...own) => edits.dissolve(this.tree, ...own),
      [entity, options],
      [entity],
      keepOptions,
    );
  }

  /** Records `sortChildren`. `compare` is called at the flush. */
  sortChildren(parent: Entity | null, compare: (a: Entity, b: Entity) => number): void {
    requireFunction(compare, "record a sort of children", "what compares them");
    this.edit("sortChildren", (...own) => edits.sortChildren(this.tree, ...own), [parent, compare], [parent]);
  }

  /** Records `sortChildrenBy`. Keys are read at the flush. */
  sortChildrenBy(parent: Entity | null, keyOf: (child: Entity) => number | string): void {
    requireFunction(keyOf, "record a sort of children", "what gives the key of a child");
    const call = (...own: [Entity | null, typeof keyOf]) => edits.sortChildrenBy(this.tree, ...own);
    this.edit("sortChildrenBy", call, [parent, keyOf], [parent]);
  }

  /** Records `destroyChildren`. */
  destroyChildren(parent: Entity): void {
    this.record("destroyChildren", [parent], () => destroyChildren(this.tree, parent));
  }

  /**
   * Creates `count` entities under `parent` at the flush; their handles can be used in further commands at once. If one cannot be attached then, there is
   * none of them.
   */
  attachNewMany(parent: Entity | null, count: number, ...inits: ComponentInit[]): Entity[] {
    if (!Number.isInteger(count) || count < 0 || count > MAX_ENTITIES)
      refuseArgument(count, "record new entities", "their number", `an integer from 0 to ${MAX_ENTITIES}`);
    const all = Array.from({ length: count }, () => this.spawnUnder(parent, inits));
    this.attachSpawned("attachNewMany", all, [parent], () => edits.attachMany(this.tree, all, parent));
    return all;
  }

  /** Records `replaceInTree`. */
  replaceInTree(entity: Entity, replacement: Entity, options?: KeepOptions<Keep>): void {
    const call = (...own: [Entity, Entity, KeepOptions<Keep> | undefined]) =>
      replaceInTree(this.tree, ...own);
    this.edit("replaceInTree", call, [entity, replacement, options], [entity, replacement], keepOptions);
  }

  /** Records `ensurePath`. */
  ensurePath(path: string, from: Entity | null = null, ...inits: ComponentInit[]): void {
    parsePath(path);
    const own = [...inits];
    this.record("ensurePath", [from], () => ensurePath(this.tree, path, from, ...own));
  }

  /** Records `tree.setName`. */
  setName(entity: Entity, name: string | undefined): void {
    this.edit("setName", (...own) => this.tree.setName(...own), [entity, name], [entity]);
  }

  /** Records `tree.destroy`. */
  destroy(entity: Entity, options: DestroyOptions<Keep> = {}): void {
    this.edit("destroy", (...own) => this.tree.destroy(...own), [entity, options], [entity], destroyOptions);
  }

  /**
   * Records a call of the tree.
   * @param named The entities that must be alive then.
   * @param kinds What the last argument may hold, where it is options.
   */
  private edit<Args extends readonly unknown[]>(
    name: string,
    call: (...args: Args) => unknown,
    args: readonly [...Args],
    named: readonly (Entity | null)[],
    kinds?: OptionKinds,
  ): void {
    if (kinds !== undefined) this.check(args.at(-1), kinds);
    const own = args.map(copied) as unknown as Args;
    this.record(name, named, () => call(...own));
  }

  /** Options are checked now, when the caller can still be seen. */
  private check(options: unknown, kinds: OptionKinds): void {
    checkOptions(this.tree.world.checks, "record a change of the tree", options, kinds);
  }

  private record(label: string, entities: readonly (Entity | null)[], apply: () => unknown): void {
    this.buffer.record({
      label: `${this.tree.name}.${label}`,
      entities: entities.filter((entity): entity is Entity => entity !== null),
      apply: () => {
        apply();
      },
    });
  }

  /** Records the creation of an entity that will be attached to `parent`. */
  private spawnUnder(parent: Entity | null, inits: readonly ComponentInit[]): Entity {
    if (treeOf(this.tree).constraints.length !== 0)
      this.record("expect", [], () => this.expectParent(parent));
    return this.buffer.spawn(...inits);
  }

  /** The next entity that is created will be attached to `parent`, for rules that look at components. */
  private expectParent(parent: Entity | null): void {
    const isThere = parent !== null && this.tree.world.isAlive(parent);
    treeOf(this.tree).guardedParent = isThere ? parent & INDEX_MASK : 0;
  }

  /** Records what makes spawned entities part of the tree; where that is skipped or refused they are taken back. */
  private attachSpawned(
    label: string,
    spawned: readonly Entity[],
    others: readonly (Entity | null)[],
    apply: () => void,
  ): void {
    let isDone = false;
    this.record(label, [...spawned, ...others], () => {
      apply();
      isDone = true;
    });
    this.buffer.record({
      label: `${this.tree.name}.${label}, or nothing`,
      entities: [],
      apply: (world) => {
        this.expectParent(null);
        if (isDone) return;
        for (const entity of [...spawned].reverse()) if (world.isAlive(entity)) world.destroy(entity);
      },
    });
  }
}

function listed(entities: readonly Entity[]): readonly Entity[] {
  requireList(entities, "record a change of the tree", "the list of entities");
  return entities;
}

/** A copy of lists and options, so that changing them afterwards has no effect. */
function copied<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copied) as Value;
  return typeof value === "object" && value !== null ? { ...value } : value;
}

/** The siblings that options name. */
function beside(options: PlaceOptions | undefined): Entity[] {
  return [options?.before, options?.after].filter((entity) => entity !== undefined);
}
