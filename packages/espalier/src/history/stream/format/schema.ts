/**
 * What both sides of a format must agree on, as text and as a hash.
 */
import type { AnyComponent, Field } from "../../../ecs/index.ts";
import { type FieldState, fieldState, fieldText } from "../../state.ts";

export interface WireField extends FieldState {
  readonly field: Field;
}

export interface WireComponent {
  readonly name: string;
  readonly fields: readonly WireField[];
}

/** The components of a format in an order that does not depend on the list. */
export function wireComponents(components: readonly AnyComponent[]): WireComponent[] {
  return components
    .map(({ name, schema }) => ({
      name,
      fields: Object.entries(schema).map(([field, spec]) => ({
        ...fieldState(field, spec as Field),
        field: spec as Field,
      })),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** FNV-1a over all names and kinds. */
export function schemaHash(components: readonly WireComponent[], trees: readonly string[]): number {
  const text = [
    ...components.map(({ name, fields }) => `${name} { ${fields.map(fieldText).join("; ")} }`),
    `trees: ${trees.join(", ")}`,
  ].join("\n");
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}
