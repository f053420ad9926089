/** Move entities by a little, with the arrow keys. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";
import { movable } from "../../document/space/movable.ts";
import { startTransform, transformEntities, translation } from "./transform-entities.ts";

/** Repeated nudges of the same entities are one step until `seal`. */
export function nudgeEntities(
  document: EditorDocument,
  entities: Iterable<Entity>,
  dx: number,
  dy: number,
): void {
  const moved = movable(document, entities);
  if (moved.length === 0) return;
  requireUnlocked(document, moved);
  const start = startTransform(document, moved);
  transformEntities(document, document.t("step.nudge"), start, translation(dx, dy), {
    key: `nudge ${moved.join(",")}`,
  });
}
