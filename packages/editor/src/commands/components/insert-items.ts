/** Add items to a list inside a field of several entities. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldPlace } from "../../document/values/change-field.ts";
import { shownPath, valueAt, withItems } from "../../document/values/value-path.ts";

/**
 * @param place - The location of the list.
 * @param at - The index of the first new item; the end of the list if left out.
 * @throws InvalidValueError; nothing has changed then.
 */
export function insertItems(
  document: EditorDocument,
  entities: Iterable<Entity>,
  place: FieldPlace,
  items: readonly unknown[],
  at?: number,
): void {
  const name = shownPath([place.component.name, place.field, ...place.path]);
  changeField(document, document.t("step.addItem", { name }), entities, place, place.path, (value) => {
    const { length } = valueAt(value, place.path) as readonly unknown[];
    // Each entity has values of its own.
    return withItems(value, place.path, at ?? length, structuredClone(items));
  });
}
