/**
 * Overrides of an instance made part of the prefab's file.
 */
import type { Entity } from "../../ecs/index.ts";
import { SceneError, type SceneProblem } from "../errors.ts";
import type { EntityEntry, SceneFile } from "../file.ts";
import type { Json } from "../json/json.ts";
import { mergeJson } from "../json/values.ts";
import type { Template } from "../read/node.ts";
import type { Registry } from "../registry.ts";
import { SceneIds } from "../write/ids.ts";
import { writeScene } from "../write/write.ts";
import { type Instance, type Override, outsideId, patchOf } from "./instance.ts";

type Entry = { [key: string]: Json };

export interface EditedPrefab {
  readonly file: SceneFile;
  /** Entities that were added to the instance and are entities of the prefab now, with their ids there. */
  readonly joined: ReadonlyMap<Entity, string>;
}

/** @param file - The prefab, flat. */
export function editPrefab(
  registry: Registry,
  file: SceneFile,
  template: Template,
  instance: Instance,
  overrides: readonly Override[],
): EditedPrefab {
  const entries = new Map(
    file.entities.map((entry) => [entry.id as string, { ...entry } as unknown as Entry]),
  );
  const rootId = template.nodes[0].id;
  const joined = new Map<Entity, string>();
  refuseOutside(instance, overrides, template);
  const edits = overrides.filter(({ kind }) => kind !== "added" && kind !== "order");
  for (const override of edits) edit(entries, override, rootId);
  for (const override of overrides) {
    if (override.kind !== "added") continue;
    const added = entriesOf(registry, instance, override, entries, joined);
    for (const entry of added) entries.set(entry.id as string, entry);
  }
  forgetInOrders(entries, overrides);
  // Last: an order may name entities that were added.
  for (const override of overrides) {
    if (override.kind === "order") edit(entries, inFileIds(override, instance, joined), rootId);
  }
  return { file: { ...file, entities: [...entries.values()] as unknown as EntityEntry[] }, joined };
}

function edit(entries: Map<string, Entry>, override: Override, rootId: string): void {
  const [first, ...rest] = (override.target === "." ? rootId : override.target).split("/");
  const entry = entries.get(first) as Entry;
  if (rest.length > 0) {
    // Inside a prefab that this prefab contains: an override there.
    const inner = { ...override, target: rest.join("/") };
    const { overrides } = patchOf(inner) as { overrides: Json };
    entry.overrides = mergeJson(entry.overrides ?? {}, overrides);
    return;
  }
  if (override.kind === "removed") {
    remove(entries, first);
    return;
  }
  const patch = patchOf({ ...override, target: "." }) as Entry;
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key !== "components") {
      if (value === null) delete entry[key];
      else entry[key] = value;
      continue;
    }
    const components = { ...(entry.components as Entry | undefined) };
    for (const [name, json] of Object.entries(value as Entry)) {
      if (json !== null) components[name] = mergeJson(components[name] ?? {}, json);
      else if (entry.prefab === undefined) delete components[name];
      else components[name] = null;
    }
    entry.components = components;
  }
}

/** Takes entities that are gone or have another parent out of the orders that the file has. */
function forgetInOrders(entries: ReadonlyMap<string, Entry>, overrides: readonly Override[]): void {
  const left = new Set<Json>();
  for (const { kind, target } of overrides) if (kind === "removed" || kind === "parent") left.add(target);
  if (left.size === 0) return;
  const forget = (entry: Entry | null) => {
    if (Array.isArray(entry?.order)) entry.order = entry.order.filter((id) => !left.has(id));
  };
  for (const entry of entries.values()) {
    forget(entry);
    for (const inner of Object.values((entry.overrides ?? {}) as Entry)) forget(inner as Entry | null);
  }
}

/** An order with the ids that the children have in the prefab's file; those that do not go there are left out. */
function inFileIds(override: Override, instance: Instance, joined: ReadonlyMap<Entity, string>): Override {
  const ids = instance.localIds();
  const children = instance.tree.childrenOf(override.entity as Entity);
  const value = children.flatMap((child) => ids.get(child) ?? joined.get(child) ?? []);
  return { ...override, value };
}

/** Takes out an entity and everything below it. */
function remove(entries: Map<string, Entry>, id: string): void {
  const gone = new Set([id]);
  // Parents stand before their children.
  for (const [other, entry] of entries) {
    const parent = typeof entry.parent === "string" ? entry.parent.split("/")[0] : undefined;
    if (parent !== undefined && gone.has(parent)) gone.add(other);
  }
  for (const other of gone) entries.delete(other);
}

/** The entries of an entity that was added to the instance, with everything below it. */
function entriesOf(
  registry: Registry,
  instance: Instance,
  { entity, target }: Override,
  entries: ReadonlyMap<string, Entry>,
  joined: Map<Entity, string>,
): Entry[] {
  const { tree } = instance;
  const { template } = instance.record;
  const ids = new SceneIds(tree.world);
  // So that new ids differ from those of the prefab.
  for (const id of entries.keys()) ids.reserve(id);
  const top = entity as Entity;
  const file = writeScene({
    tree,
    registry,
    ids,
    tops: [top],
    keys: {},
    doing: `apply the overrides of ${instance.prefab}`,
    options: { outside: "refuse" },
  });
  for (const below of tree.descendants(top, { includeSelf: true })) {
    const id = ids.of(below);
    if (id !== undefined) joined.set(below, id);
  }
  const parent = target === "." ? template.nodes[0].id : target;
  return (file.entities as unknown as Entry[]).map((entry) =>
    entry.parent === undefined ? { id: entry.id, parent, ...entry } : entry,
  );
}

/** A prefab cannot refer to what is outside it. */
function refuseOutside(instance: Instance, overrides: readonly Override[], template: Template): void {
  const { tree } = instance;
  const known = instance.localIds();
  const outside = new Map<string, Entity>();
  instance.patch((entity) => {
    const id = known.get(entity);
    if (id === undefined) outside.set(outsideId(entity), entity);
    return id ?? outsideId(entity);
  });
  const problems: SceneProblem[] = [];
  for (const { kind, value, target, component, field } of overrides) {
    for (const id of outside.size === 0 || kind === "order" ? [] : idsIn(value)) {
      const entity = outside.get(id);
      if (entity === undefined) continue;
      problems.push({
        code: "scene/outside-reference",
        message: `${component}.${field} of ${target === "." ? "its root" : target} refers to ${tree.label(entity)}, which is not part of the prefab. Leave that override out.`,
        file: template.file,
        line: undefined,
        column: undefined,
        path: "",
        entity: target,
      });
    }
  }
  if (problems.length > 0) throw new SceneError(`apply the overrides of ${instance.prefab}`, problems);
}

/** All texts in a JSON value. */
function idsIn(value: Json | undefined): string[] {
  const found: string[] = [];
  const stack: (Json | undefined)[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item === "string") found.push(item);
    else if (typeof item === "object" && item !== null)
      for (const inner of Object.values(item)) stack.push(inner);
  }
  return found;
}
