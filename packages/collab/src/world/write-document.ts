/**
 * From the world to the document: changes of this program, as operations on nodes. Only differences from the document are written, so
 * that changes which came from there are not sent back.
 */
import type { Entity } from "espalier";
import {
  type AddEntry,
  ChangesLostError,
  expandColumns,
  type FieldValues,
  type Json,
  type Key,
  type Patch,
} from "espalier/history";
import { ID, KEPT, NAME, type NodeData, PART, PREFAB, presenceKey } from "../document/keys.ts";
import type { NodeId } from "../document/shared-document.ts";
import { isSame, isSameText, nodesIn, targetsOf, toShared } from "../document/values.ts";
import type { Instances } from "./instances.ts";
import type { SharedWorld } from "./shared-world.ts";

export class DocumentWriter {
  private readonly shared: SharedWorld;
  private readonly instances: Instances;
  /** Nodes whose id in the file may have changed. */
  readonly renamed = new Set<NodeId>();
  /**
   * Instances of which a part may be a different node now: a deleted node may have taken precedence over another that claims
   * the same part.
   */
  readonly reshaped = new Set<NodeId>();
  /**
   * Nodes of entities that lived before they entered the scene, or became `Transient`, in the last call, and whether `Transient` was the
   * reason: undo of that lets them live.
   */
  readonly crossed = new Map<NodeId, boolean>();
  /** Entities that get another node in the call that runs: what referred to the one before is compared as if it named that. */
  private entering: ReadonlySet<Entity> = new Set();

  constructor(shared: SharedWorld, instances: Instances) {
    this.shared = shared;
    this.instances = instances;
  }

  /** Writes changes since the last time. Returns whether anything differed from the document. */
  write(): boolean {
    const { stream } = this.shared;
    this.crossed.clear();
    let patch: Patch;
    try {
      patch = expandColumns(stream.read().patch);
    } catch (error) {
      if (!(error instanceof ChangesLostError)) throw error;
      return this.writeAll();
    }
    return patch.length > 0 && this.writePatch(patch);
  }

  /**
   * Compares the whole scene with the document.
   *
   * @param isFirst - Whether the document is new.
   */
  writeAll(isFirst = false): boolean {
    const { ids, stream, world } = this.shared;
    stream.read();
    const gone = [...ids.entries()].filter(([, entity]) => !world.isAlive(entity));
    const removals = gone.map(([, entity]) => ({ op: "remove", id: entity as Key }) as const);
    return this.writePatch([...removals, ...expandColumns(stream.snapshot().patch)], isFirst);
  }

  private writePatch(patch: Patch, isFirst = false): boolean {
    const { shared } = this;
    const { document, world } = shared;
    const adds = new Map<Entity, AddEntry>();
    const candidates = new Set<Entity>();
    const removed: Entity[] = [];
    for (const entry of patch) {
      const entity = entry.id as Entity;
      if (entry.op === "remove") {
        removed.push(entity);
        continue;
      }
      if (!world.isAlive(entity)) continue;
      if (entry.op === "add") adds.set(entity, entry);
      if (entry.op !== "set" || isAboutMembership(entry)) candidates.add(entity);
    }
    // What was added below an entity while it was not shared.
    for (const id of shared.returned)
      for (const child of shared.tree.children(shared.entityOf(id) as Entity))
        if (shared.nodeOf(child) === undefined) candidates.add(child);
    const placing = new Placing(shared, candidates);
    const { created } = placing;
    let isChanged = false;
    if (isFirst) isChanged = placing.run(true);
    else placing.prepare();
    for (const entry of patch) {
      const id = isAboutTransient(entry) ? shared.nodeOf(entry.id as Entity) : undefined;
      if (id !== undefined) this.crossed.set(id, true);
    }
    // Entities that existed before they came into the scene: the stream has no values of them.
    const entered = [...created].filter((entity) => !adds.has(entity));
    this.entering = new Set(entered);
    for (const entity of entered) {
      const id = shared.nodeOf(entity) as NodeId;
      if (!this.crossed.has(id)) this.crossed.set(id, false);
    }
    const all = entered.length + shared.returned.size === 0 ? adds : this.allEntries();
    if (created.size > 0) {
      isChanged = true;
      for (const entity of created) {
        const entry = adds.get(entity) ?? all.get(entity);
        if (entry !== undefined) this.writeNew(entity, entry);
      }
      this.claimInstances(created);
      this.giveIds(created);
      if (!isFirst) document.commitOutsideSteps();
    }
    if (!isFirst && placing.run(false)) isChanged = true;
    for (const id of placing.renamed) this.renamed.add(id);
    for (const root of placing.reshaped) this.reshaped.add(root);
    for (const entity of removed) if (this.remove(entity)) isChanged = true;
    for (const [entity, entry] of adds) {
      // An entity that came from the document.
      if (!created.has(entity) && this.compare(entity, entry)) isChanged = true;
    }
    for (const entry of patch) {
      if (entry.op !== "set") continue;
      const id = shared.nodeOf(entry.id as Entity);
      if (id === undefined || !document.has(id) || created.has(entry.id as Entity)) continue;
      const isWritten =
        "component" in entry
          ? this.writeComponent(id, entry.component, entry.values, false)
          : document.write(id, { [NAME]: entry.name ?? undefined });
      if (isWritten) isChanged = true;
    }
    const targets = new Set([
      ...entered.flatMap((entity) => shared.nodeOf(entity) ?? []),
      ...shared.returned,
    ]);
    shared.returned.clear();
    this.entering = new Set();
    if (targets.size > 0 && this.writeReferencesTo(targets, all)) isChanged = true;
    if (this.claimInstances(candidates)) isChanged = true;
    if (this.takeKept(candidates)) isChanged = true;
    if (this.takeIds(candidates)) isChanged = true;
    this.noteIds(candidates);
    return isChanged;
  }

  /** Deletes the node of an entity, with its descendants. */
  private remove(entity: Entity): boolean {
    const { document } = this.shared;
    const id = this.shared.nodeOf(entity);
    if (id === undefined) return false;
    if (!document.has(id)) {
      this.shared.drop(id);
      return false;
    }
    noteLeft(this.shared, document.remove(id), this);
    return true;
  }

  private allEntries(): Map<Entity, AddEntry> {
    const all = new Map<Entity, AddEntry>();
    for (const each of this.shared.stream.snapshot().patch)
      if (each.op === "add") all.set(each.id as Entity, each);
    return all;
  }

  private writeNew(entity: Entity, { components, positions }: AddEntry): void {
    const id = this.shared.nodeOf(entity) as NodeId;
    const name = positions[this.shared.tree.name]?.name;
    this.shared.document.write(id, { [NAME]: name, [KEPT]: this.shared.keptOf(entity) });
    for (const component of Object.keys(components))
      this.writeComponent(id, component, components[component] as FieldValues, true);
  }

  /** Compares an entity that is new in the stream but already in the document. */
  private compare(entity: Entity, { components, positions }: AddEntry): boolean {
    const { document, schema, tree } = this.shared;
    const id = this.shared.nodeOf(entity);
    const node = id === undefined || !document.has(id) ? undefined : document.nodes.get(id);
    if (node === undefined) return false;
    let isChanged = document.write(node.id, { [NAME]: positions[tree.name]?.name });
    for (const { name } of schema.components) {
      const values = components[name] ?? null;
      if (values === null && node.data[presenceKey(name)] === undefined) continue;
      if (this.writeComponent(node.id, name, values, false)) isChanged = true;
    }
    return isChanged;
  }

  /** @param isNew - Whether to leave out default values. */
  private writeComponent(id: NodeId, component: string, values: FieldValues | null, isNew: boolean): boolean {
    const { document, schema } = this.shared;
    const fields = schema.fieldsOf.get(component);
    if (fields === undefined) return false;
    const { data } = document.nodes.get(id) as { data: NodeData };
    const presence = presenceKey(component);
    const written: NodeData = {};
    if (values === null) {
      written[presence] = undefined;
      for (const { key } of fields) written[key] = undefined;
      return document.write(id, written);
    }
    written[presence] = true;
    const nodeOf = (entity: Entity) => this.shared.nodeMeant(entity);
    const target = (other: NodeId) => this.shared.targetOf(other) ?? this.nodeAfter(other);
    for (const field of fields) {
      const value = values[field.name];
      if (value === undefined) continue;
      const coded = this.shared.encode(id, field);
      if (coded !== undefined) {
        if (!isSameText(data[field.key], coded, target, (text) => document.nodes.has(text)))
          written[field.key] = coded;
        continue;
      }
      const shared = toShared(field, value, nodeOf);
      // A new node may refer to other new nodes, which are not in the scene yet.
      const isKnown = isNew
        ? isInitial(value, field.initial)
        : isSame(field, data[field.key], shared, target);
      if (!isKnown) written[field.key] = shared;
    }
    return document.write(id, written);
  }

  /** The new node of the entity of a node that left the scene. */
  private nodeAfter(id: NodeId): NodeId | undefined {
    const entity = this.shared.lastOutsideOf(id);
    return entity !== undefined && this.entering.has(entity) ? this.shared.nodeOf(entity) : undefined;
  }

  /** References to entities that were not shared when these were set. */
  private writeReferencesTo(targets: ReadonlySet<NodeId>, all: ReadonlyMap<Entity, AddEntry>): boolean {
    const { document, schema, options } = this.shared;
    const nodeOf = (entity: Entity) => this.shared.nodeOf(entity);
    const fields = [...schema.fieldAt.values()].filter(
      ({ form, key }) => form === "reference" || form === "references" || options.codecs?.[key] !== undefined,
    );
    let isChanged = false;
    for (const [entity, { components }] of all) {
      const id = this.shared.nodeOf(entity);
      if (id === undefined || !document.has(id)) continue;
      for (const field of fields) {
        const value = components[field.component]?.[field.name];
        if (value === undefined) continue;
        const coded = this.shared.encode(id, field);
        const found = coded === undefined ? targetsOf(field, toShared(field, value, nodeOf)) : nodesIn(coded);
        if (!found.some((node) => targets.has(node))) continue;
        if (this.writeComponent(id, field.component, { [field.name]: value }, false)) isChanged = true;
      }
    }
    return isChanged;
  }

  private claimInstances(candidates: ReadonlySet<Entity>): boolean {
    let isChanged = false;
    for (const entity of candidates) {
      const id = this.shared.nodeOf(entity);
      const data = id === undefined ? undefined : this.shared.document.nodes.get(id)?.data;
      if (data === undefined) continue;
      const isInstance = (this.shared.memberOf(entity)?.instance ?? 0) !== 0;
      if (!isInstance && data[PREFAB] === undefined) continue;
      if (this.instances.claim(entity)) isChanged = true;
    }
    return isChanged;
  }

  /** Gives every new node an id, unless its id is derived from its instance. */
  private giveIds(created: ReadonlySet<Entity>): void {
    const { document, sceneIds, tree } = this.shared;
    const given = new Set<string>();
    const counts = new Map<string, number>();
    for (const entity of created) {
      const id = this.shared.nodeOf(entity) as NodeId;
      const { data } = document.nodes.get(id) as { readonly data: NodeData };
      if (data[PART] !== undefined) continue;
      const own = this.shared.isMember(entity) ? this.shared.memberOf(entity)?.id : undefined;
      const isUsable = own !== undefined && own !== "" && !own.includes("/");
      const like = tree.nameOf(entity) ?? (data[PREFAB] as string | undefined);
      const wanted = isUsable ? own : sceneIds.unused(like, given, counts);
      given.add(wanted);
      document.write(id, { [ID]: wanted });
    }
  }

  /** Updates the indices for the nodes of entities. */
  private noteIds(entities: Iterable<Entity>): void {
    const { parts, sceneIds } = this.shared;
    const affected = new Set<NodeId>();
    const roots = new Set<NodeId>();
    for (const entity of entities) {
      const id = this.shared.nodeOf(entity);
      if (id === undefined) continue;
      affected.add(id);
      for (const root of parts.update(id)) roots.add(root);
    }
    for (const root of roots) {
      this.reshaped.add(root);
      affected.add(root);
      for (const part of parts.claimsOf(root)) affected.add(part);
    }
    for (const id of affected) {
      this.renamed.add(id);
      for (const other of sceneIds.update(id)) this.renamed.add(other);
    }
  }

  /** Reads what was kept of entities, which is stored outside of the world. */
  private takeKept(candidates: ReadonlySet<Entity>): boolean {
    let isChanged = false;
    for (const entity of candidates) {
      const id = this.shared.nodeOf(entity);
      if (id === undefined || !this.shared.document.has(id)) continue;
      if (this.shared.document.write(id, { [KEPT]: this.shared.keptOf(entity) })) isChanged = true;
    }
    return isChanged;
  }

  /** Reads ids that the program gave to shared entities. */
  private takeIds(candidates: ReadonlySet<Entity>): boolean {
    const { document, parts, sceneIds } = this.shared;
    let isChanged = false;
    for (const entity of candidates) {
      const id = this.shared.nodeOf(entity);
      const own = this.shared.isMember(entity) ? this.shared.memberOf(entity)?.id : undefined;
      if (id === undefined || !document.has(id) || own === undefined || own === "" || own.includes("/"))
        continue;
      if (parts.partOf(id) !== undefined || sceneIds.of(id) === own) continue;
      if (document.write(id, { [ID]: own })) isChanged = true;
      for (const other of sceneIds.update(id)) this.renamed.add(other);
    }
    return isChanged;
  }
}

/** New and moved entities: their nodes are created, moved or deleted, parents first, siblings in order. */
class Placing {
  readonly created = new Set<Entity>();
  readonly renamed = new Set<NodeId>();
  readonly reshaped = new Set<NodeId>();
  private readonly shared: SharedWorld;
  /** Grows while it is walked: descendants of an entity that entered the scene enter too. */
  private readonly candidates: Set<Entity>;
  private readonly settled = new Set<Entity>();
  private readonly waiting = new Map<Entity | null, number>();
  /** Nodes that were moved out of the scene; what was below them may come back in while others are placed. */
  private readonly left = new Set<NodeId>();
  private isChanged = false;
  private isFirst = false;

  constructor(shared: SharedWorld, candidates: Set<Entity>) {
    this.shared = shared;
    this.candidates = candidates;
    for (const entity of candidates) this.count(entity);
  }

  /** Creates a node for each entity that enters the scene, at first outside of it. */
  prepare(): void {
    const { shared } = this;
    this.walk((entity) => {
      this.settled.add(entity);
      if (shared.nodeOf(entity) !== undefined || shared.isTransient(entity)) return;
      const above = shared.tree.parentOf(entity);
      const isBelow = above !== null && (this.created.has(above) || this.nodeOf(above) !== undefined);
      if (isBelow || this.isTop(entity)) this.create(entity, shared.document.create());
    });
  }

  /** @param isFirst - Whether nodes are created at their final position. */
  run(isFirst: boolean): boolean {
    this.isFirst = isFirst;
    this.walk((entity) => this.linkSiblings(this.shared.tree.parentOf(entity), entity));
    noteLeft(this.shared, this.left, this);
    return this.isChanged;
  }

  /** Visits the candidates that are not settled, ancestors first. */
  private walk(visit: (entity: Entity) => void): void {
    const { tree } = this.shared;
    this.settled.clear();
    for (const entity of this.candidates) {
      const way: Entity[] = [];
      let up: Entity | null = entity;
      while (up !== null && !this.settled.has(up)) {
        way.push(up);
        up = tree.parentOf(up);
      }
      for (const each of way.reverse()) {
        if (this.settled.has(each)) continue;
        if (this.candidates.has(each)) visit(each);
        else this.settled.add(each);
      }
    }
  }

  private create(entity: Entity, id: NodeId): void {
    const { shared } = this;
    this.isChanged = true;
    shared.enter(id, entity);
    this.created.add(entity);
    for (const child of shared.tree.children(entity)) {
      if (this.candidates.has(child)) continue;
      this.candidates.add(child);
      this.count(child);
    }
  }

  /** Links all new and moved children of one parent, which is already in position. */
  private linkSiblings(above: Entity | null, one: Entity): void {
    const { tree } = this.shared;
    const parent = above === null ? undefined : this.nodeOf(above);
    const isSibling = (id: NodeId | undefined) =>
      id !== undefined && this.shared.document.nodes.get(id)?.parent === parent;
    let after: NodeId | undefined;
    // The siblings of a root are not linked.
    if (above !== null && this.waiting.get(above) === 1) {
      // The usual case: one of possibly many children.
      for (let before = tree.previousSibling(one); before !== null; before = tree.previousSibling(before)) {
        after = this.nodeOf(before);
        if (isSibling(after)) break;
        after = undefined;
      }
      this.link(one, parent, after);
      return;
    }
    for (const child of tree.childrenOf(above)) {
      if (this.candidates.has(child) && !this.settled.has(child)) this.link(child, parent, after);
      const id = this.nodeOf(child);
      if (isSibling(id)) after = id;
    }
  }

  private link(entity: Entity, parent: NodeId | undefined, after: NodeId | undefined): void {
    const { shared } = this;
    const { document } = shared;
    this.settled.add(entity);
    const belongs = !shared.isTransient(entity) && (parent !== undefined || this.isTop(entity));
    const id = shared.nodeOf(entity);
    const isNew = this.created.has(entity);
    if (!belongs && shared.isMember(entity)) shared.outsiders.add(entity);
    if (id === undefined) {
      if (belongs && this.isFirst) this.create(entity, document.createAt(parent, after));
    } else if (belongs) {
      const isOurs = isNew || document.has(id) || this.left.has(id);
      if (isOurs && document.move(id, parent, after)) this.isChanged = true;
    } else if (document.has(id)) {
      for (const gone of document.remove(id)) this.left.add(gone);
      this.isChanged = true;
    } else if (isNew) this.left.add(id);
  }

  private count(entity: Entity): void {
    const above = this.shared.tree.parentOf(entity);
    this.waiting.set(above, (this.waiting.get(above) ?? 0) + 1);
  }

  /** Whether it belongs to the scene itself, and is not below an entity that is not saved. */
  private isTop(entity: Entity): boolean {
    const { shared } = this;
    if (!shared.isMember(entity)) return false;
    for (const above of shared.tree.ancestors(entity)) if (shared.isTransient(above)) return false;
    return true;
  }

  private nodeOf(entity: Entity): NodeId | undefined {
    const id = this.shared.nodeOf(entity);
    return id !== undefined && this.shared.document.has(id) ? id : undefined;
  }
}

/** Updates what follows from nodes that were moved out of the scene, or out and in again, and records what else this may have changed. */
function noteLeft(
  shared: SharedWorld,
  left: Iterable<NodeId>,
  { renamed, reshaped }: { readonly renamed: Set<NodeId>; readonly reshaped: Set<NodeId> },
): void {
  const { document, parts, sceneIds } = shared;
  const affected = new Set<NodeId>();
  const roots = new Set<NodeId>();
  for (const id of left) {
    if (!document.has(id)) shared.drop(id);
    affected.add(id);
    for (const root of parts.update(id)) roots.add(root);
  }
  for (const root of roots) {
    reshaped.add(root);
    for (const other of parts.claimsOf(root)) affected.add(other);
  }
  for (const each of affected) for (const other of sceneIds.update(each)) renamed.add(other);
}

interface AboutComponent {
  readonly op: string;
  readonly component?: string;
}

function isAboutMembership(entry: AboutComponent): boolean {
  return entry.component === "SceneMember" || isAboutTransient(entry);
}

function isAboutTransient({ op, component }: AboutComponent): boolean {
  return op === "set" && component === "Transient";
}

function isInitial(value: Json, initial: Json | undefined): boolean {
  return value === initial || (initial !== undefined && JSON.stringify(value) === JSON.stringify(initial));
}
