/** Remove items from a list inside a field of several entities. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldPlace } from "../../document/values/change-field.ts";
import { shownPath, withoutItems } from "../../document/values/value-path.ts";

/**
 * @param place - The location of the list.
 * @throws InvalidValueError; nothing has changed then.
 */
export function removeItems(
  document: EditorDocument,
  entities: Iterable<Entity>,
  place: FieldPlace,
  at: number,
  count = 1,
): void {
  const name = shownPath([place.component.name, place.field, ...place.path, at]);
  const label = document.t("step.remove", { name });
  changeField(document, label, entities, place, place.path, (value) =>
    withoutItems(value, place.path, at, count),
  );
}
