/** Give entities a component, with its defaults. */
import type { AnyComponent, Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** Entities that already have it keep their values. */
export function addComponent(
  document: EditorDocument,
  entities: Iterable<Entity>,
  component: AnyComponent,
): void {
  const { world } = document;
  edit(document, document.t("step.add", { name: component.name }), () => {
    for (const entity of entities) if (!world.has(entity, component)) world.add(entity, component);
  });
}
