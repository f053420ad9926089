/** Write a field of a component of several entities. */
import type { AnyComponent, Component, Entity, Schema } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, edit } from "../../document/edit.ts";

/** Entities that lack the component are left alone. @throws InvalidValueError; nothing has changed then. */
export function setField(
  document: EditorDocument,
  entities: Iterable<Entity>,
  component: AnyComponent,
  field: string,
  value: unknown,
  options?: EditOptions,
): void {
  const { world } = document;
  edit(
    document,
    document.t("step.set", { name: `${component.name}.${field}` }),
    () => {
      for (const entity of entities) {
        if (world.has(entity, component))
          world.set(entity, component as Component<Schema>, { [field]: value });
      }
    },
    options,
  );
}
