/**
 * The ids of a scene that is reloaded: which entities have them, and which had them before.
 */
import type { Entity } from "../../ecs/index.ts";
import { matchIds, walkBeside } from "../read/id-steps.ts";
import type { Draft } from "../read/read.ts";
import type { IdTree, Owner } from "../write/id-tree.ts";
import type { LoadedIds, MemberIds } from "../write/member-ids.ts";

/**
 * For a draft that is about to be reloaded: the living entities that have the ids of its nodes. Code that creates missing
 * ones adds them.
 */
export function followIds(ids: MemberIds, draft: Draft): (Entity | undefined)[] {
  const { loaded } = ids;
  ids.lookAround();
  const findOther = amongOthers(ids, draft);
  const { nodes, byId } = draft;
  const same = loaded && matchIds(byId, loaded.byId, nodes.length);
  const entities = nodes.map((node, k) => {
    let entity = same && loaded?.entities[same[k]];
    if (entity === undefined || ids.of(entity) !== loaded?.nodes[(same as Int32Array)[k]].id) {
      entity = findOther(k);
    }
    if (entity !== undefined && node.isInside) node.fixId(ids.of(entity));
    return entity;
  });
  const present = { nodes, byId, entities };
  ids.loaded = present;
  if (loaded !== undefined) keepOthers(ids, loaded, present);
  return entities;
}

/** Finds the living entities that have the ids of a draft's nodes, except those of the draft that is followed. */
export function amongOthers(ids: MemberIds, { byId }: Draft): (k: number) => Entity | undefined {
  const owners: (readonly Owner[] | undefined)[] = [];
  walkBeside(byId, ids.others, (tree, id, k) => {
    owners[k] = tree.at(id)?.owners;
  });
  return (k) => owners[k]?.find(({ entity, id }) => ids.of(entity) === id)?.entity;
}

/** Remembers the entities that had the ids of a former draft, unless they have them in the current one: a history may bring them back. */
function keepOthers(ids: MemberIds, { nodes, byId, entities }: LoadedIds, present: LoadedIds): void {
  const same = matchIds(byId, present.byId, nodes.length);
  const isKept = (k: number) => entities[k] === undefined || present.entities[same[k]] === entities[k];
  if (entities.every((_, k) => isKept(k))) return;
  const growing = (tree: IdTree): Growing => ({ tree, into: (id) => growing(tree.step(id)) });
  walkBeside(byId, growing(ids.others), ({ tree }, id, k) => {
    if (!isKept(k)) tree.step(id).add({ entity: entities[k] as Entity, id: nodes[k].id });
  });
}

/** A tree that creates the nodes of missing steps. */
interface Growing {
  readonly tree: IdTree;
  into(id: string): Growing;
}
