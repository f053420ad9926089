/**
 * The tree of the result: the parent of every entity that stays, never itself or something below it.
 */
import type { Json } from "../json/json.ts";
import type { MergeSide } from "./conflicts.ts";
import { instanceIdOf, type SideNode } from "./side.ts";
import { forcedSide, nodesOf, otherSide, type Triple } from "./triple.ts";

/** The parent of an entity in the result. */
export interface Placement {
  readonly parent: string | null;
  /** The side that put it there, if the other side has it elsewhere. */
  readonly from: MergeSide | undefined;
}

/** Cycles left after this many rounds are broken by following only one side. */
const MOST_ROUNDS = 32;

/**
 * The parent of every entity that stays.
 *
 * @param prefabs - The content of these instances is taken from one side.
 */
export function mergeParents(
  triple: Triple,
  alive: ReadonlySet<string>,
  prefabs: ReadonlyMap<string, MergeSide>,
): Map<string, Placement> {
  const nearest = {
    ours: survivorAbove(triple, "ours", alive),
    theirs: survivorAbove(triple, "theirs", alive),
  };
  const placements = new Map<string, Placement>();
  const put = (id: string, node: SideNode, side: MergeSide, from: MergeSide | undefined) => {
    const { parent } = node;
    const elsewhere = triple[otherSide(side)].nodes.get(id);
    // If the parent was removed: the parent on the other side, or else the nearest ancestor of the removed one.
    const isThere = parent === null || alive.has(parent);
    const isThereElsewhere =
      elsewhere !== undefined && (elsewhere.parent === null || alive.has(elsewhere.parent));
    if (isThere || !isThereElsewhere)
      placements.set(id, { parent: isThere ? parent : nearest[side](parent), from });
    else placements.set(id, { parent: elsewhere.parent, from });
  };
  for (const id of alive) {
    const { base, ours, theirs } = nodesOf(triple, id);
    const forced = forcedSide(triple, id) ?? prefabs.get(instanceIdOf(id) ?? "");
    if (ours === undefined) put(id, theirs as SideNode, "theirs", undefined);
    else if (theirs === undefined) put(id, ours, "ours", undefined);
    else if (ours.parent === theirs.parent) put(id, ours, "ours", undefined);
    else if (forced !== undefined) put(id, forced === "ours" ? ours : theirs, forced, forced);
    else if (theirs.parent === base?.parent) put(id, ours, "ours", "ours");
    else if (ours.parent === base?.parent) put(id, theirs, "theirs", "theirs");
    else {
      const side = triple.conflicts.side({
        kind: "parent",
        entity: id,
        base: base?.parent,
        ours: ours.parent,
        theirs: theirs.parent,
      });
      put(id, side === "ours" ? ours : theirs, side, side);
    }
  }
  breakCycles(triple, placements, put);
  return placements;
}

function breakCycles(
  triple: Triple,
  placements: Map<string, Placement>,
  put: (id: string, node: SideNode, side: MergeSide, from: MergeSide | undefined) => void,
): void {
  for (let round = 0; ; round++) {
    const cycles = cyclesIn(placements);
    if (cycles.length === 0) return;
    for (const cycle of cycles) {
      const entities = [...cycle].sort();
      const moved = (side: MergeSide) =>
        entities.filter((id) => placements.get(id)?.from === side && triple[otherSide(side)].nodes.has(id));
      const parentsIn = (side: "base" | MergeSide) =>
        Object.fromEntries(entities.map((id) => [id, triple[side].nodes.get(id)?.parent ?? null])) as Json;
      const choice = triple.conflicts.side({
        kind: "cycle",
        entity: entities[0],
        entities,
        base: parentsIn("base"),
        ours: parentsIn("ours"),
        theirs: parentsIn("theirs"),
      });
      const loser = moved(otherSide(choice)).length > 0 ? otherSide(choice) : choice;
      const losers = round < MOST_ROUNDS ? moved(loser) : [];
      for (const id of losers) {
        const winner = otherSide(loser);
        put(id, triple[winner].nodes.get(id) as SideNode, winner, undefined);
      }
      // A root is always possible.
      if (losers.length === 0) placements.set(entities[0], { parent: null, from: undefined });
    }
  }
}

/** The entities of each cycle. Every entity has one parent, so no two cycles overlap. */
function cyclesIn(placements: ReadonlyMap<string, Placement>): string[][] {
  const cycles: string[][] = [];
  /** The walk in which an entity was visited. */
  const met = new Map<string, number>();
  let walk = 0;
  for (const start of placements.keys()) {
    if (met.has(start)) continue;
    walk++;
    const way: string[] = [];
    let at: string | null | undefined = start;
    while (at !== null && at !== undefined && !met.has(at)) {
      met.set(at, walk);
      way.push(at);
      at = placements.get(at)?.parent;
    }
    if (at !== null && at !== undefined && met.get(at) === walk) cycles.push(way.slice(way.indexOf(at)));
  }
  return cycles;
}

/** The nearest entity above a given one, in the tree of one side, that stays; `null` when there is none. */
function survivorAbove(
  triple: Triple,
  side: MergeSide,
  alive: ReadonlySet<string>,
): (id: string | null) => string | null {
  const found = new Map<string, string | null>();
  const { nodes } = triple[side];
  return (id) => {
    const way: string[] = [];
    let at = id;
    while (at !== null && !alive.has(at)) {
      const known = found.get(at);
      if (known !== undefined) {
        at = known;
        break;
      }
      way.push(at);
      at = nodes.get(at)?.parent ?? null;
    }
    for (const one of way) found.set(one, at);
    return at;
  };
}
