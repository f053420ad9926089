/** Move items of a list inside a field to another index. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldAddress } from "../../document/values/change-field.ts";
import { shownPath, withMovedItems } from "../../document/values/value-path.ts";

/**
 * @param address - The location of the list.
 * @param to - The index of the first of them afterwards.
 * @throws InvalidValueError; nothing has changed then.
 */
export function moveItems(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
  from: number,
  to: number,
  count = 1,
): void {
  const name = shownPath([address.component.name, address.field, ...address.path]);
  const label = document.t("step.reorder", { what: name });
  changeField(document, label, entities, address, address.path, (value) =>
    withMovedItems(value, address.path, from, to, count),
  );
}
