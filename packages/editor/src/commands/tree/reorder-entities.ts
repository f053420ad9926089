/** Bring entities to the front or the back of their siblings. The last sibling is drawn in front. */
import type { Entity } from "espalier";
import { moveToBack, moveToFront, nextInList, previousInList, topmost } from "espalier/hierarchy";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";

export function reorderEntities(
  document: EditorDocument,
  entities: Iterable<Entity>,
  to: "front" | "back" | "forward" | "backward",
): void {
  const { tree } = document;
  const tops = topmost(tree, entities);
  if (tops.length === 0) return;
  requireUnlocked(document, tops);
  edit(document, document.t(`step.${to}`), () => {
    if (to === "front") for (const entity of tops) moveToFront(tree, entity);
    else if (to === "back") for (const entity of tops.reverse()) moveToBack(tree, entity);
    else if (to === "forward") {
      for (const entity of tops.reverse()) {
        const next = nextInList(tree, entity);
        if (next !== null) tree.moveChild(entity, { after: next });
      }
    } else {
      for (const entity of tops) {
        const previous = previousInList(tree, entity);
        if (previous !== null) tree.moveChild(entity, { before: previous });
      }
    }
  });
}
