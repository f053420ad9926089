/**
 * What the tables of a tree hold about entities, brought up to date with a draft that they follow.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { recordOf } from "../build.ts";
import type { InstanceDraft, SceneNode } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { matchMembers } from "../read/template.ts";
import { type InstanceRecord, noMember, tablesOf } from "../tables.ts";

export interface Followed {
  readonly tree: Hierarchy;
  readonly after: Draft;
  /** By node of `after`; nothing for those that stay dead. */
  readonly entities: readonly (Entity | undefined)[];
  /** The nodes whose entities were made. */
  readonly added: ReadonlySet<number>;
  /** The scene that they belong to, by its key; 0 for none. */
  readonly scene: number;
}

/** An instance that got members: under the number it had, it has none of those. */
export interface Grown {
  readonly number: number;
  readonly record: InstanceRecord;
}

/** What the tables hold about entities that they did not know. */
export function noteNews(followed: Followed): Map<Entity, Grown> {
  const { tree, after, entities, added } = followed;
  const { kept: keptOf, instances } = tablesOf(tree);
  const grown = new Map<Entity, Grown>();
  after.nodes.forEach((node, k) => {
    const entity = entities[k];
    if (entity === undefined) return;
    const { kept, instance } = node.rare;
    if (kept === undefined) keptOf.delete(entity);
    else if (keptOf.get(entity) === undefined) keptOf.set(entity, kept);
    if (instance === undefined) instances.delete(entity);
    else if (instances.get(entity) === undefined) {
      instances.set(entity, newRecord(followed, node, entity));
    } else if (instance.members.some((member) => added.has(member))) {
      // Whoever undoes this takes the new members away, and others may get their handles then.
      const record = newRecord(followed, node, entity, added);
      grown.set(entity, { number: instances.numberOf(entity), record });
      instances.set(entity, newRecord(followed, node, entity));
    }
  });
  return grown;
}

/** What they hold about the others, once nothing can be refused any more. It is no change of the world. */
export function replaceOthers(followed: Followed, grown: ReadonlyMap<Entity, Grown>): void {
  const { kept: keptOf, instances } = tablesOf(followed.tree);
  followed.after.nodes.forEach((node, k) => {
    const entity = followed.entities[k];
    if (entity === undefined) return;
    const { kept, instance } = node.rare;
    if (kept !== undefined) keptOf.replace(entity, kept);
    if (instance === undefined) return;
    const former = grown.get(entity);
    if (former === undefined) instances.replace(entity, newRecord(followed, node, entity));
    else instances.put(former.number, entity, former.record);
  });
}

/** What the tables will hold about the instance of a node. The dead stay in it: a history may bring them back. */
function newRecord(
  { tree, after, entities, scene }: Followed,
  { id, rare }: SceneNode,
  root: Entity,
  without?: ReadonlySet<number>,
): InstanceRecord {
  const entityAt = (index: number) => (without?.has(index) === true ? undefined : entities[index]);
  const record = recordOf(after, rare.instance as InstanceDraft, root, entityAt, scene === 0 ? "" : id);
  const before = tablesOf(tree).instances.get(root);
  if (before === undefined || (scene !== 0 && !record.members.includes(noMember))) return record;
  const { nodes } = record.template;
  const same = matchMembers(record.template, before.template);
  const members = record.members.map((member, k) =>
    member === noMember ? (before.members[same[k]] ?? noMember) : member,
  );
  const noted = record.noted ?? before.noted;
  if (noted === undefined) return { ...record, members };
  const idsBefore = before.noted?.root === noted.root ? before.noted.ids : [];
  const ids = nodes.map(
    (node, k) => record.noted?.ids[k] || idsBefore[same[k]] || `${noted.root}/${node.id}`,
  );
  return { ...record, members, noted: { root: noted.root, ids } };
}
