/** Hide entities or show them again. */
import type { Entity } from "espalier";
import { HIDDEN, INHERIT, Visibility } from "espalier/inherit";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** Whether an entity is hidden by its own component. */
export function isOwnHidden({ world }: EditorDocument, entity: Entity): boolean {
  return world.has(entity, Visibility) && world.get(entity, Visibility)?.mode === HIDDEN;
}

/** All of them get the new state of the first one: hidden, or inherited from their parents. */
export function toggleVisibility(document: EditorDocument, entities: readonly Entity[]): void {
  const [first] = entities;
  if (first === undefined) return;
  const { world } = document;
  const hide = !isOwnHidden(document, first);
  edit(document, document.t(hide ? "step.hide" : "step.show"), () => {
    for (const entity of entities) {
      if (hide) world.add(entity, Visibility({ mode: HIDDEN }));
      else if (world.has(entity, Visibility)) world.set(entity, Visibility, { mode: INHERIT });
    }
  });
}
