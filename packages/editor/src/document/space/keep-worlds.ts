/**
 * Changing the tree while entities keep their world transforms, in 2D and in 3D.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document.ts";
import type { WorldValue } from "./world-value.ts";

/** The world transform of an entity; `undefined` if it has none. */
export function worldTransform(
  { space, space3D, world }: EditorDocument,
  entity: Entity,
): WorldValue | undefined {
  if (world.has(entity, space.component)) return { kind: "2d", world: { ...space.worldOf(entity) } };
  if (space3D !== undefined && world.has(entity, space3D.component))
    return { kind: "3d", world: [...space3D.worldOf(entity)] };
  return undefined;
}

/**
 * Restores the world transform of an entity.
 *
 * @throws SingularTransformError, or UnrepresentableTransformError with the residue, where its parent does not allow that.
 */
export function putAt({ space, space3D }: EditorDocument, entity: Entity, transform: WorldValue): void {
  if (transform.kind === "2d") space.setWorld(entity, transform.world);
  else space3D?.setWorld(entity, transform.world);
}

/**
 * Runs `change` and restores the world transforms of the entities that have one. Unlike `keep: "world"`
 * of a single call it covers several, and skips entities without a transform.
 *
 * @throws as `putAt` does.
 */
export function keepWorlds(document: EditorDocument, entities: readonly Entity[], change: () => void): void {
  const kept = entities.flatMap((entity) => {
    const transform = worldTransform(document, entity);
    return transform === undefined ? [] : [{ entity, transform }];
  });
  change();
  const { tree } = document;
  // Parents first, because restoring one moves its descendants.
  if (kept.length > 1) kept.sort((a, b) => tree.depthOf(a.entity) - tree.depthOf(b.entity));
  for (const { entity, transform } of kept) putAt(document, entity, transform);
}
