/**
 * The values of fields over a selection: one value, or different ones.
 */
import type { AnyComponent, Component, Entity, Field, Schema } from "espalier";
import type { EditorDocument } from "../document.ts";

export interface FieldState {
  readonly name: string;
  readonly field: Field;
  /** Of the entity selected last. */
  readonly value: unknown;
  readonly isMixed: boolean;
  /** Of each entity. */
  readonly values: readonly unknown[];
}

/** The components that all of the entities have, in the order of the format, and then others. */
export function sharedComponents(
  { world, format }: EditorDocument,
  entities: readonly Entity[],
): AnyComponent[] {
  const [first] = entities;
  if (first === undefined) return [];
  return format.components
    .map((name) => format.component(name) as AnyComponent)
    .filter((component) => entities.every((entity) => world.has(entity, component)));
}

/** The fields of a component over the entities that have it. */
export function fieldStates(
  { world }: EditorDocument,
  entities: readonly Entity[],
  component: AnyComponent,
): FieldState[] {
  const values = entities.map(
    (entity) => world.get(entity, component as Component<Schema>) as { [field: string]: unknown },
  );
  const last = values.at(-1) ?? {};
  return Object.entries(component.schema).map(([name, field]) => ({
    name,
    field,
    value: last[name],
    isMixed: isMixed(values.map((one) => one[name])),
    values: values.map((one) => one[name]),
  }));
}

/** Whether not all of them are the same. */
export function isMixed(values: readonly unknown[]): boolean {
  return values.some((one) => !isSame(one, values.at(-1)));
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
