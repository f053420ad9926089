/** Change a part of a list of references of several entities, each relative to the list that it has. */
import type { AnyComponent, Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import type { EditOptions } from "../../document/edit.ts";
import { changeField } from "../../document/values/change-field.ts";
import type { Item, ListEdit } from "../../document/values/reference-list.ts";

/** Entities that lack the component are left alone. @throws InvalidValueError; nothing has changed then. */
export function changeList(
  document: EditorDocument,
  entities: Iterable<Entity>,
  component: AnyComponent,
  field: string,
  change: ListEdit,
  options?: EditOptions,
): void {
  const label = document.t("step.set", { name: `${component.name}.${field}` });
  const address = { component, field, path: [] };
  changeField(document, label, entities, address, [], (list) => change(list as readonly Item[]), options);
}
