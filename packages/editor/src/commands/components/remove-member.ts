/** Remove a member from an object inside a field of several entities. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldAddress } from "../../document/values/change-field.ts";
import { shownPath, withoutMember } from "../../document/values/value-path.ts";

/**
 * @param address - The location of the member.
 * @throws InvalidValueError; nothing has changed then.
 */
export function removeMember(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
): void {
  const name = shownPath([address.component.name, address.field, ...address.path]);
  const label = document.t("step.remove", { name });
  changeField(document, label, entities, address, address.path.slice(0, -1), (value) =>
    withoutMember(value, address.path),
  );
}
