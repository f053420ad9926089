/**
 * Making an instance an instance of another form of its prefab.
 */
import type { Entity } from "../../ecs/index.ts";
import { requireDraft } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { matchMembers } from "../read/template.ts";
import { noMember, tablesOf } from "../tables.ts";
import { followDraft } from "./follow-draft.ts";
import { type Instance, outsideId } from "./instance.ts";
import { expandPatch, instanceId } from "./instance-draft.ts";

/** What changed between the two forms is carried over, what the instance overrides stays. Call it in a transaction. */
export function followForm(instance: Instance, next: Template): void {
  const { tree, record } = instance;
  const ids = instance.localIds();
  const externals = new Map<string, Entity>();
  const { name, components, overrides } = instance.patch((entity) => {
    const id = ids.get(entity);
    if (id !== undefined) return entity === instance.root ? instanceId : `${instanceId}/${id}`;
    externals.set(outsideId(entity), entity);
    return outsideId(entity);
  });
  const patch = { ...(name === undefined ? {} : { name }), components, overrides };
  const expand = (form: Template) => {
    const options = { lenient: true, externals, prefabs: form.prefabs };
    const result = expandPatch(record.registry, form, record.reference, patch, options);
    return requireDraft(result, { file: form.file, lenient: true }, "follow");
  };
  followDraft(tree, record, { after: expand(next), before: expand(record.template) });
}

/**
 * For an instance whose overrides were applied. Nothing else changes: what was applied is what it has. Call it in a transaction.
 *
 * @param joined - What was added to it and belongs to the prefab now, by the ids there.
 */
export function adoptForm(
  { tree, record }: Instance,
  next: Template,
  joined: ReadonlyMap<Entity, string>,
): void {
  const { instances } = tablesOf(tree);
  const members = Array.from(matchMembers(next, record.template), (k) => record.members[k] ?? noMember);
  for (const [entity, id] of joined) {
    members[next.byId.find(id) as number] = entity;
    // One that is an instance came with this one now.
    instances.delete(entity);
  }
  const { registry, reference, root } = record;
  instances.set(root, { registry, template: next, reference, root, members });
}
