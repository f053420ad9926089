/**
 * Editing calls for later: everything `Hierarchy` offers, recorded on a command buffer and applied at its flush.
 */

import {
  type Commands,
  type ComponentInit,
  type Entity,
  type EntityLike,
  handleOf,
  indexOf,
  MAX_ENTITIES,
} from "../ecs/index.ts";
import {
  checkOptions,
  isBufferOf,
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
  type AttachOptions,
  attachOptions,
  type DestroyOptions,
  destroyOptions,
  type KeepOptions,
  keepOptions,
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
  if (!isBufferOf(buffer, tree.world)) {
    refuseArgument(
      buffer,
      "record tree commands",
      "the buffer",
      "one that createCommands() returned for the world of the tree",
    );
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
  attach(child: EntityLike, parent: EntityLike | null, options?: AttachOptions<Keep>): void {
    this.edit(
      "attach",
      (...own) => this.tree.attach(...own),
      [child, parent, options],
      [child, parent, ...beside(options)],
      attachOptions,
    );
  }

  /** Records `setParent`. */
  setParent(child: EntityLike, parent: EntityLike | null, options?: KeepOptions<Keep>): void {
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
  attachNew(parent: EntityLike | null, ...inits: ComponentInit[]): Entity {
    return this.attachNewAt(parent, undefined, ...inits);
  }

  /** `attachNew` with a position among the siblings. */
  attachNewAt(
    parent: EntityLike | null,
    options: AttachOptions<Keep> | undefined,
    ...inits: ComponentInit[]
  ): Entity {
    this.check(options, attachOptions);
    const own = this.copied(options);
    const to = this.copied(parent);
    return this.buffer.allOrNone(() => {
      const entity = this.spawnUnder(to, inits);
      this.attachSpawned("attachNew", [entity], [to, ...beside(own)], () => {
        this.tree.attach(entity, to, own);
      });
      return entity;
    });
  }

  /**
   * Creates the tree that `literal` describes at the flush; its handles can be used in further commands at once. If
   * one node is refused then, none of them exists.
   */
  spawnTree<const T extends TreeLiteral>(
    literal: T,
    parent: EntityLike | null = null,
  ): SpawnedTree<NamesIn<T>> {
    const nodes = flatten(literal);
    const top = this.copied(parent);
    const all: Entity[] = [];
    this.buffer.allOrNone(() => {
      const pairs = nodes.map(({ literal, parentIndex }) => {
        const above = parentIndex < 0 ? top : all[parentIndex];
        const entity = this.spawnUnder(above, literal.with ?? []);
        all.push(entity);
        return [entity, above] as const;
      });
      this.attachSpawned("spawnTree", all, [top], () => {
        edits.attachAll(this.tree, pairs);
        nodes.forEach(({ literal: { name } }, k) => {
          if (name !== undefined) this.tree.setName(all[k], name);
        });
      });
    });
    return handlesOf(nodes, all) as SpawnedTree<NamesIn<T>>;
  }

  /** Records `attachMany`: all of them, or none if one is refused at the flush. */
  attachMany(
    children: readonly EntityLike[],
    parent: EntityLike | null,
    options?: AttachOptions<Keep>,
  ): void {
    const named = [...listed(children), parent, ...beside(options)];
    this.edit(
      "attachMany",
      (...own) => edits.attachMany(this.tree, ...own),
      [children, parent, options],
      named,
      attachOptions,
    );
  }

  /** Records `insertChildren`. */
  insertChildren(
    parent: EntityLike | null,
    index: number,
    children: readonly EntityLike[],
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
    pairs: readonly (readonly [child: EntityLike, parent: EntityLike | null])[],
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
  detach(child: EntityLike, options?: KeepOptions<Keep>): void {
    this.edit("detach", (...own) => this.tree.detach(...own), [child, options], [child], keepOptions);
  }

  /** Records `detachMany`. */
  detachMany(children: readonly EntityLike[], options?: KeepOptions<Keep>): void {
    this.edit(
      "detachMany",
      (...own) => edits.detachMany(this.tree, ...own),
      [children, options],
      listed(children),
      keepOptions,
    );
  }

  /** Records `detachChildren`. */
  detachChildren(parent: EntityLike, options?: KeepOptions<Keep>): void {
    this.edit(
      "detachChildren",
      (...own) => edits.detachChildren(this.tree, ...own),
      [parent, options],
      [parent],
      keepOptions,
    );
  }

  /** Records `replaceChildren`. */
  replaceChildren(parent: EntityLike, children: readonly EntityLike[], options?: KeepOptions<Keep>): void {
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
  moveChild(child: EntityLike, to: Parameters<Hierarchy["moveChild"]>[1]): void {
    this.edit(
      "moveChild",
      (...own) => this.tree.moveChild(...own),
      [child, to],
      [child, ...beside(to as AttachOptions)],
    );
  }

  /** Records `setOrder`. */
  setOrder(entity: EntityLike, index: number): void {
    this.edit("setOrder", (...own) => setOrder(this.tree, ...own), [entity, index], [entity]);
  }

  /** Records `moveToFront`. */
  moveToFront(entity: EntityLike): void {
    this.edit("moveToFront", (...own) => moveToFront(this.tree, ...own), [entity], [entity]);
  }

  /** Records `moveToBack`. */
  moveToBack(entity: EntityLike): void {
    this.edit("moveToBack", (...own) => moveToBack(this.tree, ...own), [entity], [entity]);
  }

  /** Records `swap`. */
  swap(a: EntityLike, b: EntityLike, options?: KeepOptions<Keep>): void {
    this.edit("swap", (...own) => edits.swap(this.tree, ...own), [a, b, options], [a, b], keepOptions);
  }

  /** Records `isolate`. */
  isolate(entity: EntityLike, options?: KeepOptions<Keep>): void {
    this.edit(
      "isolate",
      (...own) => edits.isolate(this.tree, ...own),
      [entity, options],
      [entity],
      keepOptions,
    );
  }

  /** Records `dissolve`. */
  dissolve(entity: EntityLike, options?: KeepOptions<Keep>): void {
    this.edit(
      "dissolve",
      (...own) => edits.dissolve(this.tree, ...own),
      [entity, options],
      [entity],
      keepOptions,
    );
  }

  /** Records `sortChildren`. `compare` is called at the flush. */
  sortChildren(parent: EntityLike | null, compare: (a: Entity, b: Entity) => number): void {
    requireFunction(compare, "record a sort of children", "what compares them");
    this.edit("sortChildren", (...own) => edits.sortChildren(this.tree, ...own), [parent, compare], [parent]);
  }

  /** Records `sortChildrenBy`. Keys are read at the flush. */
  sortChildrenBy(parent: EntityLike | null, keyOf: (child: Entity) => number | string): void {
    requireFunction(keyOf, "record a sort of children", "what gives the key of a child");
    const call = (...own: [EntityLike | null, typeof keyOf]) => edits.sortChildrenBy(this.tree, ...own);
    this.edit("sortChildrenBy", call, [parent, keyOf], [parent]);
  }

  /** Records `destroyChildren`. */
  destroyChildren(parent: EntityLike): void {
    this.edit("destroyChildren", (...own) => destroyChildren(this.tree, ...own), [parent], [parent]);
  }

  /**
   * Creates `count` entities under `parent` at the flush; their handles can be used in further commands at once. If one cannot be attached then, there is
   * none of them.
   */
  attachNewMany(parent: EntityLike | null, count: number, ...inits: ComponentInit[]): Entity[] {
    if (!Number.isInteger(count) || count < 0 || count > MAX_ENTITIES)
      refuseArgument(count, "record new entities", "their number", `an integer from 0 to ${MAX_ENTITIES}`);
    const to = this.copied(parent);
    return this.buffer.allOrNone(() => {
      const all = Array.from({ length: count }, () => this.spawnUnder(to, inits));
      this.attachSpawned("attachNewMany", all, [to], () => edits.attachMany(this.tree, all, to));
      return all;
    });
  }

  /** Records `replaceInTree`. */
  replaceInTree(entity: EntityLike, replacement: EntityLike, options?: KeepOptions<Keep>): void {
    const call = (...own: [EntityLike, EntityLike, KeepOptions<Keep> | undefined]) =>
      replaceInTree(this.tree, ...own);
    this.edit("replaceInTree", call, [entity, replacement, options], [entity, replacement], keepOptions);
  }

  /** Records `ensurePath`. */
  ensurePath(path: string, from: EntityLike | null = null, ...inits: ComponentInit[]): void {
    parsePath(path);
    const own = [...inits];
    const start = this.copied(from);
    this.record("ensurePath", [start], () => ensurePath(this.tree, path, start, ...own));
  }

  /** Records `tree.setName`. */
  setName(entity: EntityLike, name: string | undefined): void {
    this.edit("setName", (...own) => this.tree.setName(...own), [entity, name], [entity]);
  }

  /** Records `tree.destroy`. */
  destroy(entity: EntityLike, options: DestroyOptions<Keep> = {}): void {
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
    named: readonly (EntityLike | null)[],
    kinds?: OptionKinds,
  ): void {
    if (kinds !== undefined) this.check(args.at(-1), kinds);
    const own = args.map((each) => this.copied(each)) as unknown as Args;
    this.record(name, named, () => call(...own));
  }

  /** A copy of lists and options, with handles instead of objects: changing them afterwards has no effect. */
  private copied<Value>(value: Value): Value {
    if (Array.isArray(value)) return value.map((each) => this.copiedEntry(each)) as Value;
    if (typeof value !== "object" || value === null) return value;
    const given = this.plain(value);
    if (given !== value) return given;
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, this.plain(own)])) as Value;
  }

  /** An entity of a list, or a pair of a list of pairs. Nothing is nested deeper than that. */
  private copiedEntry(entry: unknown): unknown {
    return Array.isArray(entry) ? entry.map((each) => this.plain(each)) : this.plain(entry);
  }

  /** The handle of an object that stands for an entity; anything else as it is. */
  private plain<Value>(value: Value): Value {
    return handleOf(this.tree.world, value as unknown as EntityLike) as unknown as Value;
  }

  /** Options are checked now, when the caller can still be seen. */
  private check(options: unknown, kinds: OptionKinds): void {
    checkOptions(this.tree.world.checks, "record a change of the tree", options, kinds);
  }

  private record(label: string, entities: readonly (EntityLike | null)[], apply: () => unknown): void {
    this.buffer.record({
      label: `${this.tree.name}.${label}`,
      entities: entities.flatMap((entity) => (entity === null ? [] : [handleOf(this.tree.world, entity)])),
      apply: () => {
        apply();
      },
    });
  }

  /** Records the creation of an entity that will be attached to `parent`. */
  private spawnUnder(parent: EntityLike | null, inits: readonly ComponentInit[]): Entity {
    if (treeOf(this.tree).constraints.length !== 0)
      this.record("expect", [], () => this.expectParent(parent));
    return this.buffer.spawn(...inits);
  }

  /** The next entity that is created will be attached to `parent`, for rules that look at components. */
  private expectParent(parent: EntityLike | null): void {
    const isThere = parent !== null && this.tree.world.isAlive(parent);
    treeOf(this.tree).guardedParent = isThere ? indexOf(parent) : 0;
  }

  /** Records what makes spawned entities part of the tree; where that is skipped or refused they are taken back. */
  private attachSpawned(
    label: string,
    spawned: readonly EntityLike[],
    others: readonly (EntityLike | null)[],
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

function listed(entities: readonly EntityLike[]): readonly EntityLike[] {
  requireList(entities, "record a change of the tree", "the list of entities");
  return entities;
}

/** The siblings that options name. */
function beside(options: AttachOptions | undefined): EntityLike[] {
  return [options?.before, options?.after].filter((entity) => entity !== undefined);
}
