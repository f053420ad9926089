/** Give entities the components of a bundle, with its values. */
import type { AnyBundle, Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** As one step. Components that an entity already has keep their values. */
export function addBundle(document: EditorDocument, entities: Iterable<Entity>, bundle: AnyBundle): void {
  const { world } = document;
  edit(document, document.t("step.add", { name: bundle.name }), () => {
    for (const entity of entities) {
      for (const part of bundle.parts) if (!world.has(entity, part.component)) world.add(entity, part);
    }
  });
}
