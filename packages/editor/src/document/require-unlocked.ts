/** Locked entities are neither moved nor deleted, by any command. */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import type { EditorDocument } from "./document.ts";
import { EditorLock } from "./locked.ts";

/** Why some of the entities, or their descendants, may not be changed; `undefined` when they may. */
export function whyLocked(document: EditorDocument, entities: Iterable<Entity>): string | undefined {
  const { tree, world, t } = document;
  const tops = topmost(tree, entities);
  for (const top of tops) {
    if (document.locked.of(top)) return t("refuse.locked", { name: document.label(top) });
  }
  for (const locked of world.query(EditorLock).ids()) {
    const top = tops.find((one) => tree.isAncestor(one, locked));
    if (top !== undefined) {
      return t("refuse.lockedInside", { name: document.label(top), locked: document.label(locked) });
    }
  }
  return undefined;
}

/** Thrown when a command is refused because of a lock; the message is for the user. */
export class LockedError extends Error {
  override readonly name = "LockedError";
}

/** @throws LockedError with the reason, for the user. */
export function requireUnlocked(document: EditorDocument, entities: Iterable<Entity>): void {
  const reason = whyLocked(document, entities);
  if (reason !== undefined) throw new LockedError(reason);
}
