/** Remove items from a list inside a field of several entities. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldAddress } from "../../document/values/change-field.ts";
import { shownPath, withoutItems } from "../../document/values/value-path.ts";

/**
 * @param address - The location of the list.
 * @throws InvalidValueError; nothing has changed then.
 */
export function removeItems(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
  at: number,
  count = 1,
): void {
  const name = shownPath([address.component.name, address.field, ...address.path, at]);
  const label = document.t("step.remove", { name });
  changeField(document, label, entities, address, address.path, (value) =>
    withoutItems(value, address.path, at, count),
  );
}
