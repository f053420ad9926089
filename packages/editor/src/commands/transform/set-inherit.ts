/** Say what an entity takes from its parent: position, rotation, scale, each by itself. */
import type { Entity } from "espalier";
import type { InheritMask } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

export function setInherit(document: EditorDocument, entities: Iterable<Entity>, mask: InheritMask): void {
  edit(document, document.t("step.inherit"), () => {
    for (const entity of entities) document.space.setInherit(entity, mask);
  });
}
