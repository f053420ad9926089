/** Delete entities with everything below them. */
import type { Entity } from "espalier";
import { nextInList, previousInList, topmost } from "espalier/hierarchy";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";

/** Nothing happens for an empty list. Selects the next entity, so that the user can go on deleting. @throws LockedError */
export function deleteEntities(document: EditorDocument, entities: Iterable<Entity>): void {
  const { tree } = document;
  const tops = topmost(tree, entities);
  if (tops.length === 0) return;
  requireUnlocked(document, tops);
  const last = tops.at(-1) as Entity;
  const neighbour = nextInList(tree, last) ?? previousInList(tree, tops[0] as Entity) ?? tree.parentOf(last);
  edit(document, document.t("step.delete", { what: document.labelAll(tops) }), () => {
    for (const entity of tops) tree.destroy(entity, { children: "cascade" });
  });
  document.selection.replace(neighbour !== null && document.world.isAlive(neighbour) ? [neighbour] : []);
}
