/** Put entities under a new parent of their own, where they are. */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import { Transform2D } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";
import { subtreeBounds } from "../../document/space/bounds.ts";
import { keepWorlds } from "../../document/space/keep-worlds.ts";

/** The group stands where the first of them stood, its origin in the middle of them. Selects the group. */
export function groupEntities(document: EditorDocument, entities: Iterable<Entity>): Entity | undefined {
  const { tree, space, world } = document;
  const tops = topmost(tree, entities);
  const [first] = tops;
  if (first === undefined) return undefined;
  requireUnlocked(document, tops);
  const parent = tree.parentOf(first);
  const group = edit(document, document.t("step.group"), () => {
    const created = tree.attachNewAt(parent, { before: first }, Transform2D);
    tree.setName(created, "group");
    const placed = tops.filter((entity) => world.has(entity, Transform2D));
    const bounds = subtreeBounds(document, placed);
    if (bounds !== undefined) {
      space.setWorldPosition(created, (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2);
    }
    keepWorlds(document, tops, () => tree.attachMany(tops, created));
    return created;
  });
  document.selection.replace([group]);
  return group;
}
