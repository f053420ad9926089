/**
 * Where entities are, in the plane or in space.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";

export interface Place {
  readonly local: readonly number[];
  readonly world: readonly number[];
}

export interface Places {
  /** Nothing for entities without a transform. */
  of(entity: Entity): Place | undefined;
}

/** Must be asked before the first entity of the tree has a transform. */
export async function placesOf(tree: Hierarchy): Promise<Places> {
  const { createTransforms2D, createTransforms3D, Transform2D, Transform3D } = await import(
    "espalier/transform"
  );
  const flat = createTransforms2D(tree);
  const space = createTransforms3D(tree, { name: "space" });
  const { world } = tree;
  return {
    of(entity) {
      if (world.has(entity, Transform2D)) {
        const { x, y } = flat.localOf(entity);
        const at = flat.worldOf(entity);
        return { local: [x, y], world: [at.x, at.y] };
      }
      if (!world.has(entity, Transform3D)) return undefined;
      const { position } = space.localOf(entity);
      const at = space.worldPosition(entity);
      return { local: [position.x, position.y, position.z], world: [at.x, at.y, at.z] };
    },
  };
}
