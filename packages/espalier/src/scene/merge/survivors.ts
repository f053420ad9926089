/**
 * Which entities are in the result.
 *
 * Entities that one side deleted are removed, unless the other changed something in them: then all that were deleted together
 * stay or go together, because half of a tank is useless.
 */
import { deepEqual, ownOf } from "../../history/internal.ts";
import type { Json } from "../json/json.ts";
import type { MergeSide } from "./conflicts.ts";
import { entryOf } from "./merged-entry.ts";
import { referencesIn, referringFields } from "./references.ts";
import { instanceIdOf, type NodeRecord, type SideNode } from "./side.ts";
import { otherSide, type Triple } from "./triple.ts";

/**
 * The ids of the entities that stay.
 *
 * @param prefabs - The content of these instances is taken from one side.
 */
export function survivorsOf(triple: Triple, prefabs: ReadonlyMap<string, MergeSide>): Set<string> {
  const { base, ours, theirs } = triple;
  const alive = new Set<string>();
  const restored = {
    ours: restoredBy(triple, "ours", prefabs),
    theirs: restoredBy(triple, "theirs", prefabs),
  };
  for (const side of ["ours", "theirs"] as const) {
    const other = side === "ours" ? theirs : ours;
    for (const [id, node] of triple[side].nodes) {
      if (alive.has(id)) continue;
      const unit = prefabs.get(instanceIdOf(id) ?? "");
      if (unit !== undefined) {
        if (unit === side) alive.add(id);
      } else if (other.nodes.has(id)) alive.add(id);
      else if (base.nodes.has(id)) {
        if (restored[side].kept.has(id)) alive.add(id);
      } else if (!isAddedToDeleted(node, restored[side].dropped)) alive.add(id);
      else restored[side].dropped.add(id);
    }
  }
  // A removed instance has no content.
  for (const id of alive) {
    const instance = instanceIdOf(id);
    if (instance !== undefined && !alive.has(instance)) alive.delete(id);
  }
  return alive;
}

/** For entities that one side has and the other deleted: which stay, and which are removed although this side changed them. */
function restoredBy(
  triple: Triple,
  side: MergeSide,
  prefabs: ReadonlyMap<string, MergeSide>,
): { readonly kept: ReadonlySet<string>; readonly dropped: Set<string> } {
  const { base, conflicts } = triple;
  const own = triple[side];
  const other = triple[otherSide(side)];
  const isDoomed = (id: string | null): id is string =>
    id !== null &&
    base.nodes.has(id) &&
    own.nodes.has(id) &&
    !other.nodes.has(id) &&
    !prefabs.has(instanceIdOf(id) ?? "");
  const doomed = [...own.nodes.keys()].filter(isDoomed);
  const kept = new Set<string>();
  const dropped = new Set<string>();
  if (doomed.length === 0) return { kept, dropped };
  const topOf = topsOf(own.nodes, isDoomed);
  /** By the topmost of those deleted together: the entities below it that were changed or added. */
  const changed = new Map<string, string[]>();
  const note = (top: string, id: string) => {
    const list = changed.get(top);
    if (list === undefined) changed.set(top, [id]);
    else if (list[list.length - 1] !== id) list.push(id);
  };
  for (const [id, node] of own.nodes) {
    const before = base.nodes.get(id);
    const isMoved = before?.parent !== node.parent;
    const isChanged = isMoved || !deepEqual(before?.record, node.record);
    if (isDoomed(id)) {
      if (isChanged) note(topOf(id), id);
    } else if (before === undefined || isMoved) {
      if (isDoomed(node.parent)) note(topOf(node.parent), id);
    }
    if (!isChanged) continue;
    for (const target of newReferences(triple, before?.record, node.record)) {
      if (isDoomed(target) && (!isDoomed(id) || topOf(id) !== topOf(target))) note(topOf(target), id);
    }
  }
  const stays = new Map<string, boolean>();
  for (const [top, entities] of changed) {
    const choice = conflicts.side({
      kind: "deleted",
      entity: top,
      entities,
      base: entryOf(base, top) as unknown as Json,
      ours: entryOf(triple.ours, top) as unknown as Json | undefined,
      theirs: entryOf(triple.theirs, top) as unknown as Json | undefined,
      default: side,
    });
    stays.set(top, choice === side);
  }
  for (const id of doomed) {
    const isKept = stays.get(topOf(id));
    if (isKept === true) kept.add(id);
    else if (isKept === false) dropped.add(id);
  }
  return { kept, dropped };
}

/** For each deleted entity, the topmost of those deleted with it. */
function topsOf(
  nodes: ReadonlyMap<string, SideNode>,
  isDoomed: (id: string | null) => id is string,
): (id: string) => string {
  const tops = new Map<string, string>();
  return (id) => {
    const way: string[] = [];
    const seen = new Set<string>();
    let at = id;
    let top: string | undefined;
    while (top === undefined) {
      const known = tops.get(at);
      const instance = instanceIdOf(at);
      // Entities inside an instance are deleted with it, wherever they were moved.
      const above: string | null =
        instance !== undefined && isDoomed(instance) ? instance : (nodes.get(at)?.parent ?? null);
      way.push(at);
      seen.add(at);
      if (known !== undefined) top = known;
      else if (!isDoomed(above) || seen.has(above)) top = at;
      else at = above;
    }
    for (const one of way) tops.set(one, top);
    return top;
  };
}

function isAddedToDeleted({ id, parent }: SideNode, dropped: ReadonlySet<string>): boolean {
  const instance = instanceIdOf(id);
  return (parent !== null && dropped.has(parent)) || (instance !== undefined && dropped.has(instance));
}

/** The ids that a record refers to in fields that are new or changed. */
function* newReferences(
  { registry }: Triple,
  before: NodeRecord | undefined,
  now: NodeRecord,
): IterableIterator<string> {
  for (const [component, values] of Object.entries(now.components)) {
    const former = ownOf(before?.components, component);
    for (const [field, value] of referringFields(registry, component, values)) {
      if (!deepEqual(ownOf(former ?? undefined, field), value))
        yield* referencesIn(registry, component, field, value);
    }
  }
}
