/** Add items to a list inside a field of several entities. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldAddress } from "../../document/values/change-field.ts";
import { shownPath, valueAt, withItems } from "../../document/values/value-path.ts";

/**
 * @param address - The location of the list.
 * @param at - The index of the first new item; the end of the list if left out.
 * @throws InvalidValueError; nothing has changed then.
 */
export function insertItems(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
  items: readonly unknown[],
  at?: number,
): void {
  const name = shownPath([address.component.name, address.field, ...address.path]);
  changeField(document, document.t("step.addItem", { name }), entities, address, address.path, (value) => {
    const { length } = valueAt(value, address.path) as readonly unknown[];
    // Each entity has values of its own.
    return withItems(value, address.path, at ?? length, structuredClone(items));
  });
}
