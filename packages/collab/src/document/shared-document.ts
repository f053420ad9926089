/**
 * The shared tree as Loro holds it, with a copy of it in plain objects: reading a list of siblings or the values of a node costs
 * no call into the engine. Changes of others are replayed into the copy from the engine's events, in order.
 */
import type { LoroDoc, LoroEventBatch, LoroMap, LoroTree, TreeDiffItem, TreeID } from "loro-crdt";
import type { NodeData, Plain } from "./keys.ts";
import { misfitOf } from "./misfit.ts";
import type { SharedSchema } from "./shared-schema.ts";

export type NodeId = TreeID;

export interface SharedNode {
  readonly id: NodeId;
  parent: NodeId | undefined;
  data: NodeData;
}

/** The changes of the document since the world was last updated. */
export interface PendingChanges {
  /** Nodes that were added, removed or moved. */
  readonly placed: Set<NodeId>;
  /** Nodes whose values changed, with their keys. */
  readonly keys: Map<NodeId, Set<string>>;
}

/** Marks the session's own commits, whose events contain nothing new. */
const OWN = "espalier:own";
/** The same for what is not an undoable step. Creating nodes is not: adding them to the scene is. */
const NEW = "espalier:new";

/** Undo ignores commits whose origin begins with one of these. */
export const notUndone = [NEW];

/**
 * Nothing is ever deleted in the engine, whose undo recreates a deleted node under another id: nodes that leave the scene move
 * below the node
 * `bin`, and return from there with the same id.
 */
export class SharedDocument {
  readonly doc: LoroDoc;
  readonly tree: LoroTree;
  /** By node and key: why the value in the document is ignored. */
  readonly misfits = new Map<NodeId, Map<string, string>>();
  private readonly schema: SharedSchema;
  /** All nodes, including those in the bin. */
  readonly nodes = new Map<NodeId, SharedNode>();
  pending: PendingChanges = { placed: new Set(), keys: new Map() };
  private readonly lists = new Map<NodeId | undefined, NodeId[]>();
  private readonly living = new Set<NodeId>();
  /** The nodes that existed when the world was last updated, in the scene or in the bin. */
  private readonly known = new Set<NodeId>();
  /** The nodes created since. */
  private readonly created = new Set<NodeId>();
  private readonly top: NodeId;
  private readonly bin: NodeId;
  private readonly unsubscribe: () => void;

  constructor(doc: LoroDoc, name: string, schema: SharedSchema) {
    this.doc = doc;
    this.schema = schema;
    this.tree = doc.getTree(name);
    // Without jitter, so that two peers that write the same scene into an empty room write the same operations.
    this.tree.enableFractionalIndex(0);
    const roots = this.tree.roots();
    this.top = (roots[0] ?? this.tree.createNode()).id;
    this.bin = (roots[1] ?? this.tree.createNode()).id;
    this.unsubscribe = doc.subscribe((batch) => {
      if (batch.origin !== OWN && batch.origin !== NEW) this.replay(batch);
    });
    this.load();
  }

  close(): void {
    this.unsubscribe();
  }

  /** Whether a node is in the scene. */
  has(id: NodeId): boolean {
    return this.living.has(id);
  }

  get size(): number {
    return this.living.size;
  }

  /** The nodes of the scene, in no order. */
  ids(): IterableIterator<NodeId> {
    return this.living.keys();
  }

  /** The children of a node; without a parent, the roots of the scene. */
  children(parent: NodeId | undefined): readonly NodeId[] {
    return this.lists.get(parent ?? this.top) ?? [];
  }

  get hasPending(): boolean {
    return this.pending.placed.size > 0 || this.pending.keys.size > 0;
  }

  /** Whether pending changes affect the scene, and not only nodes in the bin. */
  get isAffected(): boolean {
    if (this.pending.placed.size > 0) return true;
    for (const id of this.pending.keys.keys()) if (this.living.has(id)) return true;
    return false;
  }

  /** Whether others may have referred to a node before the last update of the world, even if it has always been in the bin. */
  isKnown(id: NodeId): boolean {
    return this.known.has(id);
  }

  /** Call when the world is up to date. */
  settle(): void {
    for (const id of this.created) this.known.add(id);
    this.created.clear();
    this.pending = { placed: new Set(), keys: new Map() };
  }

  /** The nodes of the scene, parents first, siblings in order. */
  *preOrder(): IterableIterator<SharedNode> {
    const stack = [...this.children(undefined)].reverse();
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      yield this.nodes.get(id) as SharedNode;
      const below = this.children(id);
      for (let k = below.length - 1; k >= 0; k--) stack.push(below[k] as NodeId);
    }
  }

  // Changes of this peer -------------------------------------------------------------------------------------------------

  /** Creates a node that is not in the scene yet. */
  create(): NodeId {
    const list = this.listOf(this.bin);
    const { id } = this.tree.createNode(this.bin, list.length);
    list.push(id);
    this.nodes.set(id, { id, parent: this.bin, data: {} });
    this.known.add(id);
    return id;
  }

  /** Creates a node at its position, for a document that has no other members yet. */
  createAt(parent: NodeId | undefined, after: NodeId | undefined): NodeId {
    const list = this.listOf(parent ?? this.top);
    const index = after === undefined ? 0 : after === list.at(-1) ? list.length : list.indexOf(after) + 1;
    const { id } = this.tree.createNode(parent ?? this.top, index);
    list.splice(index, 0, id);
    this.nodes.set(id, { id, parent, data: {} });
    this.living.add(id);
    this.known.add(id);
    return id;
  }

  /**
   * @param after - The sibling before it; the first position if left out.
   * @returns Whether its position changed.
   */
  move(id: NodeId, parent: NodeId | undefined, after: NodeId | undefined): boolean {
    const node = this.nodes.get(id) as SharedNode;
    const from = this.listOf(node.parent ?? this.top);
    const at = from.indexOf(id);
    if (node.parent === parent && (at === 0 ? undefined : from[at - 1]) === after) return false;
    from.splice(at, 1);
    const list = this.listOf(parent ?? this.top);
    const index = after === undefined ? 0 : list.indexOf(after) + 1;
    this.tree.move(id, parent ?? this.top, index);
    list.splice(index, 0, id);
    node.parent = parent;
    this.flip(id);
    return true;
  }

  /** Removes a node from the scene, with everything below it. Returns all of them. */
  remove(id: NodeId): NodeId[] {
    const { parent } = this.nodes.get(id) as SharedNode;
    const list = this.listOf(parent ?? this.top);
    list.splice(list.indexOf(id), 1);
    const bin = this.listOf(this.bin);
    this.tree.move(id, this.bin, bin.length);
    bin.push(id);
    (this.nodes.get(id) as SharedNode).parent = this.bin;
    return this.flip(id);
  }

  /** Writes values; `undefined` removes a key. Returns whether anything differed. */
  write(id: NodeId, values: NodeData): boolean {
    const node = this.nodes.get(id) as SharedNode;
    let map: LoroMap | undefined;
    for (const key of Object.keys(values)) {
      const value = values[key];
      if (Object.is(node.data[key], value) && !this.misfits.get(id)?.has(key)) continue;
      this.note(id, key, undefined);
      map ??= this.tree.getNodeByID(id)?.data as unknown as LoroMap;
      if (value === undefined) {
        map.delete(key);
        delete node.data[key];
      } else {
        map.set(key, value);
        node.data[key] = value;
      }
    }
    return map !== undefined;
  }

  commit(): void {
    this.doc.commit({ origin: OWN });
  }

  /** Ends a commit that undo leaves alone: nodes were created, or the world responded to undo. */
  commitOutsideSteps(): void {
    this.doc.commit({ origin: NEW });
  }

  // Changes of others ----------------------------------------------------------------------------------------------------

  /** Reads the whole document: one call into the engine for the children of a node, and one for its values. */
  private load(): void {
    const waiting = this.tree.roots();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const children = node.children();
      if (children === undefined) continue;
      const parent = node.id;
      const list = this.listOf(parent);
      for (const child of children) {
        const { id } = child;
        list.push(id);
        this.nodes.set(id, { id, parent: this.outer(parent), data: {} });
        this.take(id, child.data.toJSON() as NodeData);
        waiting.push(child);
      }
    }
    for (const id of this.nodes.keys()) this.created.add(id);
    for (const id of this.children(undefined)) this.flip(id);
    this.settle();
  }

  private replay({ events }: LoroEventBatch): void {
    const created = new Set<NodeId>();
    for (const { target, diff } of events) {
      if (diff.type === "tree" && target === this.tree.id) {
        for (const item of diff.diff) this.replayItem(item, created);
      } else if (diff.type === "map") this.replayValues(nodeOf(target), diff.updated as NodeData);
    }
    // A node removed and added in one batch is listed with only a part of its values.
    for (const id of created) {
      const node = this.nodes.get(id);
      if (node === undefined) continue;
      node.data = {};
      this.take(id, this.tree.getNodeByID(id)?.data.toJSON() as NodeData);
    }
  }

  private replayItem(item: TreeDiffItem, created: Set<NodeId>): void {
    const { target } = item;
    if (item.action !== "create") {
      const list = this.listOf(item.oldParent);
      const index = list[item.oldIndex] === target ? item.oldIndex : list.indexOf(target);
      if (index >= 0) list.splice(index, 1);
    }
    if (item.action === "delete") {
      this.forget(target);
      return;
    }
    const parent = this.outer(item.parent);
    const node = this.nodes.get(target);
    if (item.action === "create") created.add(target);
    if (node === undefined) {
      this.nodes.set(target, { id: target, parent, data: {} });
      this.created.add(target);
    } else node.parent = parent;
    this.listOf(item.parent).splice(item.index, 0, target);
    const wasHere = this.living.has(target);
    if (this.flip(target).length === 0 && wasHere) this.pending.placed.add(target);
  }

  /** The engine removes and re-adds nodes while it orders the changes of several peers. */
  private forget(id: NodeId): void {
    const gone = [id];
    for (let k = 0; k < gone.length; k++) {
      const each = gone[k] as NodeId;
      for (const child of this.lists.get(each) ?? []) gone.push(child);
      this.lists.delete(each);
      this.nodes.delete(each);
      this.misfits.delete(each);
      if (this.living.delete(each)) this.pending.placed.add(each);
    }
  }

  private replayValues(id: NodeId | undefined, updated: { readonly [key: string]: Plain | undefined }): void {
    const node = id === undefined ? undefined : this.nodes.get(id);
    if (node === undefined) return;
    let keys = this.pending.keys.get(node.id);
    if (keys === undefined) {
      keys = new Set();
      this.pending.keys.set(node.id, keys);
    }
    for (const key of Object.keys(updated)) keys.add(key);
    this.take(node.id, updated);
  }

  /** Applies values to the copy. Invalid ones count as missing. */
  private take(id: NodeId, values: { readonly [key: string]: Plain | undefined }): void {
    const { data } = this.nodes.get(id) as SharedNode;
    for (const key of Object.keys(values)) {
      const value = values[key];
      const misfit = value === undefined ? undefined : misfitOf(this.schema, key, value);
      this.note(id, key, misfit);
      if (value === undefined || misfit !== undefined) delete data[key];
      else data[key] = value;
    }
  }

  private note(id: NodeId, key: string, misfit: string | undefined): void {
    const there = this.misfits.get(id);
    if (misfit !== undefined) {
      if (there === undefined) this.misfits.set(id, new Map([[key, misfit]]));
      else there.set(key, misfit);
    } else if (there?.delete(key) && there.size === 0) this.misfits.delete(id);
  }

  /** After a move: a node that entered or left the scene does so with everything below it. Returns all of them. */
  private flip(id: NodeId): NodeId[] {
    const { parent } = this.nodes.get(id) as SharedNode;
    const isHere = parent === undefined || this.living.has(parent);
    if (isHere === this.living.has(id)) return [];
    const flipped = [id];
    for (let k = 0; k < flipped.length; k++) {
      const each = flipped[k] as NodeId;
      if (isHere) this.living.add(each);
      else this.living.delete(each);
      this.pending.placed.add(each);
      for (const child of this.lists.get(each) ?? []) flipped.push(child);
    }
    return flipped;
  }

  private outer(parent: NodeId | undefined): NodeId | undefined {
    return parent === this.top ? undefined : parent;
  }

  private listOf(parent: NodeId | undefined): NodeId[] {
    let list = this.lists.get(parent);
    if (list === undefined) {
      list = [];
      this.lists.set(parent, list);
    }
    return list;
  }

  /** For tests: where the copy differs from the document. */
  differences(): string[] {
    const found: string[] = [];
    const name = this.tree.id.slice("cid:root-".length, -":Tree".length);
    const fresh = new SharedDocument(this.doc, name, this.schema);
    fresh.close();
    if ([...fresh.living].sort().join() !== [...this.living].sort().join()) found.push("other nodes");
    for (const [parent, list] of fresh.lists) {
      if (list.join() !== (this.lists.get(parent) ?? []).join()) found.push(`children of ${parent}`);
    }
    for (const { id, data } of fresh.nodes.values()) {
      const own = this.nodes.get(id)?.data ?? {};
      for (const key of new Set([...Object.keys(data), ...Object.keys(own)])) {
        if (!Object.is(data[key], own[key]))
          found.push(`${id} ${key}: ${own[key]}, ${data[key]} in the document`);
      }
    }
    return found;
  }
}

/** `cid:7@12:Map`, the values of a node, to `7@12`. */
function nodeOf(container: string): NodeId | undefined {
  return container.startsWith("cid:") && !container.startsWith("cid:root-")
    ? (container.slice(4, container.lastIndexOf(":")) as NodeId)
    : undefined;
}
