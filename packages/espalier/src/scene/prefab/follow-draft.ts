/**
 * Makes an instance in a world follow a draft of itself.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { asOneChange } from "../all-or-nothing.ts";
import { type ReloadSummary, reconcile } from "../compare/reconcile.ts";
import type { InstanceDraft } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { matchMembers } from "../read/template.ts";
import { type InstanceRecord, tablesOf } from "../tables.ts";
import { reordered, restoreOrder } from "./child-order.ts";
import { instanceId } from "./instance-draft.ts";

export interface FollowInput {
  readonly after: Draft;
  /** Differences from this draft are applied; everything if left out. */
  readonly before: Draft | undefined;
  readonly doomed?: readonly Entity[];
}

export function followDraft(
  tree: Hierarchy,
  record: InstanceRecord,
  { before, after, doomed = [] }: FollowInput,
): ReloadSummary {
  const entities = entitiesIn(tree.world, after, record);
  const found = before && entitiesIn(tree.world, before, record);
  const ordered = new Set(reordered(tree, record).map((k) => record.members[k]));
  return asOneChange(tree.world, () => {
    const summary = reconcile({
      tree,
      before: before && { draft: before, find: (k) => found?.[k] },
      after,
      entities,
      parent: tree.parentOf(record.root),
      doomed: new Map(doomed.map((entity) => [entity, undefined])),
      keepRoots: true,
      scene: 0,
    });
    // Created entities come after entities added to the instance, which are last in the prefab's order.
    const now = tablesOf(tree).instances.get(record.root) ?? record;
    for (const k of reordered(tree, now)) if (!ordered.has(now.members[k])) restoreOrder(tree, now, k);
    return summary;
  });
}

/** The living entities of an instance by the nodes of a draft, which may be of another form of the prefab. */
function entitiesIn(world: World, draft: Draft, record: InstanceRecord): (Entity | undefined)[] {
  const entities: (Entity | undefined)[] = new Array(draft.nodes.length).fill(undefined);
  const { instance } = draft.nodes[draft.byId.find(instanceId) as number].rare;
  const { template, members } = instance as InstanceDraft;
  const same = matchMembers(template, record.template);
  members.forEach((k, at) => {
    const entity = record.members[same[at]];
    if (k >= 0 && entity !== undefined && world.isAlive(entity)) entities[k] = entity;
  });
  return entities;
}
