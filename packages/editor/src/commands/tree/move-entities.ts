/** Give entities another parent or another position among their siblings. */
import type { Entity } from "espalier";
import {
  type AttachOptions,
  attachMany,
  nextInList,
  previousInList,
  topmost,
  whyNotAttach,
} from "espalier/hierarchy";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { plainMessage } from "../../document/plain-message.ts";
import { requireUnlocked, whyLocked } from "../../document/require-unlocked.ts";
import { keepWorlds } from "../../document/space/keep-worlds.ts";

/** The destination: under a parent (`null`: as roots), before or after a sibling, last if neither is given. */
export interface MoveTarget {
  readonly parent: Entity | null;
  readonly before?: Entity;
  readonly after?: Entity;
}

export interface MoveOptions {
  /** `"world"` (the default) keeps them where they are on the screen, `"local"` keeps their values. */
  readonly keep?: "world" | "local";
}

/** Why the move is refused, in words for the user; `undefined` when it is allowed. */
export function whyNotMove(
  document: EditorDocument,
  entities: Iterable<Entity>,
  { parent }: MoveTarget,
): string | undefined {
  const { tree } = document;
  for (const entity of topmost(tree, entities)) {
    if (entity === parent) return document.t("refuse.ownParent", { name: document.label(entity) });
    const error = whyNotAttach(tree, entity, parent);
    if (error !== null) return plainMessage(error.message);
  }
  return whyLocked(document, entities);
}

/** Moves the topmost of the entities, next to each other, in tree order: all of them or none. */
export function moveEntities(
  document: EditorDocument,
  entities: Iterable<Entity>,
  target: MoveTarget,
  options: MoveOptions = {},
): void {
  const { tree } = document;
  const tops = topmost(tree, entities);
  if (tops.length === 0) return;
  requireUnlocked(document, tops);
  const { parent } = target;
  const position = positionFor(document, tops, target);
  const to = parent === null ? document.t("step.top") : document.label(parent);
  const what = document.labelAll(tops);
  const isReorder = tops.every((entity) => tree.parentOf(entity) === parent);
  const label = isReorder ? document.t("step.reorder", { what }) : document.t("step.move", { what, to });
  edit(document, label, () => {
    const attach = () => attachMany(tree, tops, parent, position);
    if (isReorder || options.keep === "local") attach();
    else keepWorlds(document, tops, attach);
  });
}

/** A sibling that is moved too cannot mark the position: its nearest neighbour that stays does. */
function positionFor(
  document: EditorDocument,
  moving: readonly Entity[],
  { before, after }: MoveTarget,
): AttachOptions {
  const { tree } = document;
  const gone = new Set(moving);
  if (before !== undefined) {
    let mark: Entity | null = before;
    while (mark !== null && gone.has(mark)) mark = nextInList(tree, mark);
    return mark === null ? {} : { before: mark };
  }
  if (after !== undefined) {
    let mark: Entity | null = after;
    while (mark !== null && gone.has(mark)) mark = previousInList(tree, mark);
    return mark === null ? { at: "first" } : { after: mark };
  }
  return {};
}
