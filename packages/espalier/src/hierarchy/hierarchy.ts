/**
 * What users hold of a hierarchy. Everything is done by the functions of this room over one `TreeState`. Every editing call checks
 * everything first; when it throws, nothing has changed.
 */

import type { ComponentInit, Entity, EntityLike } from "../ecs/index.ts";
import { checkOptions, handleIn, needCheck } from "../ecs/internal.ts";
import { attach, attachNew, whyNotAttach } from "./edit/attach.ts";
import { destroy } from "./edit/destroy.ts";
import { detach } from "./edit/detach.ts";
import { keepIn } from "./edit/keep.ts";
import { moveChild, type SiblingPosition } from "./edit/swap.ts";
import { HierarchyReader, TREE } from "./hierarchy-reader.ts";
import { setName } from "./names/set-name.ts";
import {
  type AttachOptions,
  type DestroyOptions,
  destroyOptions,
  type KeepOptions,
  type SpaceName,
} from "./options.ts";

/**
 * A forest over the entities of a world: one parent each, ordered children. Made by `createHierarchy`.
 *
 * `Keep` lists what its calls can `keep`: the names of its spaces.
 */
export class Hierarchy<Keep extends string = SpaceName> extends HierarchyReader {
  // One entity -----------------------------------------------------------------------------------------------------------

  /**
   * Puts `child`, with everything below it, under `parent` (`null`: makes it a root). Last, unless `options` say otherwise.
   * Attaching to the parent it has already only changes its position. `false` when it is there already, and for a root that
   * stays one and is given no position.
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
  attach(child: EntityLike, parent: EntityLike | null, options?: AttachOptions<Keep>): boolean {
    const t = this[TREE];
    return attach(t, handleIn(t.ecs, child), handleIn(t.ecs, parent), options);
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw, also for dead entities. */
  canAttach(child: EntityLike, parent: EntityLike | null): boolean {
    return whyNotAttach(this[TREE], child, parent) === null;
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
  attachNew(parent: EntityLike | null, ...inits: ComponentInit[]): Entity {
    const t = this[TREE];
    return attachNew(t, handleIn(t.ecs, parent), inits);
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
  detach(child: EntityLike, options?: KeepOptions<Keep>): boolean {
    const t = this[TREE];
    return detach(t, handleIn(t.ecs, child), keepIn(t, "detach", options));
  }

  /**
   * Moves a child to another position among its siblings. `false` when it is there already.
   *
   * @example
   * ```ts
   * const tank = world.spawn();
   * const [turret, hatch] = [tree.attachNew(tank), tree.attachNew(tank)];
   * tree.moveChild(hatch, 0);
   * tree.childrenOf(tank); // → [hatch, turret]
   * ```
   */
  moveChild(child: EntityLike, to: SiblingPosition): boolean {
    const t = this[TREE];
    return moveChild(t, handleIn(t.ecs, child), to);
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
  setName(entity: EntityLike, name: string | undefined): void {
    const t = this[TREE];
    setName(t, handleIn(t.ecs, entity), name);
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
  destroy(entity: EntityLike, options: DestroyOptions<Keep> = {}): boolean {
    const t = this[TREE];
    if (needCheck(options, t.optionKinds?.destroy))
      checkOptions(t.ecs.checks, "destroy an entity", options, destroyOptions);
    return destroy(t, handleIn(t.ecs, entity), options);
  }
}
