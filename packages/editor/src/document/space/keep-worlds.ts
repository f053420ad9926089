/**
 * Changing the tree while things stay where they are on the screen.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document.ts";

/**
 * Runs `change` and puts those of the entities that have a transform back where they were in the world. Unlike `keep: "world"`
 * of one call it holds over several, and passes over entities without a place.
 *
 * @throws SingularTransformError where one cannot be put back.
 */
export function keepWorlds(document: EditorDocument, entities: readonly Entity[], change: () => void): void {
  const { space, world } = document;
  const placed = entities
    .filter((entity) => world.has(entity, space.component))
    .map((entity) => ({ entity, at: { ...space.worldOf(entity) } }));
  change();
  for (const { entity, at } of placed) space.setWorld(entity, at);
}
