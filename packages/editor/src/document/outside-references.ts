/**
 * References from the rest of a document to some of its entities: they become empty when those are deleted.
 */
import { type AnyComponent, type Component, type Entity, fieldTypeOf, type Schema } from "espalier";
import type { EditorDocument } from "./document.ts";

/** A field of an entity that refers to one of the given entities. */
export interface OutsideReference {
  readonly entity: Entity;
  readonly component: AnyComponent;
  readonly field: string;
  readonly target: Entity;
}

/** All references from outside to the given subtrees. References inside object fields are not found. */
export function referencesInto(document: EditorDocument, tops: Iterable<Entity>): OutsideReference[] {
  const { tree, world } = document;
  const inside = new Set<Entity>();
  for (const top of tops) {
    for (const entity of tree.descendants(top, { includeSelf: true })) inside.add(entity);
  }
  const found: OutsideReference[] = [];
  for (const component of document.components) {
    const fields = Object.keys(component.schema).filter((field) =>
      ["entity", "entities"].includes(fieldTypeOf(component.schema[field] as never).valueKind),
    );
    if (fields.length === 0) continue;
    for (const entity of world.query(component as Component<Schema>).ids()) {
      if (inside.has(entity)) continue;
      const values = world.get(entity, component as Component<Schema>) as { [field: string]: unknown };
      for (const field of fields) {
        for (const target of targetsIn(values[field]))
          if (inside.has(target)) found.push({ entity, component, field, target });
      }
    }
  }
  return found;
}

/** `tree (Aim.at), tank (Aim.at), …`: the references, as text. */
export function namesOf(document: EditorDocument, references: readonly OutsideReference[], most = 3): string {
  const names = references
    .slice(0, most)
    .map(({ entity, component, field }) => `${document.label(entity)} (${component.name}.${field})`);
  return references.length > most ? `${names.join(", ")}, …` : names.join(", ");
}

/** The entities that the value of a field refers to. */
function targetsIn(value: unknown): Entity[] {
  if (!Array.isArray(value)) return typeof value === "number" ? [value as Entity] : [];
  return value.map((item: unknown) =>
    typeof item === "object" ? (item as { target: Entity }).target : (item as Entity),
  );
}
