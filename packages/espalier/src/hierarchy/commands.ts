/**
 * Editing calls for later: everything `Hierarchy` offers, recorded on a command buffer and applied at its flush.
 */

import type { Commands, ComponentInit, Entity } from "../ecs/index.ts";
import {
  checkOptions,
  INDEX_MASK,
  type OptionKinds,
  refuseArgument,
  requireFunction,
  requireList,
} from "../ecs/internal.ts";
import { requireTree } from "./arguments.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";
import {
  type DestroyOptions,
  destroyOptions,
  type KeepOptions,
  keepOptions,
  type PlaceOptions,
  placeOptions,
  type SpaceName,
} from "./options.ts";
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

  attach(child: Entity, parent: Entity | null, options?: PlaceOptions<Keep>): void {
    const own = this.copied(options, placeOptions);
    this.record("attach", [child, parent, ...beside(own)], () => this.tree.attach(child, parent, own));
  }

  setParent(child: Entity, parent: Entity | null, options?: KeepOptions<Keep>): void {
    const own = this.copied(options, keepOptions);
    this.record("setParent", [child, parent], () => this.tree.setParent(child, parent, own));
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
    const own = this.copied(options, placeOptions);
    const entity = this.spawnUnder(parent, inits);
    this.attachSpawned("attachNew", [entity], [parent, ...beside(own)], () => {
      this.tree.attach(entity, parent, own);
    });
    return entity;
  }

  /**
   * Creates the tree that `literal` describes at the flush; its handles can be used in further commands at once. If one
   * node is refused then, there is none of them.
   */
  spawnTree<const T extends TreeLiteral>(literal: T, parent: Entity | null = null): SpawnedTree<NamesIn<T>> {
    const nodes = flatten(literal);
    const all: Entity[] = [];
    for (const { literal, parentIndex } of nodes) {
      all.push(this.spawnUnder(parentIndex < 0 ? parent : all[parentIndex], literal.with ?? []));
    }
    const pairs = nodes.map(
      ({ parentIndex }, k) => [all[k], parentIndex < 0 ? parent : all[parentIndex]] as const,
    );
    this.attachSpawned("spawnTree", all, [parent], () => {
      this.tree.attachAll(pairs);
      nodes.forEach(({ literal: { name } }, k) => {
        if (name !== undefined) this.tree.setName(all[k], name);
      });
    });
    return handlesOf(nodes, all) as SpawnedTree<NamesIn<T>>;
  }

  attachMany(children: readonly Entity[], parent: Entity | null, options?: PlaceOptions<Keep>): void {
    const list = listed(children);
    const own = this.copied(options, placeOptions);
    this.record("attachMany", [...list, parent, ...beside(own)], () => {
      this.tree.attachMany(list, parent, own);
    });
  }

  insertChildren(
    parent: Entity | null,
    index: number,
    children: readonly Entity[],
    options?: KeepOptions<Keep>,
  ): void {
    const list = listed(children);
    const own = this.copied(options, keepOptions);
    this.record("insertChildren", [parent, ...list], () =>
      this.tree.insertChildren(parent, index, list, own),
    );
  }

  attachAll(
    pairs: readonly (readonly [child: Entity, parent: Entity | null])[],
    options?: KeepOptions<Keep>,
  ): void {
    requireList(pairs, "record attachments", "the list of pairs");
    for (const pair of pairs) requireList(pair, "record attachments", "a pair of child and parent");
    const list = pairs.map(([child, parent]) => [child, parent] as const);
    const own = this.copied(options, keepOptions);
    this.record("attachAll", list.flat(), () => this.tree.attachAll(list, own));
  }

  detach(child: Entity, options?: KeepOptions<Keep>): void {
    const own = this.copied(options, keepOptions);
    this.record("detach", [child], () => this.tree.detach(child, own));
  }

  detachMany(children: readonly Entity[], options?: KeepOptions<Keep>): void {
    const list = listed(children);
    const own = this.copied(options, keepOptions);
    this.record("detachMany", list, () => this.tree.detachMany(list, own));
  }

  detachChildren(parent: Entity, options?: KeepOptions<Keep>): void {
    const own = this.copied(options, keepOptions);
    this.record("detachChildren", [parent], () => this.tree.detachChildren(parent, own));
  }

  replaceChildren(parent: Entity, children: readonly Entity[], options?: KeepOptions<Keep>): void {
    const list = listed(children);
    const own = this.copied(options, keepOptions);
    this.record("replaceChildren", [parent, ...list], () => this.tree.replaceChildren(parent, list, own));
  }

  moveChild(child: Entity, to: Parameters<Hierarchy["moveChild"]>[1]): void {
    const own = typeof to === "object" ? { ...to } : to;
    const others = typeof own === "object" ? beside(own) : [];
    this.record("moveChild", [child, ...others], () => this.tree.moveChild(child, own));
  }

  swap(a: Entity, b: Entity, options?: KeepOptions<Keep>): void {
    const own = this.copied(options, keepOptions);
    this.record("swap", [a, b], () => this.tree.swap(a, b, own));
  }

  isolate(entity: Entity, options?: KeepOptions<Keep>): void {
    const own = this.copied(options, keepOptions);
    this.record("isolate", [entity], () => this.tree.isolate(entity, own));
  }

  dissolve(entity: Entity, options?: KeepOptions<Keep>): void {
    const own = this.copied(options, keepOptions);
    this.record("dissolve", [entity], () => this.tree.dissolve(entity, own));
  }

  sortChildren(parent: Entity | null, compare: (a: Entity, b: Entity) => number): void {
    requireFunction(compare, "record a sort of children", "what compares them");
    this.record("sortChildren", [parent], () => this.tree.sortChildren(parent, compare));
  }

  setName(entity: Entity, name: string | undefined): void {
    this.record("setName", [entity], () => this.tree.setName(entity, name));
  }

  destroy(entity: Entity, options: DestroyOptions<Keep> = {}): void {
    const own = this.copied(options, destroyOptions);
    this.record("destroy", [entity], () => this.tree.destroy(entity, own));
  }

  /** The options of a command, checked now, when its caller can still be seen. */
  private copied<Options extends object | undefined>(options: Options, kinds: OptionKinds): Options {
    checkOptions(this.tree.world.checks, "record a change of the tree", options, kinds);
    return options && { ...options };
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

/** A copy of a list, so that changing it afterwards has no effect. */
function listed(entities: readonly Entity[]): Entity[] {
  requireList(entities, "record a change of the tree", "the list of entities");
  return [...entities];
}

/** The siblings that options name. */
function beside(options: PlaceOptions | undefined): Entity[] {
  return [options?.before, options?.after].filter((entity) => entity !== undefined);
}
