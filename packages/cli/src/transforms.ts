/**
 * The positions of entities, in 2D or 3D.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { SceneFormat } from "espalier/scene";

export interface Positions {
  readonly local: readonly number[];
  readonly world: readonly number[];
}

export interface PositionReader {
  /** `undefined` for entities without a transform. */
  of(entity: Entity): Positions | undefined;
}

/**
 * Must be created before the first entity of the tree has a transform.
 *
 * @param format - Its transforms are used: a program that is installed globally has another copy of the library than the
 * project whose scenes it draws, and other components of the same name.
 */
export async function positionsOf(tree: Hierarchy, format: SceneFormat): Promise<PositionReader> {
  const { createTransforms2D, createTransforms3D, Transform2D, Transform3D } = await import(
    "espalier/transform"
  );
  const component = (format.component("Transform2D") ?? Transform2D) as typeof Transform2D;
  const flat = createTransforms2D(tree, { component });
  const solid = (format.component("Transform3D") ?? Transform3D) as typeof Transform3D;
  const space = createTransforms3D(tree, { component: solid, name: "space" });
  const { world } = tree;
  return {
    of(entity) {
      if (world.has(entity, component)) {
        const { x, y } = flat.localOf(entity);
        const at = flat.worldOf(entity);
        return { local: [x, y], world: [at.x, at.y] };
      }
      if (!world.has(entity, solid)) return undefined;
      const { x, y, z } = space.localOf(entity);
      const at = space.worldPosition(entity);
      return { local: [x, y, z], world: [at.x, at.y, at.z] };
    },
  };
}
