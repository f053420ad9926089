/**
 * What users hold of a hierarchy. Everything is done by the functions of this room over one `TreeState`. Every editing call checks
 * everything first; when it throws, nothing has changed.
 */

import type { ComponentInit, Entity } from "../ecs/index.ts";
import { checkOptions, needCheck } from "../ecs/internal.ts";
import { attach, attachNew, whyNotAttach } from "./edit/attach.ts";
import { attachAll, attachMany, replaceChildren, sortChildren } from "./edit/attach-many.ts";
import { destroy } from "./edit/destroy.ts";
import { detach, detachChildren, detachMany, dissolve, isolate } from "./edit/detach.ts";
import { addKeeper } from "./edit/keep.ts";
import { moveChild, type SiblingPosition, swap } from "./edit/swap.ts";
import { HierarchyReader, TREE } from "./hierarchy-reader.ts";
import { setName } from "./names/set-name.ts";
import {
  type DestroyOptions,
  destroyOptions,
  type KeepOptions,
  keepOptions,
  type PlaceOptions,
  type SpaceName,
} from "./options.ts";
import { constrain } from "./rules/constrain.ts";
import type { Constraint } from "./rules/constraints.ts";
import type { Keeper, TreeState } from "./state.ts";

/**
 * A forest over the entities of a world: one parent each, ordered children. Made by `createHierarchy`.
 *
 * `Keep` lists what its calls can `keep`: the names of its spaces.
 */
export class Hierarchy<Keep extends string = SpaceName> extends HierarchyReader {
  // One entity -----------------------------------------------------------------------------------------------------------

  /**
   * Puts `child`, with everything below it, under `parent` (`null`: makes it a root). Last, unless `options` say otherwise.
   * Attaching to the parent it has already only changes its place. `false` when it is there already, and for a root that
   * stays one without being told a place.
   *
   * @throws CircularHierarchyError when `parent` is `child` or below it, and the errors of the limits and constraints.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const turret = world.spawn();
   * tree.attach(turret, tank);
   * tree.childrenOf(tank); // → [turret]
   * tree.attach(tank, turret); // throws CircularHierarchyError: Cannot move #1 under #2
   * ```
   */
  attach(child: Entity, parent: Entity | null, options?: PlaceOptions<Keep>): boolean {
    return attach(this[TREE], child, parent, options);
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw, also for dead entities. */
  canAttach(child: Entity, parent: Entity | null): boolean {
    return whyNotAttach(this[TREE], child, parent) === null;
  }

  /** The error that `attach(child, parent)` would throw, or `null`. */
  whyNotAttach(child: Entity, parent: Entity | null): Error | null {
    return whyNotAttach(this[TREE], child, parent);
  }

  /** `attach` by the name other systems use: `null` makes it a root. */
  setParent(child: Entity, parent: Entity | null, options?: KeepOptions<Keep>): boolean {
    if (options !== undefined) keepIn(this[TREE], "set the parent", options);
    return attach(this[TREE], child, parent, options);
  }

  /**
   * Creates an entity as last child of `parent` (`null`: as last root): one operation, one event.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const tank = world.spawn();
   * const turret = tree.attachNew(tank, Health({ hp: 50 }));
   * tree.parentOf(turret); // → tank
   * ```
   */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    return attachNew(this[TREE], parent, inits);
  }

  /** `attachNew` with a place among the siblings. */
  attachNewAt(
    parent: Entity | null,
    options: PlaceOptions<Keep> | undefined,
    ...inits: ComponentInit[]
  ): Entity {
    return attachNew(this[TREE], parent, inits, options);
  }

  /**
   * Makes the entity a root, the last one; it keeps everything below it. `false` when it is one already.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const turret = tree.attachNew(tank);
   * tree.detach(turret); // → true
   * tree.parentOf(turret); // → null
   * ```
   */
  detach(child: Entity, options?: KeepOptions<Keep>): boolean {
    return detach(this[TREE], child, keepIn(this[TREE], "detach", options));
  }

  /**
   * Moves a child to another place among its siblings. `false` when it is there already.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const [turret, hatch] = [tree.attachNew(tank), tree.attachNew(tank)];
   * tree.moveChild(hatch, 0);
   * tree.childrenOf(tank); // → [hatch, turret]
   * ```
   */
  moveChild(child: Entity, to: SiblingPosition): boolean {
    return moveChild(this[TREE], child, to);
  }

  /**
   * Exchanges the places of two entities, each with everything below it. `false` for an entity with itself.
   * @throws CircularHierarchyError when one is below the other.
   */
  swap(a: Entity, b: Entity, options?: KeepOptions<Keep>): boolean {
    return swap(this[TREE], a, b, keepIn(this[TREE], "swap", options));
  }

  /**
   * Names an entity; `undefined` takes the name away. Any text but the empty one will do; `/`, `\`, `*`, `?` and a
   * leading `#` are escaped in paths.
   * @throws DuplicateNameError when a sibling has the name and the hierarchy wants unique names.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * tree.setName(tank, "tank");
   * tree.find("/tank"); // → tank
   * ```
   */
  setName(entity: Entity, name: string | undefined): void {
    setName(this[TREE], entity, name);
  }

  // Many at once ---------------------------------------------------------------------------------------------------------

  /**
   * Puts several under one parent, next to each other and in the given order: all of them, or, if one is refused, none.
   * Those that are in their place already do not move.
   */
  attachMany(children: readonly Entity[], parent: Entity | null, options?: PlaceOptions<Keep>): void {
    attachMany(this[TREE], children, parent, options);
  }

  /** Puts several under `parent` from `index` on. */
  insertChildren(
    parent: Entity | null,
    index: number,
    children: readonly Entity[],
    options?: KeepOptions<Keep>,
  ): void {
    keepIn(this[TREE], "insert children", options);
    attachMany(this[TREE], children, parent, { ...options, at: index });
  }

  /**
   * Carries out several attachments to different parents, in order: all of them, or, if one is refused, none. A cycle
   * that only their combination forms is found too, and every parent must have room when its turn comes.
   */
  attachAll(
    pairs: readonly (readonly [child: Entity, parent: Entity | null])[],
    options?: KeepOptions<Keep>,
  ): void {
    attachAll(this[TREE], pairs, keepIn(this[TREE], "attach", options));
  }

  /** Makes several roots, in the given order. Those that are roots already are passed over. */
  detachMany(children: readonly Entity[], options?: KeepOptions<Keep>): void {
    detachMany(this[TREE], children, keepIn(this[TREE], "detach", options));
  }

  /** Makes all children of `parent` roots, in order. */
  detachChildren(parent: Entity, options?: KeepOptions<Keep>): void {
    detachChildren(this[TREE], parent, keepIn(this[TREE], "detach the children", options));
  }

  /** Makes `children` the children of `parent`, in that order; the others become roots. */
  replaceChildren(parent: Entity, children: readonly Entity[], options?: KeepOptions<Keep>): void {
    replaceChildren(this[TREE], parent, children, keepIn(this[TREE], "replace the children", options));
  }

  /** Makes the entity and each of its children a root: it stands alone. What is below the children stays with them. */
  isolate(entity: Entity, options?: KeepOptions<Keep>): void {
    isolate(this[TREE], entity, keepIn(this[TREE], "isolate", options));
  }

  /** Makes the entity and everything below it roots without links, in pre-order. Nothing is destroyed. */
  dissolve(entity: Entity, options?: KeepOptions<Keep>): void {
    dissolve(this[TREE], entity, keepIn(this[TREE], "dissolve", options));
  }

  /** Sorts the children (`null`: the roots). Stable; one event; `false` when they are in order already. */
  sortChildren(parent: Entity | null, compare: (a: Entity, b: Entity) => number): boolean {
    return sortChildren(this[TREE], parent, compare);
  }

  // End ------------------------------------------------------------------------------------------------------------------

  /**
   * Destroys an entity. `children` selects what happens to its children, the hierarchy's `onDestroy` if left out. `false` when
   * it is dead already. With `children`, a child that may not go where it is sent makes the call throw. `keep`: as for
   * `attach`, for the children that live on.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const turret = tree.attachNew(tank);
   * tree.destroy(tank, { children: "orphan" });
   * tree.isRoot(turret); // → true
   * ```
   */
  destroy(entity: Entity, options: DestroyOptions<Keep> = {}): boolean {
    const t = this[TREE];
    if (needCheck(options, t.optionKinds?.destroy))
      checkOptions(t.ecs.checks, "destroy an entity", options, destroyOptions);
    return destroy(t, entity, options);
  }

  // Rules ----------------------------------------------------------------------------------------------------------------

  /**
   * Adds a rule. Nodes that break it already stay; it holds for attaching, detaching and adding components from now on.
   * Returns a function that ends it.
   */
  constrain(constraint: Constraint): () => void {
    return constrain(this[TREE], constraint);
  }

  /**
   * Says what `{ keep: name }` means in the calls that change a parent.
   * @throws InvalidEditError when the name means something already.
   */
  addKeeper(name: string, keeper: Keeper): void {
    addKeeper(this[TREE], name, keeper);
  }
}

/** What options say is to be kept. */
function keepIn(t: TreeState, doing: string, options: KeepOptions | undefined): string | undefined {
  if (options === undefined) return undefined;
  if (needCheck(options, t.optionKinds?.keep)) checkOptions(t.ecs.checks, doing, options, keepOptions);
  return options.keep;
}
