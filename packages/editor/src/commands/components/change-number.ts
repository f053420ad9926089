/** Change a number field of several entities, each relative to its current value: `+=10`. */
import type { AnyComponent, Component, Entity, Schema } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, edit } from "../../document/edit.ts";
import { changed, type NumberChange } from "../../document/values/number-change.ts";

/** Entities that lack the component are left alone. @throws InvalidValueError; nothing has changed then. */
export function changeNumber(
  document: EditorDocument,
  entities: Iterable<Entity>,
  component: AnyComponent,
  field: string,
  change: NumberChange,
  options?: EditOptions,
): void {
  const { world } = document;
  const known = component as Component<Schema>;
  edit(
    document,
    document.t("step.set", { name: `${component.name}.${field}` }),
    () => {
      for (const entity of entities) {
        if (!world.has(entity, known)) continue;
        const now = (world.get(entity, known) as { readonly [field: string]: unknown })[field];
        if (typeof now === "number") world.set(entity, known, { [field]: changed(change, now) });
      }
    },
    options,
  );
}
