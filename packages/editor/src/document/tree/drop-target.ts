/**
 * Where a drag over the rows of the tree would drop: into a row, or between two.
 */
import type { Entity } from "espalier";
import { type MoveTarget, whyNotMove } from "../../commands/tree/move-entities.ts";
import type { EditorDocument } from "../document.ts";
import type { Rows } from "./rows.ts";

export interface DropTarget extends MoveTarget {
  /** How it is drawn: around a row, or as a line above `row` at a depth. */
  readonly shape: "into" | "line";
  readonly row: number;
  readonly depth: number;
  readonly kind: "into" | "before" | "after" | "root";
  /** The entity that the position is relative to. */
  readonly beside: Entity | undefined;
  /** Why it is refused, as text; `undefined` when it is allowed. */
  readonly refusal: string | undefined;
}

/** How the rows are shown, which decides what a position among them means. */
export interface DropRows {
  readonly rows: Rows;
  readonly isExpanded: (entity: Entity) => boolean;
  /** The entity of the first row, when only a branch is shown: nothing can be dropped beside it. */
  readonly branch?: Entity | undefined;
  /** Whether rows are sorted by name: nothing can be dropped between them then. */
  readonly isSorted?: boolean;
}

/**
 * The target at a height of the list, measured in rows from its top: 2.5 is the middle of the third row. The upper quarter of a
 * row is before it, the lower quarter after it; below all rows is the end of the roots.
 *
 * @param level - The depth that the pointer is at. After the last child of a parent it chooses between the positions after that child,
  after its parent, and so on outwards. The depth of the row above if left out.
 */
export function dropTargetAt(
  document: EditorDocument,
  { rows, isExpanded, branch, isSorted = false }: DropRows,
  height: number,
  dragged: readonly Entity[],
  level = Number.POSITIVE_INFINITY,
): DropTarget {
  const { tree } = document;
  const row = Math.floor(height);
  const entity = rows.entities[Math.max(0, row)];
  const finish = (target: Omit<DropTarget, "refusal">): DropTarget => {
    const isBetween = isSorted && target.shape === "line" && target.kind !== "root";
    const refusal = isBetween ? document.t("hierarchy.drop.sorted") : whyNotMove(document, dragged, target);
    return { ...target, refusal };
  };
  const into = (at: number, one: Entity) =>
    finish({ shape: "into", row: at, depth: rows.depths[at] ?? 0, kind: "into", parent: one, beside: one });
  if (entity === undefined || row >= rows.entities.length) {
    if (branch !== undefined) return into(0, branch);
    const end = { shape: "line", row: rows.entities.length, depth: 0, kind: "root" } as const;
    return finish({ ...end, parent: null, beside: undefined });
  }
  if (entity === branch && (height - row < 0.25 || !isExpanded(entity))) return into(row, entity);
  const depth = rows.depths[row] ?? 0;
  const within = height - row;
  const parent = tree.parentOf(entity);
  if (within < 0.25) {
    return finish({ shape: "line", row, depth, kind: "before", parent, before: entity, beside: entity });
  }
  if (within <= 0.75) {
    return into(row, entity);
  }
  const first = isExpanded(entity) ? tree.firstChild(entity) : null;
  if (first !== null) {
    // Directly below an open parent means before its first child.
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
  // Outwards from the last child, but not above the depth of the row below.
  const least = rows.depths[row + 1] ?? (branch === undefined ? 0 : 1);
  let [beside, at] = [entity, depth];
  for (; at > least && at > level; at--) beside = tree.parentOf(beside) ?? beside;
  const target = { parent: tree.parentOf(beside), after: beside, beside };
  return finish({ shape: "line", row: row + 1, depth: at, kind: "after", ...target });
}
