/**
 * Where a drag over the rows of the tree would drop: into a row, or between two.
 */
import type { Entity } from "espalier";
import { type MoveTarget, whyNotMove } from "../../commands/tree/move-entities.ts";
import type { EditorDocument } from "../document.ts";
import type { Rows } from "./rows.ts";

export interface DropTarget extends MoveTarget {
  /** How it is drawn: around a row, or as a line above the row `row` at a depth. */
  readonly shape: "into" | "line";
  readonly row: number;
  readonly depth: number;
  readonly kind: "into" | "before" | "after" | "root";
  /** The entity that the place is described by. */
  readonly beside: Entity | undefined;
  /** Why it is refused, in words; nothing when it is allowed. */
  readonly refusal: string | undefined;
}

/**
 * The target at a place of the list, measured in rows from its top: 2.5 is the middle of the third row. The upper quarter of a
 * row is before it, the lower quarter after it; below all rows is the end of the roots.
 */
export function dropTargetAt(
  document: EditorDocument,
  rows: Rows,
  place: number,
  dragged: readonly Entity[],
  isExpanded: (entity: Entity) => boolean,
): DropTarget {
  const row = Math.floor(place);
  const entity = rows.entities[Math.max(0, row)];
  const finish = (target: Omit<DropTarget, "refusal">): DropTarget => ({
    ...target,
    refusal: whyNotMove(document, dragged, target),
  });
  if (entity === undefined || row >= rows.entities.length) {
    const end = { shape: "line", row: rows.entities.length, depth: 0, kind: "root" } as const;
    return finish({ ...end, parent: null, beside: undefined });
  }
  const depth = rows.depths[row] ?? 0;
  const within = place - row;
  const parent = document.tree.parentOf(entity);
  if (within < 0.25) {
    return finish({ shape: "line", row, depth, kind: "before", parent, before: entity, beside: entity });
  }
  if (within <= 0.75) {
    return finish({ shape: "into", row, depth, kind: "into", parent: entity, beside: entity });
  }
  const first = isExpanded(entity) ? document.tree.firstChild(entity) : null;
  if (first !== null) {
    // Right below an open parent is before its first child.
    return finish({
      shape: "line",
      row: row + 1,
      depth: depth + 1,
      kind: "before",
      parent: entity,
      before: first,
      beside: first,
    });
  }
  return finish({ shape: "line", row: row + 1, depth, kind: "after", parent, after: entity, beside: entity });
}
