/**
 * Making a running world follow a draft: entities keep their identity by id, and only what differs is touched.
 *
 * With `before`, the draft that the entities were made from, what changed between the two drafts is carried over and
 * whatever the game did meanwhile stays. Without it the world is made to say what the draft says.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { transaction } from "../../history/index.ts";
import { contextOf, refused, setLate } from "../build.ts";
import { matchIds } from "../read/id-steps.ts";
import type { LateValue } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { targetsOf } from "../read/references.ts";
import { ComponentWriter } from "../write/component-writer.ts";
import { arranger } from "./arrange-children.ts";
import { placer } from "./place-entities.ts";
import { updater } from "./update-entity.ts";
import { type Grown, noteNews, replaceOthers } from "./update-records.ts";

export interface ReconcileInput {
  readonly tree: Hierarchy;
  /** The draft that the entities were made from, and the living entity of each of its nodes. */
  readonly before: { readonly draft: Draft; find(k: number): Entity | undefined } | undefined;
  readonly after: Draft;
  /** The living entity that has the id of each node of `after`. Those that are made are put in. */
  readonly entities: (Entity | undefined)[];
  /** Where new roots go. */
  readonly parent: Entity | null;
  /** Entities that have no place in `after`, besides those that only `before` has, and their ids if they have some. */
  readonly doomed: ReadonlyMap<Entity, string | undefined>;
  /** Leave the roots of the draft where they are. */
  readonly keepRoots: boolean;
  /** The scene that the entities belong to, by its key; 0 for none. */
  readonly scene: number;
}

/** What was found out before anything is changed, and what was done so far. */
export interface Work extends ReconcileInput {
  /** For each node of `after` that of `before`, and the other way round; -1 where there is none. */
  readonly former: Int32Array;
  readonly later: Int32Array;
  /** All entities that go. */
  readonly doomed: ReadonlyMap<Entity, string | undefined>;
  /** The nodes whose entities were made, and those whose entities got another place. */
  readonly added: Set<number>;
  readonly moved: Set<number>;
}

/** What was done, as ids. */
export interface ReloadSummary {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Got another parent or another place among their siblings. */
  readonly moved: readonly string[];
  /** Got other values, components or names. */
  readonly changed: readonly string[];
}

/** All or nothing: when something is refused, everything is taken back. */
export function reconcile(input: ReconcileInput): ReloadSummary {
  const work = prepare(input);
  const { tree, after, added, moved } = work;
  const changed: number[] = [];
  let removed: string[] = [];
  let grown: ReadonlyMap<Entity, Grown> = new Map();
  transaction(tree.world, () => {
    changeEntities(work, changed);
    removed = destroyDoomed(work);
    grown = noteNews(work);
  });
  replaceOthers(work, grown);
  const idsOf = (list: Iterable<number>) => Array.from(list, (k) => after.nodes[k].id);
  return { added: idsOf(added), removed, moved: idsOf(moved), changed: idsOf(changed) };
}

function prepare(input: ReconcileInput): Work {
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

/** @param changed - Gets the nodes whose entities got other values. */
function changeEntities(work: Work, changed: number[]): void {
  const { tree, before, after, entities, former, added } = work;
  const context = contextOf(after, entities);
  const writer = new ComponentWriter(tree, after.registry);
  const refersAlike = (late: LateValue, was: LateValue) =>
    String(targetsOf(late, after.byId).map((k) => former[k as number])) ===
    String(targetsOf(was, (before as { readonly draft: Draft }).draft.byId));
  const update = updater({ tree, writer, context, refersAlike });
  /** The node that is being dealt with, for messages. */
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
      for (const late of after.nodes[k].late ?? []) setLate(tree, entities[k] as Entity, late, context);
    });
  } catch (error) {
    throw refused(after.source, after.nodes[current], error, "reload");
  }
}

/** The ids of those that went. */
function destroyDoomed({ tree, doomed }: Work): string[] {
  const removed: string[] = [];
  const living = [...doomed].filter(([entity]) => tree.world.isAlive(entity));
  for (const [, id] of living) if (id !== undefined) removed.push(id);
  for (const [entity] of living) if (tree.world.isAlive(entity)) tree.destroy(entity);
  return removed;
}
