/**
 * Makes an instance follow another form of its prefab.
 */
import type { Entity } from "../../ecs/index.ts";
import { requireDraft } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { matchMembers } from "../read/template.ts";
import type { Registry } from "../registry.ts";
import { noMember, tablesOf } from "../tables.ts";
import { followDraft } from "./follow-draft.ts";
import type { Instance } from "./instance.ts";
import { expandPatch, instanceId } from "./instance-draft.ts";
import { entryOf, outsideId } from "./overrides.ts";

/** How an instance follows. Left out: as an instance of the same prefab, in another form. */
interface Following {
  /** The name of the other prefab. */
  readonly reference?: string;
  /** Its format. */
  readonly registry?: Registry;
  /** Whether an override that does not fit is an error; it is left out otherwise. */
  readonly refuses?: boolean;
}

/** Changes between the two forms are applied; overrides of the instance stay. Call it in a transaction. */
export function followForm(instance: Instance, next: Template, following: Following = {}): void {
  const { tree, record } = instance;
  const { reference = record.reference, registry = record.registry, refuses = false } = following;
  const ids = instance.localIds();
  const externals = new Map<string, Entity>();
  const { name, components, overrides } = entryOf(instance, (entity) => {
    const id = ids.get(entity);
    if (id !== undefined) return entity === instance.root ? instanceId : `${instanceId}/${id}`;
    externals.set(outsideId(entity), entity);
    return outsideId(entity);
  });
  const patch = { ...(name === undefined ? {} : { name }), components, overrides };
  const expand = (form: Template, name: string, own: Registry, lenient: boolean) => {
    const options = { lenient, externals, prefabs: form.prefabs };
    const result = expandPatch(own, form, name, patch, options);
    return requireDraft(result, { file: form.file, lenient }, "follow");
  };
  followDraft(tree, record, {
    after: expand(next, reference, registry, !refuses),
    before: expand(record.template, record.reference, record.registry, true),
  });
}

/**
 * For an instance whose overrides were applied to the prefab: only its record changes. Call it in a transaction.
 *
 * @param joined - Entities that were added to it and now belong to the prefab, with their ids there.
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
    // An added instance now belongs to this one.
    instances.delete(entity);
  }
  const { registry, reference, root } = record;
  instances.set(root, { registry, template: next, reference, root, members });
}
