/**
 * The merged order of siblings: an item moved by one side is where that side put it.
 */
import { deepEqual, longestIncreasing } from "../../history/internal.ts";
import type { MergeSide } from "./conflicts.ts";

export interface ListVersions {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * Merges three orders of the same list. Items that only one side has come after the same item as there; where both sides put
 * something after one item, the id decides which comes first, so that the result does not depend on which side merges.
 *
 * @param members - The items of the result; everything else is left out.
 * @param conflict - Called when both sides moved the same items to different positions.
 */
export function mergeLists(
  versions: ListVersions,
  members: ReadonlySet<string>,
  conflict: () => MergeSide,
): string[] {
  const isMember = (id: string) => members.has(id);
  const base = versions.base.filter(isMember);
  const ours = versions.ours.filter(isMember);
  const theirs = versions.theirs.filter(isMember);
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  if (deepEqual(ours, theirs) || (deepEqual(theirs, base) && base.every((id) => inOurs.has(id)))) {
    return withRest(ours, members);
  }
  if (deepEqual(ours, base) && base.every((id) => inTheirs.has(id))) return withRest(theirs, members);
  const movedByOurs = movedItems(base, ours);
  const movedByTheirs = movedItems(base, theirs);
  /** Moved by both sides, or new to both. */
  const isDisputed = (id: string) => movedByOurs.has(id) && movedByTheirs.has(id);
  const isFixed = (id: string) =>
    inOurs.has(id) && inTheirs.has(id) && !movedByOurs.has(id) && !movedByTheirs.has(id);
  const disputed = ours.filter(isDisputed);
  let side: MergeSide | undefined;
  if (disputed.length > 0) {
    const isAnchor = (id: string) => isFixed(id) || isDisputed(id);
    if (!deepEqual(ours.filter(isAnchor), theirs.filter(isAnchor))) side = conflict();
  }
  const settled = new Set(disputed);
  /** The list continues at items on which both sides agree. */
  const isCommon = (id: string) => isFixed(id) || (side === undefined && settled.has(id));
  const isFrom = (from: MergeSide, id: string) => {
    if (isCommon(id)) return false;
    if (settled.has(id)) return side === from;
    const moved = from === "ours" ? movedByOurs : movedByTheirs;
    return !(from === "ours" ? inTheirs : inOurs).has(id) || moved.has(id);
  };
  const runsOfOurs = runsOf(ours, isCommon, (id) => isFrom("ours", id));
  const runsOfTheirs = runsOf(theirs, isCommon, (id) => isFrom("theirs", id));
  const merged: string[] = [];
  for (const anchor of [undefined, ...ours.filter(isCommon)]) {
    if (anchor !== undefined) merged.push(anchor);
    const runs = [runsOfOurs.get(anchor), runsOfTheirs.get(anchor)].filter((run) => run !== undefined);
    runs.sort(([a], [b]) => (a < b ? -1 : 1));
    for (const run of runs) merged.push(...run);
  }
  return withRest(merged, members);
}

/** The smallest set of items that must have been moved or added to turn `base` into `list`. */
function movedItems(base: readonly string[], list: readonly string[]): Set<string> {
  const positions = new Map(base.map((id, k) => [id, k]));
  const stays = longestIncreasing(list.map((id) => positions.get(id) ?? -1));
  return new Set(list.filter((_, k) => stays[k] === 0));
}

/** The items taken from one list, by the common item that they come after. */
function runsOf(
  list: readonly string[],
  isCommon: (id: string) => boolean,
  isTaken: (id: string) => boolean,
): Map<string | undefined, string[]> {
  const runs = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const id of list) {
    if (isCommon(id)) anchor = id;
    else if (isTaken(id)) {
      const run = runs.get(anchor);
      if (run === undefined) runs.set(anchor, [id]);
      else run.push(id);
    }
  }
  return runs;
}

/** Members that no list names come last. */
function withRest(list: readonly string[], members: ReadonlySet<string>): string[] {
  if (list.length === members.size) return [...list];
  const listed = new Set(list);
  return [...list, ...[...members].filter((id) => !listed.has(id)).sort()];
}
