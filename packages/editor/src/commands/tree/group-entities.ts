/** Put entities under a new parent of their own, where they are. */
import type { Entity } from "espalier";
import { attachMany, attachNewAt, topmost } from "espalier/hierarchy";
import { Transform2D, Transform3D } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";
import { subtreeBounds } from "../../document/space/bounds.ts";
import { keepWorlds } from "../../document/space/keep-worlds.ts";

/**
 * The group takes the position of the first one among its siblings; its origin is the middle of them, in 3D if they are.
 * Selects the group.
 */
export function groupEntities(document: EditorDocument, entities: Iterable<Entity>): Entity | undefined {
  const { tree, space, space3D, world } = document;
  const tops = topmost(tree, entities);
  const [first] = tops;
  if (first === undefined) return undefined;
  requireUnlocked(document, tops);
  const parent = tree.parentOf(first);
  const group = edit(document, document.t("step.group"), () => {
    const flat = tops.filter((entity) => world.has(entity, Transform2D));
    const solid = tops.filter((entity) => world.has(entity, Transform3D));
    const is3D = flat.length === 0 && solid.length > 0;
    const created = attachNewAt(tree, parent, { before: first }, is3D ? Transform3D : Transform2D);
    tree.setName(created, "group");
    const bounds = is3D ? undefined : subtreeBounds(document, flat);
    if (bounds !== undefined) {
      space.setWorldPosition(created, (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2);
    }
    if (is3D && space3D !== undefined) {
      const at = solid.map((entity) => space3D.worldPosition(entity));
      const mean = (axis: "x" | "y" | "z") => at.reduce((sum, one) => sum + one[axis], 0) / at.length;
      space3D.setWorldPosition(created, mean("x"), mean("y"), mean("z"));
    }
    keepWorlds(document, tops, () => attachMany(tree, tops, created));
    return created;
  });
  document.selection.replace([group]);
  return group;
}
