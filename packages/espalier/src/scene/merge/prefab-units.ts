/**
 * Instances whose prefab one side replaced or unpacked: their content is then taken from one side as a whole, because ids
 * inside of one prefab mean nothing in another.
 */
import { deepEqual } from "../../history/internal.ts";
import type { Json } from "../json/json.ts";
import type { MergeSide } from "./conflicts.ts";
import { entryOf } from "./merged-entry.ts";
import type { Side } from "./side.ts";
import { otherSide, type Triple } from "./triple.ts";

/** By instance: the side whose prefab it has, if the sides differ or it is taken from one side as a whole. */
export function decidePrefabs(triple: Triple): Map<string, MergeSide> {
  const { base, ours, theirs, conflicts, forced } = triple;
  const decided = new Map<string, MergeSide>();
  for (const [id, { record }] of ours.nodes) {
    const other = theirs.nodes.get(id);
    const given = other === undefined ? undefined : forced.get(id);
    if (given !== undefined) decided.set(id, given);
    if (given !== undefined || other === undefined || other.record.prefab === record.prefab) continue;
    const before = base.nodes.get(id)?.record.prefab;
    // If only one side has another prefab, it wins unless the other changed the content.
    const single: MergeSide | undefined =
      other.record.prefab === before ? "ours" : record.prefab === before ? "theirs" : undefined;
    if (single !== undefined && !isInsideChanged(base, triple[otherSide(single)], id)) {
      decided.set(id, single);
      continue;
    }
    const side = conflicts.side({
      kind: "prefab",
      entity: id,
      base: entryOf(base, id) as unknown as Json | undefined,
      ours: entryOf(ours, id) as unknown as Json,
      theirs: entryOf(theirs, id) as unknown as Json,
    });
    decided.set(id, side);
  }
  return decided;
}

function isInsideChanged(base: Side, side: Side, id: string): boolean {
  if (!deepEqual(base.nodes.get(id)?.record.strays, side.nodes.get(id)?.record.strays)) return true;
  const inside = side.inside.get(id) ?? [];
  if (!deepEqual(base.inside.get(id) ?? [], inside)) return true;
  return inside.some((inner) => {
    const [before, now] = [base.nodes.get(inner), side.nodes.get(inner)];
    return before?.parent !== now?.parent || !deepEqual(before?.record, now?.record);
  });
}
