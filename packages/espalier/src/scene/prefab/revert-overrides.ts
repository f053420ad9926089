/**
 * Reverting overrides of an instance to its prefab.
 */
import type { Entity } from "../../ecs/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { asOneChange } from "../all-or-nothing.ts";
import type { ReloadSummary } from "../compare/reconcile.ts";
import { SceneUseError } from "../errors.ts";
import type { Json } from "../json/json.ts";
import { requireDraft } from "../read/load.ts";
import type { Draft } from "../read/read.ts";
import { restoreOrder } from "./child-order.ts";
import { followDraft } from "./follow-draft.ts";
import { expandPatch } from "./instance-draft.ts";
import { type InstanceParts, type Override, overridesOf, requireOverrides } from "./overrides.ts";

/** @param overrides - All but those that are `own` if left out. */
export function revertOverrides(
  instance: InstanceParts,
  overrides: Override | readonly Override[] | undefined,
): ReloadSummary {
  const { tree, record } = instance;
  if (overrides === undefined) {
    requireUntangled(instance);
    return followDraft(tree, record, {
      after: draftWith(instance, ownPatch(overridesOf(instance))),
      before: undefined,
      doomed: strangers(instance),
    });
  }
  const chosen = requireOverrides(overrides, "revert");
  const summaries = asOneChange(tree.world, () => chosen.map((override) => revertOne(instance, override)));
  const all = (part: keyof ReloadSummary) => [...new Set(summaries.flatMap((summary) => summary[part]))];
  return { added: all("added"), removed: all("removed"), moved: all("moved"), changed: all("changed") };
}

function revertOne(instance: InstanceParts, override: Override): ReloadSummary {
  const { tree, record } = instance;
  const { registry, template, reference } = record;
  if (override.kind === "added") return revertAdded(instance, override.entity);
  if (override.kind === "order") return revertOrder(instance, override);
  const before = expandPatch(registry, template, reference, patchOf(override), { lenient: true }).draft;
  return followDraft(tree, record, { after: draftWith(instance, {}), before });
}

/** Destroys an entity that was added. Parts of the instance that were moved below it go back to their positions first. */
function revertAdded(instance: InstanceParts, entity: Entity | undefined): ReloadSummary {
  const { tree } = instance;
  requireUntangled(instance);
  const ids = instance.localIds();
  const isAdded = (child: Entity) =>
    tree.world.isAlive(child) && !ids.has(child) && ids.has(tree.parentOf(child) as Entity);
  // It may have been destroyed or moved by now.
  if (entity === undefined || !isAdded(entity)) return nothingChanged;
  const moved = overridesOf(instance).filter(
    (other) => other.kind === "parent" && tree.isAncestor(entity, other.entity as Entity),
  );
  for (const other of moved) revertOne(instance, other);
  tree.destroy(entity);
  return { ...nothingChanged, moved: moved.map(({ target }) => target) };
}

function revertOrder({ tree, record }: InstanceParts, { target, value }: Override): ReloadSummary {
  const index = target === "." ? 0 : record.template.byId.find(target);
  if (index === undefined || !tree.world.isAlive(record.members[index])) return nothingChanged;
  restoreOrder(tree, record, index);
  return { ...nothingChanged, moved: (value ?? []) as readonly string[] };
}

/** The prefab as a draft, with some overrides. */
function draftWith({ record }: InstanceParts, patch: object): Draft {
  const { registry, template, reference } = record;
  return requireDraft(expandPatch(registry, template, reference, patch), {}, "revert");
}

/** Refuses to move an entity that the instance itself is below. */
function requireUntangled(instance: InstanceParts): void {
  const { tree, root } = instance;
  const ids = instance.localIds();
  for (const above of tree.ancestors(root)) {
    if (!ids.has(above)) continue;
    throw new SceneUseError(
      `Cannot revert the instance ${tree.label(root)}: it is below its own ${ids.get(above)}, which cannot go back below it. Move the instance elsewhere first.`,
      "scene/invalid-use",
      { entities: [root] },
    );
  }
}

/** Entities added to the instance, wherever its own entities are now. */
function strangers(instance: InstanceParts): Entity[] {
  const { tree } = instance;
  const ids = instance.localIds();
  const found = new Set<Entity>();
  for (const member of ids.keys()) {
    for (const child of tree.children(member)) {
      if (ids.has(child) || found.has(child)) continue;
      for (const entity of tree.descendants(child, { includeSelf: true })) {
        if (!ids.has(entity)) found.add(entity);
      }
    }
  }
  return [...found];
}

const nothingChanged: ReloadSummary = /* @__PURE__ */ Object.freeze({
  added: [],
  removed: [],
  moved: [],
  changed: [],
});

/** The overrides that belong to the instance itself, as in a file. */
function ownPatch(overrides: readonly Override[]): object {
  const entry: { name?: string | null; components: { [name: string]: { [field: string]: Json } } } = {
    components: {},
  };
  for (const { own, kind, component, field, value } of overrides) {
    if (own !== true) continue;
    if (kind === "name") entry.name = value as string | null;
    else {
      const fields = ownOf(entry.components, component as string) ?? {};
      setOwn(fields, field as string, value as Json);
      setOwn(entry.components, component as string, fields);
    }
  }
  return entry;
}

/** The patch with only one override, which is not about an added entity. */
function patchOf({ kind, target, component, field, value }: Override): object {
  let entry: { [key: string]: unknown } | null = {};
  if (kind === "removed") entry = null;
  else if (kind === "name" || kind === "parent" || kind === "order") entry = { [kind]: value };
  else if (kind === "component") entry = { components: { [component as string]: value } };
  else entry = { components: { [component as string]: { [field as string]: value } } };
  return target === "." ? (entry as object) : { overrides: { [target]: entry } };
}
