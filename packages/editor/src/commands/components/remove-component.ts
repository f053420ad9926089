/** Remove a component from entities. */
import type { AnyComponent, Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

export function removeComponent(
  document: EditorDocument,
  entities: Iterable<Entity>,
  component: AnyComponent,
): void {
  edit(document, document.t("step.remove", { name: component.name }), () => {
    for (const entity of entities) document.world.remove(entity, component);
  });
}
