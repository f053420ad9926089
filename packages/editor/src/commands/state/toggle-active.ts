/** Activate entities or deactivate them. */
import type { Entity } from "espalier";
import { Active } from "espalier/inherit";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** Whether an entity itself is active. */
export function isOwnActive({ world }: EditorDocument, entity: Entity): boolean {
  return world.get(entity, Active)?.on ?? true;
}

/** All of them get the new state of the last one, which is the one shown in the inspector. */
export function toggleActive(document: EditorDocument, entities: readonly Entity[]): void {
  const last = entities.at(-1);
  if (last === undefined) return;
  const on = !isOwnActive(document, last);
  edit(document, document.t(on ? "step.activate" : "step.deactivate"), () => {
    for (const entity of entities) document.world.add(entity, Active({ on }));
  });
}
