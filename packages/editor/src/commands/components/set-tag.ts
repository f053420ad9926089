/** Change the variant of an object inside a field of several entities: a box becomes a circle. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { changeField, type FieldAddress } from "../../document/values/change-field.ts";
import { isPlainObject, type JsonSchema } from "../../document/values/json-schema.ts";
import { type Tag, withTag } from "../../document/values/value-form.ts";
import { shownPath, valueAt, withValueAt } from "../../document/values/value-path.ts";

/**
 * Each keeps the members that both variants have in common.
 *
 * @param address - The location of the object.
 * @param schema - Describes the variants.
 * @throws InvalidValueError; nothing has changed then.
 */
export function setTag(
  document: EditorDocument,
  entities: Iterable<Entity>,
  address: FieldAddress,
  schema: JsonSchema | undefined,
  tag: Tag,
  next: unknown,
): void {
  const { component, field, path } = address;
  const label = document.t("step.set", { name: shownPath([component.name, field, ...path, tag.name]) });
  changeField(document, label, entities, address, path, (value) => {
    const group = valueAt(value, path);
    return isPlainObject(group) ? withValueAt(value, path, withTag(schema, group, tag, next)) : value;
  });
}
