/** Write a member or an item inside of a field of several entities: `Collider.shapes[0].radius`. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import type { EditOptions } from "../../document/edit.ts";
import { changeField, type FieldPlace } from "../../document/values/change-field.ts";
import { shownPath, withValueAt } from "../../document/values/value-path.ts";

/** The rest of each value stays. A member that is not there is added. @throws InvalidValueError; nothing has changed then. */
export function setInside(
  document: EditorDocument,
  entities: Iterable<Entity>,
  place: FieldPlace,
  value: unknown,
  options?: EditOptions,
): void {
  const name = shownPath([place.component.name, place.field, ...place.path]);
  const label = document.t("step.set", { name });
  const holder = place.path.slice(0, -1);
  const change = (before: unknown) => withValueAt(before, place.path, value);
  changeField(document, label, entities, place, holder, change, options);
}
