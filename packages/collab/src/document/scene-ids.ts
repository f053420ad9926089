/**
 * The id of every node in the scene's file. A function of the document alone: if two peers gave the same id to different nodes, the
 * node with the lower id keeps it, and the other gets one derived from its own, which no other node wants.
 */
import { ID } from "./keys.ts";
import type { PartIndex } from "./part-index.ts";
import type { NodeId, SharedDocument } from "./shared-document.ts";

export class SceneIds {
  private readonly document: SharedDocument;
  private readonly parts: PartIndex;
  private readonly nodesOf = new Map<string, Set<NodeId>>();
  private readonly wantedBy = new Map<NodeId, string>();

  constructor(document: SharedDocument, parts: PartIndex) {
    this.document = document;
    this.parts = parts;
  }

  /** Updates the ids for a node. Returns the nodes whose id may have changed. */
  update(id: NodeId): Iterable<NodeId> {
    const wanted = this.document.has(id) ? this.wanted(id) : undefined;
    const before = this.wantedBy.get(id);
    if (wanted === before) return wanted === undefined ? [] : [id];
    const affected = new Set<NodeId>([id]);
    if (before !== undefined) {
      this.wantedBy.delete(id);
      const others = this.nodesOf.get(before);
      others?.delete(id);
      for (const other of others ?? []) affected.add(other);
      this.addDerived(before, affected);
    }
    if (wanted !== undefined) {
      this.wantedBy.set(id, wanted);
      let others = this.nodesOf.get(wanted);
      if (others === undefined) {
        others = new Set();
        this.nodesOf.set(wanted, others);
      }
      others.add(id);
      for (const other of others) affected.add(other);
      this.addDerived(wanted, affected);
    }
    return affected;
  }

  /** The id in the file. */
  of(id: NodeId): string {
    const part = this.parts.partOf(id);
    if (part !== undefined) return `${this.of(part.root)}/${part.part}`;
    const wanted = this.wantedBy.get(id) ?? this.wanted(id) ?? suffixOf(id);
    for (const other of this.nodesOf.get(wanted) ?? []) if (other < id) return this.derived(wanted, id);
    return wanted;
  }

  /** Derived ids of two nodes differ, because each ends with the number of its node. */
  private derived(wanted: string, id: NodeId): string {
    let derived = wanted;
    do derived = `${derived}-${suffixOf(id)}`;
    while (this.isWanted(derived));
    return derived;
  }

  /**
   * An id, similar to a name, that no node has and that is not in `given`.
   *
   * @param counts - Where to continue counting, by name: otherwise ten thousand entities without names would try "entity-2" ten
   *   thousand times.
   */
  unused(like: string | undefined, given: ReadonlySet<string>, counts: Map<string, number>): string {
    const base = (like ?? "entity").trim().replaceAll(/[/\s]+/g, "-") || "entity";
    for (let k = counts.get(base) ?? 1; ; k++) {
      const id = k === 1 ? base : `${base}-${k}`;
      if (given.has(id) || this.isWanted(id)) continue;
      counts.set(base, k + 1);
      return id;
    }
  }

  private isWanted(id: string): boolean {
    return (this.nodesOf.get(id)?.size ?? 0) > 0;
  }

  /** Adds the node whose derived id may be this one. */
  private addDerived(id: string, affected: Set<NodeId>): void {
    const node = nodeOf(id);
    if (node !== undefined && this.wantedBy.has(node)) affected.add(node);
  }

  private wanted(id: NodeId): string | undefined {
    if (this.parts.partOf(id) !== undefined) return undefined;
    return (this.document.nodes.get(id)?.data[ID] as string | undefined) ?? suffixOf(id);
  }
}

/** Converts `12@345` to a short string. */
function suffixOf(id: NodeId): string {
  const [counter = "0", peer = "0"] = id.split("@");
  return `n${Number(counter).toString(36)}-${BigInt(peer).toString(36)}`;
}

/** The node whose suffix is at the end of an id. Members choose ids, so only the digits of 64 bits are read. */
function nodeOf(id: string): NodeId | undefined {
  const [, counter, peer] = /-n([0-9a-z]{1,13})-([0-9a-z]{1,13})$/.exec(id) ?? [];
  if (counter === undefined || peer === undefined) return undefined;
  const digits = [...peer].reduce((number, digit) => number * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  return `${Number.parseInt(counter, 36)}@${digits}` as NodeId;
}
