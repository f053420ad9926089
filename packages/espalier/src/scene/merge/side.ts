/**
 * One of the three scenes of a merge: every entity by its id, including those inside prefab instances, with the content of its
 * file about it.
 */
import type { Entity } from "../../ecs/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { type EntityEntry, entityKeys, type OverrideEntry, overrideKeys } from "../file.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Scene } from "../scene.ts";

/** Components by name; `null` for a component of the prefab that an instance does not have. */
export type ComponentValues = { readonly [component: string]: JsonObject | null };

/** The content of a file about one entity, without its parent and position. */
export interface NodeRecord {
  readonly name: string | null | undefined;
  readonly prefab: string | undefined;
  readonly components: ComponentValues;
  /** Keys that reading kept. */
  readonly others: JsonObject;
  /** Overrides of an instance that refer to no entity: removed ones (`null`), and those that reading kept. */
  readonly strays: JsonObject;
  /** Inside an instance: the parent that the instance gives it, if it is not that of the prefab. */
  readonly givenParent: string | null | undefined;
  /** Whether the file states the order of its children. */
  readonly hasOrder: boolean;
}

export interface SideNode {
  readonly id: string;
  readonly parent: string | null;
  readonly record: NodeRecord;
}

export interface Side {
  /** Parents before their children. */
  readonly nodes: ReadonlyMap<string, SideNode>;
  /** The ids of children in order, by parent; those of the roots by `null`. */
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  /** The ids of entities inside instances, by the id of the instance. */
  readonly inside: ReadonlyMap<string, readonly string[]>;
  /** Keys of the file besides its entities. */
  readonly header: JsonObject;
  readonly hasRootOrder: boolean;
}

export const noRecord: NodeRecord = {
  name: undefined,
  prefab: undefined,
  components: {},
  others: {},
  strays: {},
  givenParent: undefined,
  hasOrder: false,
};

/** The id of the instance that contains an entity; `undefined` when it has an entry of its own. Ids of entries have no "/". */
export function instanceIdOf(id: string): string | undefined {
  const at = id.indexOf("/");
  return at < 0 ? undefined : id.slice(0, at);
}

/** The current content of a scene. */
export function sideOf(scene: Scene): Side {
  const { tree } = scene;
  const { entities, order, version: _, ...header } = scene.toFile();
  const entries = new Map(entities.map((entry) => [entry.id as string, entry]));
  const nodes = new Map<string, SideNode & { record: NodeRecord }>();
  const children = new Map<string | null, readonly string[]>();
  /** Parents come first, so the parent of an entity is known when it is met. */
  const parents = new Map<string, string>();
  const idOf = (entity: Entity) => scene.idOf(entity) as string;
  const roots = scene.roots();
  children.set(null, roots.map(idOf));
  for (const root of roots) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      const id = idOf(entity);
      nodes.set(id, { id, parent: parents.get(id) ?? null, record: noRecord });
      const below = tree.childrenOf(entity).map(idOf);
      if (below.length > 0) children.set(id, below);
      for (const child of below) parents.set(child, id);
    }
  }
  // The meaning of overrides depends on which entities exist inside the instance.
  for (const node of nodes.values()) node.record = recordOf(node.id, entries, nodes);
  return {
    nodes,
    children,
    inside: insideOf(nodes.keys()),
    header: header as JsonObject,
    hasRootOrder: order !== undefined,
  };
}

/** The ids of entities inside instances, by the id of the instance. */
export function insideOf(ids: Iterable<string>): Map<string, string[]> {
  const inside = new Map<string, string[]>();
  for (const id of ids) {
    const instance = instanceIdOf(id);
    if (instance === undefined) continue;
    const list = inside.get(instance);
    if (list === undefined) inside.set(instance, [id]);
    else list.push(id);
  }
  return inside;
}

const ownEntityKeys: ReadonlySet<string> = /* @__PURE__ */ new Set(entityKeys);
const ownOverrideKeys: ReadonlySet<string> = /* @__PURE__ */ new Set(overrideKeys);
const nothing = {};

function recordOf(
  id: string,
  entries: ReadonlyMap<string, EntityEntry>,
  nodes: ReadonlyMap<string, SideNode>,
): NodeRecord {
  const instance = instanceIdOf(id);
  if (instance === undefined) {
    const entry = entries.get(id) as EntityEntry;
    return {
      name: entry.name,
      prefab: entry.prefab,
      components: (entry.components ?? nothing) as ComponentValues,
      others: othersOf(entry, ownEntityKeys),
      strays: straysOf(id, entry, nodes),
      givenParent: undefined,
      hasOrder: entry.order !== undefined,
    };
  }
  const override = ownOf(entries.get(instance)?.overrides, id.slice(instance.length + 1));
  if (override === undefined || override === null) return noRecord;
  return {
    name: override.name,
    prefab: undefined,
    components: (override.components ?? nothing) as ComponentValues,
    others: othersOf(override, ownOverrideKeys),
    strays: nothing,
    givenParent: override.parent,
    hasOrder: override.order !== undefined,
  };
}

/** Keys for which a record has no field of its own. */
function othersOf(entry: EntityEntry | OverrideEntry, own: ReadonlySet<string>): JsonObject {
  let others: { [key: string]: Json } | undefined;
  for (const key of Object.keys(entry)) {
    if (own.has(key)) continue;
    others ??= {};
    setOwn(others, key, (entry as unknown as JsonObject)[key]);
  }
  return others ?? nothing;
}

/** Overrides of an instance for entities that do not exist inside it. */
function straysOf(id: string, entry: EntityEntry, nodes: ReadonlyMap<string, SideNode>): JsonObject {
  const { overrides } = entry;
  if (overrides === undefined) return nothing;
  const strays: { [target: string]: Json } = {};
  for (const target of Object.keys(overrides)) {
    if (!nodes.has(`${id}/${target}`)) setOwn(strays, target, (overrides[target] ?? null) as unknown as Json);
  }
  return strays;
}
