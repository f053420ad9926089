/**
 * Making a running world follow a draft: entities keep their identity by id, and only differences are applied.
 *
 * With `before`, the draft that the entities were made from, changes between the two drafts are applied, and
 * changes by the game meanwhile are kept. Without it the world is made equal to the draft.
 */
import type { Entity } from "../../ecs/index.ts";
import { overrule, stateOf } from "../../ecs/internal.ts";
import { asOneChange } from "../all-or-nothing.ts";
import { contextOf, refused, setLate } from "../build.ts";
import type { LateValue } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { targetsOf } from "../read/references.ts";
import { ComponentWriter } from "../write/component-writer.ts";
import { arranger } from "./arrange-children.ts";
import { placer } from "./place-entities.ts";
import { prepare, type ReconcileInput, type Work } from "./prepare.ts";
import { updater } from "./update-entity.ts";
import { noteRecords } from "./update-records.ts";

/** The entities that changed, by id. */
export interface ReloadSummary {
  /** Ids of entities that were created. */
  readonly added: readonly string[];
  /** Ids of entities that were destroyed. */
  readonly removed: readonly string[];
  /** Ids of entities with another parent or another position among their siblings. */
  readonly moved: readonly string[];
  /** Ids of entities with changed values, components or names. */
  readonly changed: readonly string[];
}

/** All or nothing: when something is refused, everything is rolled back. */
export function reconcile(input: ReconcileInput): ReloadSummary {
  const work = prepare(input);
  const { tree, after, added, moved } = work;
  const changed: number[] = [];
  let removed: string[] = [];
  asOneChange(tree.world, () => {
    changeEntities(work, changed);
    removed = destroyDoomed(work);
    noteRecords(work);
  });
  const idsOf = (list: Iterable<number>) => Array.from(list, (k) => after.nodes[k].id);
  return { added: idsOf(added), removed, moved: idsOf(moved), changed: idsOf(changed) };
}

/** @param changed - Receives the nodes whose entities changed. */
function changeEntities(work: Work, changed: number[]): void {
  const { tree, before, after, entities, former, added } = work;
  const context = contextOf(after, entities);
  const writer = new ComponentWriter(tree, after.registry);
  const refersAlike = (late: LateValue, was: LateValue) =>
    String(targetsOf(late, after.byId).map((k) => former[k as number])) ===
    String(targetsOf(was, (before as { readonly draft: Draft }).draft.byId));
  const update = updater({ tree, writer, context, refersAlike });
  /** The current node, for messages. */
  let current = 0;
  const each = (nodes: Iterable<number>, act: (k: number) => void) => {
    for (const k of nodes) act((current = k));
  };
  const arrange = arranger(work);
  try {
    each(after.order, placer(work));
    each(after.order, arrange);
    arrange(-1);
    each(after.order, (k) => {
      const entity = entities[k];
      if (entity === undefined || added.has(k)) return;
      if (update(entity, after.nodes[k], before?.draft.nodes[former[k]])) changed.push(k);
    });
    each(added, (k) => {
      for (const late of after.nodes[k].rare.late) setLate(tree, entities[k] as Entity, late, context);
    });
  } catch (error) {
    throw refused(after.source, after.nodes[current], error, "reload");
  }
}

/** Returns the ids of the destroyed entities. */
function destroyDoomed({ tree, doomed }: Work): string[] {
  const removed: string[] = [];
  const living = [...doomed].filter(([entity]) => tree.world.isAlive(entity));
  for (const [, id] of living) if (id !== undefined) removed.push(id);
  // The file decides what stays: a policy of a relation must not destroy an entity that is in it.
  overrule(stateOf(tree.world), () => {
    for (const [entity] of living) if (tree.world.isAlive(entity)) tree.destroy(entity);
  });
  return removed;
}
