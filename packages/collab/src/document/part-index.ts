/**
 * Which nodes are the parts of which instances of prefabs. A function of the document alone, so that all peers agree: if two nodes
 * claim to be the same part, the one with the lower id is used.
 */
import { OF, PART, PREFAB } from "./keys.ts";
import type { NodeId, SharedDocument } from "./shared-document.ts";

export interface PartOf {
  readonly root: NodeId;
  readonly part: string;
}

export class PartIndex {
  private readonly document: SharedDocument;
  /** By instance and part: the nodes that claim to be it. */
  private readonly claims = new Map<NodeId, Map<string, Set<NodeId>>>();
  private readonly noted = new Map<NodeId, PartOf>();
  /** The nodes that are instances, to see when one is none any more. */
  private readonly instances = new Set<NodeId>();

  constructor(document: SharedDocument) {
    this.document = document;
  }

  /** Updates the index for a node. Returns the affected instances. */
  update(id: NodeId): NodeId[] {
    const data = this.document.nodes.get(id)?.data;
    const root = data?.[OF] as NodeId | undefined;
    const part = data?.[PART] as string | undefined;
    const before = this.noted.get(id);
    const affected: NodeId[] = [];
    if (before !== undefined && (before.root !== root || before.part !== part)) {
      this.claims.get(before.root)?.get(before.part)?.delete(id);
      this.noted.delete(id);
      affected.push(before.root);
    }
    if (root !== undefined && part !== undefined) {
      affected.push(root);
      if (!this.noted.has(id)) {
        let parts = this.claims.get(root);
        if (parts === undefined) {
          parts = new Map();
          this.claims.set(root, parts);
        }
        const same = parts.get(part);
        if (same === undefined) parts.set(part, new Set([id]));
        else same.add(id);
        this.noted.set(id, { root, part });
      }
    }
    const isInstance = data?.[PREFAB] !== undefined;
    if (isInstance || this.instances.has(id) || this.claims.has(id)) affected.push(id);
    if (isInstance) this.instances.add(id);
    else this.instances.delete(id);
    return affected;
  }

  /** The instance that a node is a part of; `undefined` if that was removed, or is no longer an instance. */
  partOf(id: NodeId): PartOf | undefined {
    const noted = this.noted.get(id);
    if (noted === undefined || !this.document.has(noted.root) || this.noted.has(noted.root)) return undefined;
    if (this.document.nodes.get(noted.root)?.data[PREFAB] === undefined) return undefined;
    return this.usedOf(this.claims.get(noted.root)?.get(noted.part) ?? []) === id ? noted : undefined;
  }

  /** The nodes of an instance's parts that are in the scene, except its root. */
  partsOf(root: NodeId): Map<string, NodeId> {
    const found = new Map<string, NodeId>();
    for (const [part, nodes] of this.claims.get(root) ?? []) {
      const used = this.usedOf(nodes);
      if (used !== undefined) found.set(part, used);
    }
    return found;
  }

  /** The node that is used, of those that claim to be the same part. */
  private usedOf(nodes: Iterable<NodeId>): NodeId | undefined {
    let best: NodeId | undefined;
    for (const id of nodes) if (this.document.has(id) && (best === undefined || id < best)) best = id;
    return best;
  }

  /** All nodes that claim to be parts of an instance, even if another node is used for that part. */
  *claimsOf(root: NodeId): IterableIterator<NodeId> {
    for (const nodes of this.claims.get(root)?.values() ?? []) yield* nodes;
  }
}
