/**
 * The children of every parent in the result, in order.
 */
import type { Json } from "../json/json.ts";
import { mergeLists } from "./merge-lists.ts";
import type { Placement } from "./merge-parents.ts";
import type { Triple } from "./triple.ts";

/** By parent; the roots by `null`. */
export function mergeChildren(
  triple: Triple,
  placements: ReadonlyMap<string, Placement>,
): Map<string | null, readonly string[]> {
  const members = new Map<string | null, Set<string>>();
  for (const [id, { parent }] of placements) {
    const siblings = members.get(parent);
    if (siblings === undefined) members.set(parent, new Set([id]));
    else siblings.add(id);
  }
  const children = new Map<string | null, readonly string[]>();
  for (const [parent, siblings] of members) {
    const [base, ours, theirs] = [triple.base, triple.ours, triple.theirs].map(
      (side) => side.children.get(parent) ?? [],
    );
    const conflict = () =>
      triple.conflicts.side({
        kind: "order",
        entity: parent,
        entities: [...siblings].sort(),
        base: base as Json,
        ours: ours as Json,
        theirs: theirs as Json,
      });
    children.set(parent, mergeLists({ base, ours, theirs }, siblings, conflict));
  }
  return children;
}
