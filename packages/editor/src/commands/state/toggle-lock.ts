/** Lock entities against being picked in the viewport, or unlock them. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { EditorLock } from "../../document/locked.ts";

/** All of them get the new state of the first one. */
export function toggleLock(document: EditorDocument, entities: readonly Entity[]): void {
  const [first] = entities;
  if (first === undefined) return;
  const { world } = document;
  const lock = !world.has(first, EditorLock);
  edit(document, document.t(lock ? "step.lock" : "step.unlock"), () => {
    for (const entity of entities) {
      if (lock) world.add(entity, EditorLock);
      else world.remove(entity, EditorLock);
    }
  });
}
