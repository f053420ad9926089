/**
 * From the document to the world: changes of others, as one patch. They were decided elsewhere, so they are applied even if they violate
 * rules of the world, and reported.
 */
import type { Component, Entity, Schema } from "espalier";
import {
  type FieldValues,
  fromJson,
  type Json,
  type Key,
  type PatchEntry,
  type Violation,
} from "espalier/history";
import { ID, KEPT, NAME, type NodeData, OF, PART, PREFAB, presenceKey } from "../document/keys.ts";
import type { NodeId, SharedNode } from "../document/shared-document.ts";
import type { SharedField } from "../document/shared-schema.ts";
import { fromShared, nodesIn, targetsOf } from "../document/values.ts";
import { type Crossed, hide, meet } from "./crossing.ts";
import type { Instances } from "./instances.ts";
import type { SharedWorld } from "./shared-world.ts";

/** A value in the document that its codec could not read. */
interface UnreadValue {
  readonly id: NodeId;
  readonly key: string;
  readonly text: string;
  readonly error: unknown;
}

export class WorldWriter {
  private readonly shared: SharedWorld;
  private readonly instances: Instances;
  /** By node and field. */
  readonly unread = new Map<string, UnreadValue>();

  constructor(shared: SharedWorld, instances: Instances) {
    this.shared = shared;
    this.instances = instances;
  }

  /**
   * Makes the world equal to the document.
   *
   * @param placed - Nodes that were added, removed or moved.
   * @param changed - Nodes whose values changed, with the keys.
   * @param crossed - Removed nodes whose entities live on as `Transient`, or below such entities, instead of being destroyed.
   * @returns Violations of rules of the world.
   */
  write(
    placed: ReadonlySet<NodeId>,
    changed: ReadonlyMap<NodeId, ReadonlySet<string>>,
    crossed: Crossed = new Map(),
  ): readonly Violation[] {
    const { shared } = this;
    const { document, ids, parts, sceneIds } = shared;
    const meant = hide(shared, placed, crossed);
    const met = meet(shared, placed);
    const all = met.length === 0 ? undefined : this.allKeys();
    const keys = all === undefined ? changed : new Map([...changed, ...met.map((id) => [id, all] as const)]);
    const affected = new Set<NodeId>();
    const renamed = new Set<NodeId>();
    for (const id of new Set([...placed, ...keys.keys()])) {
      const own = keys.get(id);
      const isPlaced = placed.has(id);
      if (!isPlaced && own !== undefined && ![...own].some(isAboutInstances)) continue;
      for (const root of parts.update(id)) affected.add(root);
    }
    for (const root of affected) for (const id of parts.claimsOf(root)) renamed.add(id);
    for (const id of [...placed, ...keys.keys(), ...renamed])
      for (const other of sceneIds.update(id)) renamed.add(other);

    const added = [...placed].filter((id) => document.has(id) && ids.entityOf(id) === undefined);
    // References to a restored node refer to its entity again, even if that is a new one.
    const returned = new Set([...[...added, ...met].filter((id) => document.isKnown(id)), ...meant]);
    const referring = this.referencesTo(returned);
    const entries = [
      ...this.removals(placed),
      ...this.entries(placed, keys, new Set(added), renamed, referring),
    ];
    const violations: Violation[] = [...this.shared.apply(entries)];
    for (const id of met) shared.returned.add(id);
    for (const root of this.instances.withParts(returned)) affected.add(root);
    this.writeOutsideTargets([...added, ...keys.keys(), ...referring.keys()]);
    this.writeCodecFields([...added, ...keys.keys(), ...this.textsAbout(returned)]);
    for (const id of added) shared.setKept(id);
    for (const [id, own] of keys) if (own.has(KEPT) && document.has(id)) shared.setKept(id);
    for (const root of affected) violations.push(...this.mend(root));
    return violations;
  }

  /** The keys by which everything of a node is read. */
  allKeys(): ReadonlySet<string> {
    const { components } = this.shared.schema;
    return new Set([...components.map(({ name }) => presenceKey(name)), NAME, PREFAB, KEPT]);
  }

  /** Creates instances that could not be created before. `undefined` if there are none. */
  retry(): readonly Violation[] | undefined {
    if (this.instances.failed.size === 0) return undefined;
    return this.mendAll([...this.instances.failed.keys()]);
  }

  /** Recreates instances whose entities are plain. */
  mendAll(roots: readonly NodeId[]): readonly Violation[] {
    return roots.flatMap((root) => this.mend(root));
  }

  private entries(
    placed: ReadonlySet<NodeId>,
    keys: ReadonlyMap<NodeId, ReadonlySet<string>>,
    added: ReadonlySet<NodeId>,
    renamed: ReadonlySet<NodeId>,
    referring: ReadonlyMap<NodeId, readonly SharedField[]>,
  ): PatchEntry[] {
    const { document, ids, tree } = this.shared;
    const entries: PatchEntry[] = [];
    const after = this.predecessors(placed);
    for (const id of placed) {
      const node = document.nodes.get(id);
      if (node === undefined || !document.has(id)) continue;
      const position = { parent: node.parent ?? null, after: after.get(id) ?? null };
      if (added.has(id)) entries.push(this.addOf(node, position));
      else entries.push({ op: "move", id, tree: tree.name, ...position });
    }
    for (const [id, changed] of keys) {
      const node = document.nodes.get(id);
      if (node === undefined || !document.has(id) || added.has(id)) continue;
      entries.push(...this.setsOf(node, changed));
    }
    for (const [id, fields] of referring) {
      if (added.has(id)) continue;
      const node = document.nodes.get(id) as SharedNode;
      for (const field of fields) {
        if (node.data[presenceKey(field.component)] === undefined || keys.get(id)?.has(field.key)) continue;
        entries.push({
          op: "set",
          id,
          component: field.component,
          values: this.valuesOf(node.data, [field]),
        });
      }
    }
    for (const id of renamed) {
      const entity = ids.entityOf(id);
      if (added.has(id) || !document.has(id) || entity === undefined) continue;
      const values = this.shared.memberValues(id);
      const own = this.shared.memberOf(entity);
      if (own?.scene !== values.scene || own.id !== values.id)
        entries.push({ op: "set", id, component: "SceneMember", values });
    }
    return entries;
  }

  private removals(placed: ReadonlySet<NodeId>): PatchEntry[] {
    const { document, tree, world } = this.shared;
    const entries: PatchEntry[] = [];
    for (const id of placed) {
      const entity = this.shared.entityOf(id);
      if (document.has(id)) continue;
      if (entity === undefined) continue;
      if (!world.isAlive(entity)) {
        this.shared.drop(id);
        continue;
      }
      this.shared.noteNode(entity, id);
      const above = tree.parentOf(entity);
      const parent = above === null ? undefined : this.shared.nodeOf(above);
      if (parent !== undefined && placed.has(parent) && !document.has(parent)) continue;
      entries.push({ op: "remove", id, tree: tree.name });
    }
    return entries;
  }

  /** The sibling before each placed node. */
  private predecessors(placed: ReadonlySet<NodeId>): Map<NodeId, NodeId> {
    const { document } = this.shared;
    const byParent = new Map<NodeId | undefined, NodeId[]>();
    for (const id of placed) {
      const node = document.nodes.get(id);
      if (node === undefined || !document.has(id)) continue;
      const group = byParent.get(node.parent);
      if (group === undefined) byParent.set(node.parent, [id]);
      else group.push(id);
    }
    const found = new Map<NodeId, NodeId>();
    for (const [parent, group] of byParent) {
      const list = document.children(parent);
      if (group.length === 1) {
        const id = group[0] as NodeId;
        const before = list[list.indexOf(id) - 1];
        if (before !== undefined) found.set(id, before);
        continue;
      }
      for (let k = 1; k < list.length; k++) found.set(list[k] as NodeId, list[k - 1] as NodeId);
    }
    return found;
  }

  private addOf(
    node: SharedNode,
    position: { readonly parent: Key | null; readonly after: Key | null },
  ): PatchEntry {
    const { schema, tree, instanceNumbers } = this.shared;
    const components: { [component: string]: FieldValues } = {};
    for (const { name } of schema.components) {
      if (node.data[presenceKey(name)] !== undefined)
        components[name] = this.valuesOf(node.data, schema.fieldsOf.get(name) ?? []);
    }
    const instance = instanceNumbers.get(node.id) ?? 0;
    components.SceneMember = { ...this.shared.memberValues(node.id), instance };
    const name = node.data[NAME] as string | undefined;
    return {
      op: "add",
      id: node.id,
      components,
      positions: { [tree.name]: name === undefined ? position : { ...position, name } },
    };
  }

  private setsOf(node: SharedNode, changed: ReadonlySet<string>): PatchEntry[] {
    const { schema, tree } = this.shared;
    const entries: PatchEntry[] = [];
    const fields = new Map<string, SharedField[]>();
    const whole = new Set<string>();
    for (const key of changed) {
      if (key === NAME) {
        const name = (node.data[NAME] as string | undefined) ?? null;
        entries.push({ op: "set", id: node.id, tree: tree.name, name });
      } else if (key.startsWith("+")) whole.add(key.slice(1));
      else {
        const field = schema.fieldAt.get(key);
        if (field === undefined) continue;
        const others = fields.get(field.component);
        if (others === undefined) fields.set(field.component, [field]);
        else others.push(field);
      }
    }
    for (const name of new Set([...whole, ...fields.keys()])) {
      const all = schema.fieldsOf.get(name);
      if (all === undefined) continue;
      const entry = this.setOf(node, name, whole.has(name) ? all : (fields.get(name) ?? []));
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  private setOf(node: SharedNode, component: string, fields: readonly SharedField[]): PatchEntry | undefined {
    const isThere = node.data[presenceKey(component)] !== undefined;
    if (isThere) return { op: "set", id: node.id, component, values: this.valuesOf(node.data, fields) };
    const { world } = this.shared;
    const entity = this.shared.entityOf(node.id);
    const own = world.componentNamed(component);
    const isHere =
      entity !== undefined && own !== undefined && world.isAlive(entity) && world.has(entity, own);
    return isHere ? { op: "set", id: node.id, component, values: null } : undefined;
  }

  private valuesOf(data: NodeData, fields: readonly SharedField[]): FieldValues {
    const { document, options } = this.shared;
    const values: { [field: string]: Json } = {};
    for (const field of fields) {
      if (options.codecs?.[field.key] !== undefined) continue;
      const value = fromShared(field, data[field.key], (id) => (document.has(id) ? id : undefined));
      if (value !== undefined) values[field.name] = value;
    }
    return values;
  }

  /** Fields that a codec writes may hold entities, so they come when all entities are there. */
  private writeCodecFields(nodes: Iterable<NodeId>): void {
    const { codecs = {} } = this.shared.options;
    const written = Object.keys(codecs);
    if (written.length === 0) return;
    for (const id of new Set(nodes)) {
      const { document } = this.shared;
      const data = document.has(id) ? document.nodes.get(id)?.data : undefined;
      if (data !== undefined) for (const key of written) this.writeCodecField(id, data, key);
    }
  }

  private writeCodecField(id: NodeId, data: NodeData, key: string): void {
    const { schema, world } = this.shared;
    const field = schema.fieldAt.get(key);
    const text = data[key];
    const entity = this.shared.entityOf(id);
    if (field === undefined || typeof text !== "string" || entity === undefined) return;
    const component = world.componentNamed(field.component) as Component<Schema> | undefined;
    if (component === undefined || !world.has(entity, component)) return;
    try {
      const value = this.shared.decode(key, text);
      world.set(entity, component, { [field.name]: value } as never);
      this.unread.delete(`${id} ${key}`);
    } catch (error) {
      // Others wrote a value that the codec of this program cannot read: the value here stays as it is.
      this.unread.set(`${id} ${key}`, { id, key, text, error });
    }
  }

  /** References to entities that live on outside of the scene: a patch can only refer to nodes. */
  private writeOutsideTargets(nodes: Iterable<NodeId>): void {
    const { shared } = this;
    const { document, world } = shared;
    if (!shared.hasOutside) return;
    const fields = this.referenceFields();
    for (const id of new Set(nodes)) {
      const entity = shared.entityOf(id);
      if (entity === undefined || !document.has(id)) continue;
      const { data } = document.nodes.get(id) as SharedNode;
      for (const field of fields) {
        if (!targetsOf(field, data[field.key]).some((target) => shared.outsideTarget(target) !== undefined))
          continue;
        const component = world.componentNamed(field.component) as Component<Schema> | undefined;
        if (component === undefined || !world.has(entity, component)) continue;
        const value = fromShared(
          field,
          data[field.key],
          (target) => shared.entityOf(target) ?? shared.outsideTarget(target),
        );
        world.set(entity, component, { [field.name]: fromJson(value as Json) } as never);
      }
    }
  }

  /** The nodes with text of a codec that names some. */
  private textsAbout(targets: ReadonlySet<NodeId>): NodeId[] {
    const { document, options } = this.shared;
    const keys = Object.keys(options.codecs ?? {});
    if (keys.length === 0 || targets.size === 0) return [];
    return [...document.ids()].filter((id) => {
      const { data } = document.nodes.get(id) as SharedNode;
      return keys.some((key) => nodesIn(data[key]).some((target) => targets.has(target)));
    });
  }

  /** The fields of all nodes that refer to some. */
  private referencesTo(targets: ReadonlySet<NodeId>): Map<NodeId, SharedField[]> {
    const found = new Map<NodeId, SharedField[]>();
    if (targets.size === 0) return found;
    const { document } = this.shared;
    const fields = this.referenceFields();
    if (fields.length === 0 || targets.size === document.size) return found;
    for (const id of document.ids()) {
      const { data } = document.nodes.get(id) as SharedNode;
      const own = fields.filter((field) =>
        targetsOf(field, data[field.key]).some((target) => targets.has(target)),
      );
      if (own.length > 0) found.set(id, own);
    }
    return found;
  }

  private referenceFields(): SharedField[] {
    const isReference = ({ form }: SharedField) => form === "reference" || form === "references";
    return [...this.shared.schema.fieldAt.values()].filter(isReference);
  }

  // Instances ------------------------------------------------------------------------------------------------------------

  private mend(root: NodeId): readonly Violation[] {
    const { document, parts } = this.shared;
    this.instances.failed.delete(root);
    const prefab = document.nodes.get(root)?.data[PREFAB] as string | undefined;
    if (!document.has(root) || this.instances.isSound(root)) return [];
    if (prefab === undefined) {
      this.instances.unpack(root);
      return [];
    }
    let made: Map<string, Entity>;
    try {
      made = this.instances.make(prefab);
    } catch (error) {
      this.instances.failed.set(root, { root, error });
      return [];
    }
    const nodes = new Map<string, NodeId>([["", root]]);
    for (const [part, id] of parts.partsOf(root)) nodes.set(part, id);
    return this.takeOver(nodes, made);
  }

  /** Replaces the entities of nodes by new ones. */
  private takeOver(
    nodes: ReadonlyMap<string, NodeId>,
    made: ReadonlyMap<string, Entity>,
  ): readonly Violation[] {
    const { document, ids, tree, world, schema } = this.shared;
    const former: Entity[] = [];
    const taken = new Set<NodeId>();
    for (const [part, id] of nodes) {
      const entity = made.get(part);
      if (entity === undefined) continue;
      const before = ids.entityOf(id);
      if (before !== undefined) {
        former.push(before);
        ids.drop(before);
      }
      ids.set(id, entity);
      taken.add(id);
      if (before === undefined) continue;
      // Entities unknown to the document stay below it.
      for (const child of tree.childrenOf(before))
        if (this.shared.nodeOf(child) === undefined) tree.attach(child, entity);
    }
    const placed = new Set<NodeId>(taken);
    for (const id of taken) for (const child of document.children(id)) placed.add(child);
    const entries: PatchEntry[] = [];
    const after = this.predecessors(placed);
    for (const id of placed) {
      const { parent = null } = document.nodes.get(id) as SharedNode;
      entries.push({ op: "move", id, tree: tree.name, parent, after: after.get(id) ?? null });
    }
    for (const id of taken) {
      const node = document.nodes.get(id) as SharedNode;
      const all = schema.components.map(({ name }) => presenceKey(name));
      entries.push(...this.setsOf(node, new Set([NAME, ...all])));
      entries.push({ op: "set", id, component: "SceneMember", values: this.shared.memberValues(id) });
    }
    const referring = this.referencesTo(taken);
    for (const [id, fields] of referring) {
      const node = document.nodes.get(id) as SharedNode;
      if (taken.has(id)) continue;
      for (const field of fields) {
        if (node.data[presenceKey(field.component)] !== undefined)
          entries.push({
            op: "set",
            id,
            component: field.component,
            values: this.valuesOf(node.data, [field]),
          });
      }
    }
    const violations = this.shared.apply(entries);
    this.writeOutsideTargets([...taken, ...referring.keys()]);
    this.writeCodecFields([...taken, ...this.textsAbout(taken)]);
    for (const id of taken) this.shared.setKept(id);
    for (const entity of former) if (world.isAlive(entity)) world.destroy(entity);
    // Parts that were removed from the instance.
    const kept = new Set([...nodes.keys()]);
    for (const [part, entity] of made) if (!kept.has(part) && world.isAlive(entity)) world.destroy(entity);
    const root = nodes.get("") as NodeId;
    this.shared.instanceNumbers.set(
      root,
      this.shared.memberOf(this.shared.entityOf(root) as Entity)?.instance ?? 0,
    );
    return violations;
  }
}

function isAboutInstances(key: string): boolean {
  return key === PREFAB || key === PART || key === OF || key === ID;
}
