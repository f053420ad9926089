/**
 * Overrides of an instance made part of the prefab's file.
 */
import type { Entity } from "../../ecs/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { SceneError, type SceneProblem } from "../errors.ts";
import type { EntityEntry, SceneFile } from "../file.ts";
import type { Json } from "../json/json.ts";
import { mergeJson } from "../json/values.ts";
import type { Registry } from "../registry.ts";
import { SceneIds } from "../write/ids.ts";
import { writeScene } from "../write/write.ts";
import { type Instance, type Override, outsideId, patchOf } from "./instance.ts";

type Entry = { [key: string]: Json };
type Entries = Map<string, Entry>;

export interface EditedPrefab {
  readonly file: SceneFile;
  /** Entities that were added to the instance and are entities of the prefab now, with their ids there. */
  readonly joined: ReadonlyMap<Entity, string>;
}

/** @param file - The prefab, flat. */
export function editPrefab(
  registry: Registry,
  file: SceneFile,
  instance: Instance,
  overrides: readonly Override[],
): EditedPrefab {
  const entries: Entries = new Map(
    file.entities.map((entry) => [entry.id as string, { ...entry } as unknown as Entry]),
  );
  // Additions first: all others may refer to them.
  const joined = add(entries, registry, instance, overrides);
  const outside = new Map<string, Entity>();
  const edits = inIdsOfFile(instance, overrides, joined, outside);
  const gone = goneWith(instance, edits);
  refuse(instance, [...outsideOf(instance, edits, outside), ...leftOf(instance, gone)]);
  forgetInOrders(entries, edits);
  for (const id of gone) entries.delete(id);
  const rootId = instance.record.template.nodes[0].id;
  for (const override of edits) edit(entries, override, rootId);
  const arranged = arrangeBelow(joined, entries, instance) ? parentsFirst(entries) : [...entries.values()];
  return { file: { ...file, entities: arranged as unknown as EntityEntry[] }, joined };
}

/** Puts in what was added to the instance, with everything below it. Returns the ids it has in the file. */
function add(
  entries: Entries,
  registry: Registry,
  instance: Instance,
  overrides: readonly Override[],
): Map<Entity, string> {
  const { tree } = instance;
  const ids = new SceneIds();
  // So that new ids differ from those of the prefab.
  for (const id of entries.keys()) ids.reserve(id);
  const parents = new Map<Entity, string>();
  for (const { kind, entity, target } of overrides) {
    if (kind === "added") parents.set(entity as Entity, target);
  }
  const file = writeScene({
    tree,
    registry,
    ids,
    tops: [...parents.keys()],
    keys: {},
    doing: `apply the overrides of ${instance.prefab}`,
    options: { outside: "refuse" },
    elsewhere: instance.localIds(),
  });
  for (const entry of file.entities as unknown as Entry[]) entries.set(entry.id as string, entry);
  const joined = new Map<Entity, string>();
  for (const entity of ids.entities()) joined.set(entity, ids.of(entity) as string);
  const rootId = instance.record.template.nodes[0].id;
  for (const [top, target] of parents) {
    const id = joined.get(top) as string;
    const parent = target === "." ? rootId : target;
    entries.set(id, { id, parent, ...entries.get(id) });
  }
  return joined;
}

/**
 * What is to be edited, with the ids that entities have in the prefab's file.
 *
 * @param outside - Gets the entities that have none, by what stands for them.
 */
function inIdsOfFile(
  instance: Instance,
  overrides: readonly Override[],
  joined: ReadonlyMap<Entity, string>,
  outside: Map<string, Entity>,
): Override[] {
  const key = ({ kind, target, component, field }: Override) =>
    JSON.stringify([kind, target, component, field]);
  const chosen = new Set(overrides.map(key));
  const ids = instance.localIds();
  const all = instance.differences((entity) => {
    const id = ids.get(entity) ?? joined.get(entity);
    if (id === undefined) outside.set(outsideId(entity), entity);
    return id ?? outsideId(entity);
  });
  return all
    .filter((override) => override.kind !== "added" && chosen.has(key(override)))
    .map((override) =>
      // Children that do not come along have no place in the order either.
      override.kind === "order"
        ? { ...override, value: (override.value as readonly string[]).filter((id) => !outside.has(id)) }
        : override,
    );
}

/** Takes entities that are gone or have another parent out of the orders that the file has. */
function forgetInOrders(entries: Entries, edits: readonly Override[]): void {
  const left = new Set<Json>();
  for (const { kind, target } of edits) if (kind === "removed" || kind === "parent") left.add(target);
  if (left.size === 0) return;
  const forget = (entry: Entry | null) => {
    if (Array.isArray(entry?.order)) entry.order = entry.order.filter((id) => !left.has(id));
  };
  for (const entry of entries.values()) {
    forget(entry);
    for (const inner of Object.values((entry.overrides ?? {}) as Entry)) forget(inner as Entry | null);
  }
}

/** The ids of entities that are removed, and of what went with them. */
function goneWith({ record, tree }: Instance, edits: readonly Override[]): Set<string> {
  const { nodes } = record.template;
  const gone = new Set<string>();
  for (const { kind, target } of edits) if (kind === "removed") gone.add(target);
  if (gone.size === 0) return gone;
  for (let k = 1; k < nodes.length; k++) {
    const { id, parent } = nodes[k];
    // What was below it and lives was moved away.
    if (gone.has(nodes[parent].id) && !tree.world.isAlive(record.members[k])) gone.add(id);
  }
  return gone;
}

function edit(entries: Entries, override: Override, rootId: string): void {
  const [first, ...rest] = (override.target === "." ? rootId : override.target).split("/");
  const entry = entries.get(first);
  if (entry === undefined) return;
  if (rest.length > 0) {
    // Inside a prefab that this prefab contains: an override there.
    const inner = { ...override, target: rest.join("/") };
    const { overrides } = patchOf(inner) as { overrides: Json };
    entry.overrides = mergeJson(entry.overrides ?? {}, overrides);
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
      if (json !== null) setOwn(components, name, mergeJson(ownOf(components, name) ?? {}, json));
      else if (entry.prefab === undefined) delete components[name];
      else setOwn(components, name, null);
    }
    entry.components = components;
  }
}

/** Gives entities that came below added ones their places among those; `false` when there are none. */
function arrangeBelow(joined: ReadonlyMap<Entity, string>, entries: Entries, instance: Instance): boolean {
  const ids = instance.localIds();
  let isArranged = false;
  for (const [parent, parentId] of joined) {
    const children = instance.tree.childrenOf(parent);
    if (children.every((child) => joined.has(child))) continue;
    isArranged = true;
    const order: string[] = [];
    for (const child of children) {
      const id = joined.get(child) ?? ids.get(child) ?? "";
      // Whose override was not chosen has another parent in the file.
      if (parentIn(entries, id) !== parentId) continue;
      order.push(id);
      const entry = entries.get(id);
      if (entry === undefined) continue;
      entries.delete(id);
      entries.set(id, entry);
    }
    // What comes with an inner instance has no entry that could stand in its place.
    const isTold = order.length < 2 || order.every((id) => entries.has(id));
    if (!isTold) (entries.get(parentId) as Entry).order = order;
  }
  return isArranged;
}

/** The parent that the file gives an entity; of one inside an inner instance only if it was moved there. */
function parentIn(entries: Entries, id: string): Json | undefined {
  const [first, ...rest] = id.split("/");
  const entry = entries.get(first);
  if (rest.length === 0) return entry?.parent;
  const inner = ownOf(entry?.overrides as Entry | undefined, rest.join("/"));
  return (inner as Entry | null | undefined)?.parent;
}

/** The entries with every parent before its children, which keep their order. */
function parentsFirst(entries: Entries): Entry[] {
  const top = "";
  const children = new Map<string, Entry[]>();
  for (const entry of entries.values()) {
    const [parent] = ((entry.parent as string | undefined) ?? top).split("/");
    const key = entries.has(parent) ? parent : top;
    const siblings = children.get(key);
    if (siblings === undefined) children.set(key, [entry]);
    else siblings.push(entry);
  }
  const sorted: Entry[] = [];
  const stack = (children.get(top) ?? []).reverse();
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    sorted.push(entry);
    for (const child of (children.get(entry.id as string) ?? []).reverse()) stack.push(child);
  }
  return sorted;
}

// What cannot be part of a prefab ----------------------------------------------------------------------------------------

interface Refusal {
  readonly target: string;
  readonly why: string;
}

function refuse({ prefab, record }: Instance, refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return;
  const problems = refusals.map(
    ({ target, why }): SceneProblem => ({
      code: "scene/outside-reference",
      message: `${why}. Leave that override out.`,
      file: record.template.file,
      line: undefined,
      column: undefined,
      path: "",
      entity: target,
    }),
  );
  throw new SceneError(`apply the overrides of ${prefab}`, problems);
}

/** References to entities that are not in the prefab, and parents that are not. */
function outsideOf(
  { tree }: Instance,
  edits: readonly Override[],
  outside: ReadonlyMap<string, Entity>,
): Refusal[] {
  const refusals: Refusal[] = [];
  for (const { kind, value, target, component, field } of edits) {
    const name = target === "." ? "its root" : target;
    if (kind === "parent" && value === null) {
      refusals.push({ target, why: `${name} has no parent any more, and a prefab has one root` });
    }
    const what = kind === "parent" ? `${name} is below` : `${component}.${field} of ${name} refers to`;
    for (const id of outside.size === 0 ? [] : idsIn(value)) {
      const entity = outside.get(id);
      if (entity === undefined) continue;
      refusals.push({
        target,
        why: `${what} ${tree.label(entity)}, which is not part of the prefab`,
      });
    }
  }
  return refusals;
}

/** Entities that came with an inner instance, were moved out of it, and would go with it. */
function leftOf({ record, tree }: Instance, gone: ReadonlySet<string>): Refusal[] {
  const refusals: Refusal[] = [];
  if (gone.size === 0) return refusals;
  record.template.nodes.forEach(({ id }, k) => {
    const [inner] = id.split("/");
    if (inner === id || !gone.has(inner) || !tree.world.isAlive(record.members[k])) return;
    refusals.push({ target: inner, why: `${inner} is gone, but ${id}, which comes with it, is still there` });
  });
  return refusals;
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
