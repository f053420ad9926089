/** Remove a member from an object inside a field of several entities. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldPlace } from "../../document/values/change-field.ts";
import { shownPath, withoutMember } from "../../document/values/value-path.ts";

/**
 * @param place - The location of the member.
 * @throws InvalidValueError; nothing has changed then.
 */
export function removeMember(document: EditorDocument, entities: Iterable<Entity>, place: FieldPlace): void {
  const name = shownPath([place.component.name, place.field, ...place.path]);
  const label = document.t("step.remove", { name });
  changeField(document, label, entities, place, place.path.slice(0, -1), (value) =>
    withoutMember(value, place.path),
  );
}
