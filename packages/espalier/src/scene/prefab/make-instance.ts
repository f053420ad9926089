/**
 * Makes existing entities an instance of a prefab.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireEntity, requireInstanceOf, requireTree } from "../arguments.ts";
import { SceneUseError } from "../errors.ts";
import { memberOf } from "../member.ts";
import type { Template } from "../read/node.ts";
import { isSameForm } from "../read/template.ts";
import { type InstanceRecord, noMember, tablesOf } from "../tables.ts";
import { changeForms } from "./change-forms.ts";
import { Instance, instanceOf } from "./instance.ts";
import { Prefab } from "./prefab.ts";

/**
 * Makes an entity, with its descendants, an instance of a prefab. The entities do not change: those that match entities of the prefab
 * belong to the instance from then on, and every difference is an override. Below the root an entity matches by its id in the scene, or
 * else by its name, at the same position in the tree. Entities without a match count as added, and unmatched entities of the prefab as
 * removed; `instance.revert(…)` reverts unwanted ones. A step of its own in a history, unless one is open.
 *
 * @throws SceneUseError `scene/invalid-use` when the entity is an instance already or part of one.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const tank = format.prefab(`{ "entities": [{ "id": "tank", "components": { "Health": { "hp": 250 } } }] }`, { file: "tank" });
 * const old = tree.attachNew(null, Health({ hp: 80 }));
 * makeInstance(tree, old, tank).overrides();
 * // → [{ kind: "field", target: ".", entity: old, component: "Health", field: "hp", value: 80 }]
 * ```
 */
export function makeInstance(tree: Hierarchy, given: EntityLike, prefab: Prefab): Instance {
  const doing = "make an instance";
  requireTree(tree, doing);
  const entity = requireEntity(tree, given, doing);
  requireInstanceOf(prefab, Prefab, "a prefab", doing);
  const owner = instanceOf(tree, entity);
  if (owner !== undefined) {
    const why =
      owner.root === entity
        ? `it is an instance of ${owner.prefab} already. Use changePrefab() to make it follow another one, or unpackInstance() first`
        : `it is part of an instance of ${owner.prefab}. Unpack that first, or change the prefab`;
    throw new SceneUseError(`Cannot make ${tree.label(entity)} an instance: ${why}.`, "scene/invalid-use", {
      entities: [entity],
    });
  }
  const { form, name, registry } = prefab;
  const members = match(tree, entity, form);
  return changeForms(tree, `Make an instance of ${name}`, () => {
    const { instances } = tablesOf(tree);
    // An instance inside now belongs to this one.
    for (const member of members.slice(1)) if (member !== noMember) instances.delete(member);
    instances.set(entity, { registry, template: form, reference: name, root: entity, members });
    return new Instance(tree, entity);
  });
}

/** The entity for each node of the prefab, parents first. */
function match(tree: Hierarchy, root: Entity, { nodes, byId }: Template): Entity[] {
  const { instances } = tablesOf(tree);
  const members = nodes.map(() => noMember);
  members[0] = root;
  const taken = new Set<Entity>([root]);
  const take = (k: number, entity: Entity | undefined) => {
    if (entity === undefined || entity === noMember || taken.has(entity)) return;
    if (!tree.world.isAlive(entity)) return;
    members[k] = entity;
    taken.add(entity);
  };
  const children = new Map<Entity, Map<string, Entity>>();
  for (let k = 1; k < nodes.length; k++) {
    const node = nodes[k];
    const parent = members[node.parent];
    if (members[k] !== noMember || parent === noMember) continue;
    const cut = node.isInside ? node.id.lastIndexOf("/") : -1;
    // Entities of an inner instance follow from its root. Those of the prefab's own root, as in a variant, do not.
    if (cut >= 0 && (byId.find(node.id.slice(0, cut)) ?? 0) !== 0) continue;
    let keys = children.get(parent);
    if (keys === undefined) children.set(parent, (keys = keysOf(tree, parent)));
    const name = typeof node.name === "string" ? keys.get(`name ${node.name}`) : undefined;
    const found = keys.get(`id ${node.id.slice(cut + 1)}`) ?? name;
    const inner = node.rare.instance;
    const record = found === undefined ? undefined : instances.get(found);
    if (inner === undefined ? record !== undefined : !isSameInner(record, inner.template)) continue;
    take(k, found);
    if (record === undefined || members[k] === noMember) continue;
    record.template.nodes.forEach((innerNode, at) => {
      const index = at === 0 ? undefined : byId.find(`${node.id}/${innerNode.id}`);
      if (index !== undefined) take(index, record.members[at]);
    });
  }
  return members;
}

/** The prefab inside must be the same: the entities of an instance of another would become overrides of entities that do not exist. */
function isSameInner(record: InstanceRecord | undefined, template: Template): boolean {
  return record !== undefined && isSameForm(record.template, template);
}

/** The children by id and by name, the first of each. */
function keysOf(tree: Hierarchy, parent: Entity): Map<string, Entity> {
  const found = new Map<string, Entity>();
  const note = (key: string, child: Entity) => {
    if (!found.has(key)) found.set(key, child);
  };
  for (const child of tree.children(parent)) {
    const id = memberOf(tree.world, child)?.id;
    if (id !== undefined && id !== "") note(`id ${id.slice(id.lastIndexOf("/") + 1)}`, child);
    const name = tree.nameOf(child);
    if (name !== undefined) note(`name ${name}`, child);
  }
  return found;
}
