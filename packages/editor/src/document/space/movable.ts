/**
 * Finds the entities of a selection that a transform acts on.
 */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import { Transform2D } from "espalier/transform";
import type { EditorDocument } from "../document.ts";

/**
 * The topmost of the entities that have a transform. An entity without one (a folder) stands for its descendants that
 * have one.
 */
export function movable(document: EditorDocument, entities: Iterable<Entity>): Entity[] {
  const { tree, world } = document;
  const found: Entity[] = [];
  for (const top of topmost(tree, entities)) {
    tree.forEachDescendant(
      top,
      (entity) => {
        if (!world.has(entity, Transform2D)) return undefined;
        found.push(entity);
        return "skip";
      },
      { includeSelf: true },
    );
  }
  return found;
}
