/**
 * Preparation for making a world follow a draft: which nodes are the same, and which entities are removed.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { matchIds } from "../read/id-steps.ts";
import type { Draft } from "../read/read.ts";

export interface ReconcileInput {
  readonly tree: Hierarchy;
  /** The draft that the entities were made from, and the living entity of each of its nodes. */
  readonly before: { readonly draft: Draft; find(k: number): Entity | undefined } | undefined;
  readonly after: Draft;
  /** The living entity that has the id of each node of `after`. Created ones are added. */
  readonly entities: (Entity | undefined)[];
  /** The parent of new roots. */
  readonly parent: Entity | null;
  /** Entities that are not part of `after`, besides those that only `before` has, and their ids if they have some. */
  readonly doomed: ReadonlyMap<Entity, string | undefined>;
  /** Whether the roots of the draft stay where they are. */
  readonly keepRoots: boolean;
  /** The key of the scene that the entities belong to; 0 for none. */
  readonly scene: number;
}

/** What is known before anything is changed, and what was done so far. */
export interface Work extends ReconcileInput {
  /** For each node of `after` that of `before`, and vice versa; -1 where there is none. */
  readonly former: Int32Array;
  readonly later: Int32Array;
  /** All entities to be removed. */
  readonly doomed: ReadonlyMap<Entity, string | undefined>;
  /** The nodes whose entities were created, and those whose entities moved. */
  readonly added: Set<number>;
  readonly moved: Set<number>;
}

export function prepare(input: ReconcileInput): Work {
  const { before, after } = input;
  const count = after.nodes.length;
  const nodesBefore = before?.draft.nodes ?? [];
  const former =
    before === undefined ? new Int32Array(count).fill(-1) : matchIds(after.byId, before.draft.byId, count);
  const later = new Int32Array(nodesBefore.length).fill(-1);
  former.forEach((j, k) => {
    if (j >= 0) later[j] = k;
  });
  const doomed = new Map<Entity, string | undefined>();
  nodesBefore.forEach((node, j) => {
    const entity = later[j] < 0 ? before?.find(j) : undefined;
    if (entity !== undefined) doomed.set(entity, node.id);
  });
  for (const [entity, id] of input.doomed) doomed.set(entity, id);
  return { ...input, former, later, doomed, added: new Set(), moved: new Set() };
}
