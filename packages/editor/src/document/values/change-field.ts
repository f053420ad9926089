/**
 * Changes a field of several entities, each relative to its current value. Shared by the commands that write inside values.
 */
import type { AnyComponent, Component, Entity, Schema } from "espalier";
import type { EditorDocument } from "../document.ts";
import { type EditOptions, edit } from "../edit.ts";
import { hasValueAt, type ValuePath, valueAt } from "./value-path.ts";

/** A location inside a field. */
export interface FieldAddress {
  readonly component: AnyComponent;
  readonly field: string;
  readonly path: ValuePath;
}

/**
 * Writes what `change` makes of each value. Entities that lack the component, or whose value has nothing at `holder`, are left
 * alone. @throws InvalidValueError; nothing has changed then.
 */
export function changeField(
  document: EditorDocument,
  label: string,
  entities: Iterable<Entity>,
  { component, field }: FieldAddress,
  holder: ValuePath,
  change: (value: unknown) => unknown,
  options?: EditOptions,
): void {
  const { world } = document;
  edit(
    document,
    label,
    () => {
      for (const entity of entities) {
        const values = world.get(entity, component as Component<Schema>) as
          | { readonly [field: string]: unknown }
          | undefined;
        const value = values?.[field];
        if (values === undefined || !hasValueAt(value, holder)) continue;
        if (holder.length > 0 && !isHolder(valueAt(value, holder))) continue;
        world.set(entity, component as Component<Schema>, { [field]: change(value) });
      }
    },
    options,
  );
}

function isHolder(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
