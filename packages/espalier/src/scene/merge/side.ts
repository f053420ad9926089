/**
 * One of the three scenes of a merge: every entity by its id, those inside of prefab instances included, with what its file says
 * of it.
 */
import type { Entity } from "../../ecs/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import type { EntityEntry, OverrideEntry } from "../file.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { Scene } from "../scene.ts";

/** Components by name; `null` for one of the prefab that an instance does not have. */
export type ComponentValues = { readonly [component: string]: JsonObject | null };

/** What a file says of one entity by itself, without its place in the tree. */
export interface NodeRecord {
  readonly name: string | null | undefined;
  readonly prefab: string | undefined;
  readonly components: ComponentValues;
  /** Keys that reading kept. */
  readonly others: JsonObject;
  /** Overrides of an instance that lead to no entity: those that were removed (`null`), and what reading kept. */
  readonly strays: JsonObject;
  /** Inside of an instance: the parent that the instance gives it, if it is not that of the prefab. */
  readonly givenParent: string | null | undefined;
  /** The file says in which order its children are. */
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
  /** The ids of children in their order, by parent; of the roots by `null`. */
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  /** The ids of the entities inside of instances, by that of the instance. */
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

/** The id of the instance that an entity is inside of; nothing when it has an entry of its own. Ids of entries have no "/". */
export function instanceIdOf(id: string): string | undefined {
  const at = id.indexOf("/");
  return at < 0 ? undefined : id.slice(0, at);
}

/** What is in a scene now. */
export function sideOf(scene: Scene): Side {
  const { tree } = scene;
  const { entities, order, version: _, ...header } = scene.toFile();
  const entries = new Map(entities.map((entry) => [entry.id as string, entry]));
  const nodes = new Map<string, SideNode>();
  const children = new Map<string | null, readonly string[]>();
  const idOf = (entity: Entity) => scene.idOf(entity) as string;
  const roots = scene.roots();
  children.set(null, roots.map(idOf));
  for (const root of roots) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      const id = idOf(entity);
      const parent = tree.parentOf(entity);
      nodes.set(id, {
        id,
        parent: parent === null || entity === root ? null : idOf(parent),
        record: noRecord,
      });
      const below = tree.childrenOf(entity);
      if (below.length > 0) children.set(id, below.map(idOf));
    }
  }
  for (const [id, node] of nodes) nodes.set(id, { ...node, record: recordOf(id, entries, nodes) });
  return {
    nodes,
    children,
    inside: insideOf(nodes.keys()),
    header: header as JsonObject,
    hasRootOrder: order !== undefined,
  };
}

/** The ids of entities inside of instances, by that of the instance. */
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

function recordOf(
  id: string,
  entries: ReadonlyMap<string, EntityEntry>,
  nodes: ReadonlyMap<string, SideNode>,
): NodeRecord {
  const instance = instanceIdOf(id);
  if (instance !== undefined) {
    const override = ownOf(entries.get(instance)?.overrides, id.slice(instance.length + 1));
    if (override === undefined || override === null) return noRecord;
    const { name, parent, components = {}, order, children: _, ...others } = override;
    return {
      ...noRecord,
      name,
      components: components as ComponentValues,
      others,
      givenParent: parent,
      hasOrder: order !== undefined,
    };
  }
  const entry = entries.get(id) as EntityEntry;
  const {
    id: _,
    name,
    parent: __,
    prefab,
    components = {},
    overrides,
    order,
    children: ___,
    ...others
  } = entry;
  const strays: { [target: string]: Json } = {};
  for (const target of Object.keys(overrides ?? {})) {
    if (!nodes.has(`${id}/${target}`)) setOwn(strays, target, strayOf(overrides?.[target]));
  }
  return {
    ...noRecord,
    name,
    prefab,
    components: components as ComponentValues,
    others: others as JsonObject,
    strays,
    hasOrder: order !== undefined,
  };
}

function strayOf(override: OverrideEntry | null | undefined): Json {
  return (override ?? null) as unknown as Json;
}
