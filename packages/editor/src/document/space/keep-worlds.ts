/**
 * Changing the tree while things stay where they are, on the screen and in 3D.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document.ts";
import type { WorldPlace } from "./world-place.ts";

/** Where an entity is; nothing for one without a transform. */
export function worldPlace(
  { space, space3D, world }: EditorDocument,
  entity: Entity,
): WorldPlace | undefined {
  if (world.has(entity, space.component)) return { kind: "2d", world: { ...space.worldOf(entity) } };
  if (space3D !== undefined && world.has(entity, space3D.component))
    return { kind: "3d", world: [...space3D.worldOf(entity)] };
  return undefined;
}

/**
 * Puts an entity where it was.
 *
 * @throws SingularTransformError, or UnrepresentableTransformError with the residue, where its parent does not allow that.
 */
export function putAt({ space, space3D }: EditorDocument, entity: Entity, place: WorldPlace): void {
  if (place.kind === "2d") space.setWorld(entity, place.world);
  else space3D?.setWorld(entity, place.world);
}

/**
 * Runs `change` and puts those of the entities that have a transform back where they were in the world. Unlike `keep: "world"`
 * of one call it holds over several, and passes over entities without a transform.
 *
 * @throws as `putAt` does.
 */
export function keepWorlds(document: EditorDocument, entities: readonly Entity[], change: () => void): void {
  const placed = entities.flatMap((entity) => {
    const place = worldPlace(document, entity);
    return place === undefined ? [] : [{ entity, place }];
  });
  change();
  const { tree } = document;
  // Parents first: one that is put back takes along what is below it.
  if (placed.length > 1) placed.sort((a, b) => tree.depthOf(a.entity) - tree.depthOf(b.entity));
  for (const { entity, place } of placed) putAt(document, entity, place);
}
