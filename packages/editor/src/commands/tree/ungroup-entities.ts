/** Dissolve groups: the children take the position of their parent in the tree, and keep their world transforms. */
import type { Entity } from "espalier";
import { attachMany, topmost } from "espalier/hierarchy";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";
import { keepWorlds } from "../../document/space/keep-worlds.ts";

/** Entities without children are left alone. Selects the children. */
export function ungroupEntities(document: EditorDocument, entities: Iterable<Entity>): readonly Entity[] {
  const { tree } = document;
  const groups = topmost(tree, entities).filter((entity) => tree.childCount(entity) > 0);
  if (groups.length === 0) return [];
  requireUnlocked(document, groups);
  const freed: Entity[] = [];
  edit(document, document.t("step.ungroup"), () => {
    for (const group of groups) {
      const children = tree.childrenOf(group);
      keepWorlds(document, children, () =>
        attachMany(tree, children, tree.parentOf(group), { after: group }),
      );
      tree.destroy(group);
      freed.push(...children);
    }
  });
  document.selection.replace(freed);
  return freed;
}
