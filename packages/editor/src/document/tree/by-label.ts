/** Natural order of names: `crate 2` before `crate 10`. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document.ts";

export function byLabel(document: EditorDocument): (a: Entity, b: Entity) => number {
  const { compare } = new Intl.Collator("en", { numeric: true });
  return (a, b) => compare(document.label(a), document.label(b));
}
