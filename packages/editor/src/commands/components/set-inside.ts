/** Write a member or an item inside a field of several entities: `Collider.shapes[0].radius`. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import type { EditOptions } from "../../document/edit.ts";
import { changeField, type FieldPlace } from "../../document/values/change-field.ts";
import { shownPath, valueAt, withValueAt } from "../../document/values/value-path.ts";

/** The rest of each value stays. A missing member is added. @throws InvalidValueError; nothing has changed then. */
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

/**
 * Changes a number of each entity relative to its current value; values without a number at that location are left alone.
 * @throws InvalidValueError; nothing has changed then.
 */
export function changeInside(
  document: EditorDocument,
  entities: Iterable<Entity>,
  place: FieldPlace,
  change: (now: number) => number,
): void {
  const { component, field, path } = place;
  const label = document.t("step.set", { name: shownPath([component.name, field, ...path]) });
  changeField(document, label, entities, place, path.slice(0, -1), (before) => {
    const now = valueAt(before, path);
    return typeof now === "number" ? withValueAt(before, path, change(now)) : before;
  });
}
