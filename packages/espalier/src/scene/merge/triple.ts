/**
 * The three scenes of a merge, and what has been decided about their entities so far.
 */
import type { Registry } from "../registry.ts";
import type { Conflicts, MergeSide } from "./conflicts.ts";
import type { ThreeVersions } from "./merge-record.ts";
import { instanceIdOf, type NodeRecord, type Side, type SideNode } from "./side.ts";

export interface Triple {
  readonly registry: Registry;
  readonly conflicts: Conflicts;
  readonly base: Side;
  readonly ours: Side;
  readonly theirs: Side;
  /** Entities with an entry whose record and inside are taken from one side as a whole. */
  readonly forced: Map<string, MergeSide>;
}

export function otherSide(side: MergeSide): MergeSide {
  return side === "ours" ? "theirs" : "ours";
}

/** The side that an entity is taken from as a whole, if it is. */
export function forcedSide({ forced }: Triple, id: string): MergeSide | undefined {
  return forced.size === 0 ? undefined : forced.get(instanceIdOf(id) ?? id);
}

export function nodesOf({ base, ours, theirs }: Triple, id: string): ThreeVersions<SideNode> {
  return { base: base.nodes.get(id), ours: ours.nodes.get(id), theirs: theirs.nodes.get(id) };
}

export function recordsOf(triple: Triple, id: string): ThreeVersions<NodeRecord> {
  const { base, ours, theirs } = triple;
  return {
    base: base.nodes.get(id)?.record,
    ours: ours.nodes.get(id)?.record,
    theirs: theirs.nodes.get(id)?.record,
  };
}
