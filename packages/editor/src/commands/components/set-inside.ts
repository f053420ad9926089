/** Write a member or an item inside a field of several entities: `Collider.shapes[0].radius`. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import type { EditOptions } from "../../document/edit.ts";
import { changeField, type FieldAddress } from "../../document/values/change-field.ts";
import { shownPath, valueAt, withValueAt } from "../../document/values/value-path.ts";

/** The rest of each value stays. A missing member is added. @throws InvalidValueError; nothing has changed then. */
export function setInside(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
  value: unknown,
  options?: EditOptions,
): void {
  const name = shownPath([address.component.name, address.field, ...address.path]);
  const label = document.t("step.set", { name });
  const holder = address.path.slice(0, -1);
  const change = (before: unknown) => withValueAt(before, address.path, value);
  changeField(document, label, entities, address, holder, change, options);
}

/**
 * Changes a number of each entity relative to its current value; values without a number at that location are left alone.
 * @throws InvalidValueError; nothing has changed then.
 */
export function changeInside(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
  change: (now: number) => number,
): void {
  const { component, field, path } = address;
  const label = document.t("step.set", { name: shownPath([component.name, field, ...path]) });
  changeField(document, label, entities, address, path.slice(0, -1), (before) => {
    const now = valueAt(before, path);
    return typeof now === "number" ? withValueAt(before, path, change(now)) : before;
  });
}
