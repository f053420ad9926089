/**
 * One entity replaced by another.
 */
import type { Component, Entity, EntityLike, Schema } from "../../ecs/index.ts";
import { attachMany, type Hierarchy } from "../../hierarchy/index.ts";
import { asOneChange } from "../all-or-nothing.ts";
import { requireEntity, requireOptions, requireTree } from "../arguments.ts";
import { SceneUseError } from "../errors.ts";
import { referencesTo } from "./references-to.ts";

/** Options of `replaceEntity`. */
export interface ReplaceOptions {
  /** Whether the replacement gets the children, after its own. They are destroyed otherwise. On if left out. */
  readonly children?: boolean;
  /** Whether fields that refer to the old entity refer to the replacement from now on. On if left out. */
  readonly references?: boolean;
  /** What moved entities keep: `"world"` with `espalier/transform`. Local values stay as they are if left out. */
  readonly keep?: string;
}

export const replaceOptions = { children: "boolean", references: "boolean", keep: "string" } as const;

/**
 * Puts `replacement` where `entity` is: under its parent, at its position among the siblings, with its children and the
 * references to it, and destroys `entity`. All or nothing. Name and components of the replacement stay its own.
 *
 * @throws SceneUseError `scene/invalid-use` for an entity with itself, the errors of `attach` and of a dead entity.
 *
 * @example
 * ```ts
 * const Aim = component("Aim", { at: entityRef() });
 * const rock = world.spawn();
 * const moss = tree.attachNew(rock);
 * const tank = world.spawn(Aim({ at: rock }));
 * const boulder = world.spawn();
 * replaceEntity(tree, rock, boulder);
 * [tree.parentOf(moss), world.get(tank, Aim)?.at]; // → [boulder, boulder]
 * ```
 */
export function replaceEntity(
  tree: Hierarchy,
  entity: EntityLike,
  replacement: EntityLike,
  options: ReplaceOptions = {},
): void {
  const { world } = requireTree(tree, "replace");
  entity = requireEntity(tree, entity, "replace");
  replacement = requireEntity(tree, replacement, "use as a replacement");
  requireOptions(options, "replace", replaceOptions, world.checks);
  if (entity === replacement) {
    throw new SceneUseError(
      `Cannot replace ${tree.label(entity)} by itself. Give another entity.`,
      "scene/invalid-use",
      { entities: [entity] },
    );
  }
  const keeping = options.keep === undefined ? {} : { keep: options.keep };
  const [old, fresh] = [entity, replacement];
  asOneChange(world, () => {
    // First out of the way: the replacement may be below the entity it replaces.
    tree.attach(fresh, tree.parentOf(old), { ...keeping, after: old });
    if (options.children !== false) attachMany(tree, tree.childrenOf(old), fresh, keeping);
    if (options.references !== false) {
      for (const { entity: from, component, field } of referencesTo(world, old)) {
        if (from === old) continue;
        const held = (world.get(from, component as Component<Schema>) as { [field: string]: unknown })[field];
        const value = Array.isArray(held) ? replaced(held, old, fresh) : fresh;
        world.set(from, component as Component<Schema>, { [field]: value });
      }
    }
    tree.destroy(old, { children: "cascade" });
  });
}

/** A list of references with the replacement instead of the entity, or without it if the replacement is already in the list. */
function replaced(items: readonly unknown[], entity: Entity, replacement: Entity): unknown[] {
  const targetOf = (item: unknown) =>
    typeof item === "object" && item !== null ? (item as { target: Entity }).target : item;
  const isThere = items.some((item) => targetOf(item) === replacement);
  return items.flatMap((item) => {
    if (targetOf(item) !== entity) return [item];
    if (isThere) return [];
    return [typeof item === "object" ? { ...item, target: replacement } : replacement];
  });
}
