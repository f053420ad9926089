/**
 * The values of fields across a selection: one value, or different ones.
 */
import {
  type AnyComponent,
  type Component,
  type Entity,
  type Field,
  fieldTypeOf,
  type Schema,
} from "espalier";
import type { EditorDocument } from "../document.ts";

export interface FieldState {
  readonly name: string;
  readonly field: Field;
  /** The value of the entity selected last. */
  readonly value: unknown;
  readonly isMixed: boolean;
  /** The value of each entity. */
  readonly values: readonly unknown[];
}

/** The components that all of the entities have, in the order of the format. */
export function sharedComponents(
  { world, components }: EditorDocument,
  entities: readonly Entity[],
): AnyComponent[] {
  if (entities.length === 0) return [];
  return components.filter((component) => entities.every((entity) => world.has(entity, component)));
}

/** The fields of a component across the entities that have it. */
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

/** Whether a field is edited as a plain number: not a choice, a colour or an entity. */
export function isShownAsNumber({ field, value }: FieldState): boolean {
  const isOther = field.names !== undefined || (field as { format?: string }).format === "color";
  return typeof value === "number" && !isOther && fieldTypeOf(field).valueKind !== "entity";
}

/** One number field across entities, times a factor; `undefined` when one of them is dead or has lost the component. */
export function numberOver(
  { world }: EditorDocument,
  entities: readonly Entity[],
  component: AnyComponent,
  name: string,
  factor: number,
): { readonly value: number; readonly isMixed: boolean } | undefined {
  const values: number[] = [];
  for (const entity of entities) {
    if (!world.isAlive(entity) || !world.has(entity, component)) return undefined;
    values.push(
      (world.get(entity, component as Component<Schema>) as { [field: string]: number })[name] as number,
    );
  }
  const last = values.at(-1);
  return last === undefined
    ? undefined
    : { value: last * factor, isMixed: values.some((one) => !Object.is(one, last)) };
}

/** Whether the values differ. */
export function isMixed(values: readonly unknown[]): boolean {
  return values.some((one) => !isSame(one, values.at(-1)));
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
