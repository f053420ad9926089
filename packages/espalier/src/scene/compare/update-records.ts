/**
 * Updates the tables of a tree for entities that follow a draft.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { recordOf } from "../build.ts";
import type { Json } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import type { InstanceDraft, SceneNode } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { formComparer, matchMembers } from "../read/template.ts";
import { type InstanceRecord, noMember, tablesOf } from "../tables.ts";

export interface Followed {
  readonly tree: Hierarchy;
  readonly after: Draft;
  /** By node of `after`; `undefined` for those that stay dead. */
  readonly entities: readonly (Entity | undefined)[];
  /** The key of the scene that they belong to; 0 for none. */
  readonly scene: number;
}

/** Updates the table entries of entities that changed. A change of the world like others, which can be undone. */
export function noteRecords(followed: Followed): void {
  const { tree, after, entities } = followed;
  const { kept: keptOf, instances } = tablesOf(tree);
  const isSameForm = formComparer();
  after.nodes.forEach((node, k) => {
    const entity = entities[k];
    if (entity === undefined) return;
    const { kept, instance } = node.rare;
    if (kept === undefined) keptOf.delete(entity);
    else if (!equalJson(keptOf.get(entity) as Json | undefined, kept as Json)) keptOf.set(entity, kept);
    if (instance === undefined) {
      instances.delete(entity);
      return;
    }
    const record = newRecord(followed, node, entity);
    const before = instances.get(entity);
    const isSame =
      before?.reference === record.reference &&
      before.registry === record.registry &&
      before.members.length === record.members.length &&
      before.members.every((member, at) => member === record.members[at]) &&
      isSameForm(before.template, record.template);
    if (!isSame) instances.set(entity, record);
  });
}

/** The new record of the instance of a node. Dead members stay in it: a snapshot may bring them back. */
function newRecord(
  { tree, after, entities, scene }: Followed,
  { id, rare }: SceneNode,
  root: Entity,
): InstanceRecord {
  const entityAt = (index: number) => entities[index];
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
