/**
 * How the nodes of a file hang together: ids, parents, references, and the order in which entities are made.
 */
import { formatPath, type Json } from "../json/json.ts";
import type { IdSuggestions } from "./nearest.ts";
import type { SceneNode } from "./node.ts";
import { NodeIds } from "./node-ids.ts";
import type { Report, Source } from "./report.ts";

/**
 * Gives every node its id and returns the index of each id.
 *
 * @param reused - The nodes are those of a prefab, of which few ids are ever asked for.
 */
export function assignIds(nodes: readonly SceneNode[], report: Report, reused: boolean): NodeIds {
  const byId = new NodeIds();
  let anonymous = false;
  /** What generated ids should resemble, where it is not the name. */
  const wanted = new Map<SceneNode, string>();
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k];
    if (node.owner !== undefined) continue;
    if (node.id === "") {
      anonymous = true;
      continue;
    }
    const size = byId.size;
    byId.set(node.id, k);
    if (byId.size !== size) continue;
    anonymous = true;
    wanted.set(node, node.id);
    duplicate(nodes, node, report, byId, k);
  }
  if (anonymous) {
    const names = new IdMaker((id) => byId.has(id));
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      if (node.owner !== undefined || node.id !== "") continue;
      node.id = names.make(wanted.get(node) ?? node.name ?? node.instance?.reference);
      byId.set(node.id, k);
    }
  }
  if (reused) {
    byId.await(nodes);
    return byId;
  }
  for (let k = 0; k < nodes.length; k++) {
    if (nodes[k].owner === undefined) continue;
    nodes[k].keepId();
    byId.set(nodes[k].id, k);
  }
  return byId;
}

function duplicate(
  nodes: readonly SceneNode[],
  node: SceneNode,
  report: Report,
  byId: Map<string, number>,
  index: number,
): void {
  // Its first owner keeps it; asking for that one at every id would slow down all files without duplicates.
  const first = report.isFull ? index : nodes.findIndex((other) => other.id === node.id);
  byId.set(node.id, first);
  report.add(
    "scene/duplicate-id",
    node.place("id"),
    `Entity ${JSON.stringify(node.id)} is there twice, first at ${formatPath(nodes[first].path())}. Give one of them another id.`,
  );
  node.id = "";
}

/** Makes ids that people can read and that are unused: `turret`, `turret-2`, `entity-3`. */
export class IdMaker {
  private readonly isTaken: (id: string) => boolean;
  private readonly next = new Map<string, number>();

  constructor(isTaken: (id: string) => boolean) {
    this.isTaken = isTaken;
  }

  /** @param like - A name or the file of a prefab that the id should resemble. */
  make(like: string | null | undefined): string {
    const base = (like ?? "")
      .replace(/^.*\/(?=[^/]*\.[^/]*$)/, "")
      .replace(/\.(scene|prefab)?\.?jsonc?$/, "")
      .replace(/[\s/]+/g, "-");
    const stem = base === "" ? "entity" : base;
    let number = this.next.get(stem) ?? 1;
    let id = number === 1 && base !== "" ? stem : `${stem}-${number}`;
    while (this.isTaken(id)) id = `${stem}-${++number}`;
    this.next.set(stem, number + 1);
    return id;
  }
}

/** Sets the parents that the file names by id. */
export function resolveParents(
  nodes: readonly SceneNode[],
  byId: ReadonlyMap<string, number>,
  suggestions: IdSuggestions,
  report: Report,
  lenient: boolean,
): void {
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k];
    const { parentId } = node;
    if (parentId === undefined) continue;
    const parent = byId.get(parentId);
    if (parent !== undefined) {
      node.parent = parent;
      continue;
    }
    report.add(
      "scene/missing-parent",
      node.place("parent"),
      () =>
        `${node.label} has the parent ${JSON.stringify(parentId)}, which is not in the scene. ${suggestions.for(parentId)}`,
    );
    node.parent = -1;
    if (lenient && node.owner === undefined) node.keepKey("parent", parentId);
  }
}

/**
 * The nodes in pre-order, siblings in the order of the file. Entities that are their own ancestors are reported, once
 * per circle, and made roots.
 */
export function orderNodes(
  nodes: readonly SceneNode[],
  byId: ReadonlyMap<string, number>,
  rootOrder: readonly Json[] | undefined,
  report: Report,
  source: Source,
): { readonly order: Int32Array; readonly children: ChildLists } {
  let children = new ChildLists(nodes);
  const order = new Int32Array(nodes.length);
  const count = children.preorder(order);
  if (count < nodes.length) {
    breakCycles(nodes, order, count, report);
    children = new ChildLists(nodes);
  }
  let reordered = count < nodes.length;
  if (rootOrder !== undefined)
    reordered = applyOrder(-1, rootOrder, nodes, byId, children, report, source) || reordered;
  for (let k = 0; k < nodes.length; k++) {
    const wanted = nodes[k].order;
    if (wanted !== undefined)
      reordered = applyOrder(k, wanted, nodes, byId, children, report, source) || reordered;
  }
  if (reordered) children.preorder(order);
  return { order, children };
}

/** Puts the children of node `index` into the order that the file asks for, by ids or names; those it does not name come last. */
function applyOrder(
  index: number,
  wanted: readonly Json[],
  nodes: readonly SceneNode[],
  byId: ReadonlyMap<string, number>,
  children: ChildLists,
  report: Report,
  source: Source,
): boolean {
  const listed = new Set<number>();
  const named = new Map<unknown, number>();
  for (const child of children.of(index).reverse()) named.set(nodes[child].name, child);
  const find = (id: string) => {
    const child = byId.get(id);
    return child !== undefined && nodes[child].parent === index ? child : (named.get(id) ?? child);
  };
  wanted.forEach((id, at) => {
    const child = typeof id === "string" ? find(id) : undefined;
    if (child !== undefined && nodes[child].parent === index && !listed.has(child)) {
      listed.add(child);
      return;
    }
    const place = index < 0 ? { source, path: ["order", at] } : nodes[index].place("order", at);
    const whose = index < 0 ? "a root" : `a child of ${nodes[index].label.replace("Entity ", "")}`;
    const why = child !== undefined && listed.has(child) ? "is listed twice" : `is not ${whose}`;
    report.add("scene/wrong-shape", place, `order names ${JSON.stringify(id)}, which ${why}. Remove it.`);
  });
  const rest = children.of(index).filter((child) => !listed.has(child));
  children.reorder(index, [...listed, ...rest]);
  return true;
}

/** For each node, and for -1 the roots, the list of children. */
export class ChildLists {
  readonly first: Int32Array;
  readonly next: Int32Array;
  private readonly nodes: readonly SceneNode[];

  constructor(nodes: readonly SceneNode[]) {
    this.nodes = nodes;
    // Shifted by one, so that 0 stands above the roots and the end of a list is 0.
    this.first = new Int32Array(nodes.length + 1);
    this.next = new Int32Array(nodes.length + 1);
    for (let k = nodes.length - 1; k >= 0; k--) {
      const parent = nodes[k].parent + 1;
      this.next[k + 1] = this.first[parent];
      this.first[parent] = k + 1;
    }
  }

  /** Indices of the children of node `index`; -1 for the roots. */
  of(index: number): number[] {
    const found: number[] = [];
    for (let child = this.first[index + 1]; child !== 0; child = this.next[child]) found.push(child - 1);
    return found;
  }

  /** Puts children into another order. */
  reorder(index: number, children: readonly number[]): void {
    let last = 0;
    for (const child of children) {
      if (last === 0) this.first[index + 1] = child + 1;
      else this.next[last] = child + 1;
      last = child + 1;
    }
    if (last !== 0) this.next[last] = 0;
  }

  /** Fills `order` with all nodes that the roots lead to; their number. */
  preorder(order: Int32Array): number {
    const { first, next, nodes } = this;
    let count = 0;
    let at = first[0];
    while (at !== 0) {
      order[count++] = at - 1;
      if (first[at] !== 0) {
        at = first[at];
        continue;
      }
      while (at !== 0 && next[at] === 0) at = nodes[at - 1].parent + 1;
      if (at !== 0) at = next[at];
    }
    return count;
  }
}

function breakCycles(nodes: readonly SceneNode[], order: Int32Array, reached: number, report: Report): void {
  const state = new Uint8Array(nodes.length);
  for (let k = 0; k < reached; k++) state[order[k]] = 2;
  for (let k = 0; k < nodes.length; k++) {
    const walked: number[] = [];
    let at = k;
    for (; at >= 0 && state[at] === 0; at = nodes[at].parent) {
      state[at] = 1;
      walked.push(at);
    }
    if (at >= 0 && state[at] === 1) reportCycle(nodes, at, report);
    for (const index of walked) state[index] = 2;
  }
}

function reportCycle(nodes: readonly SceneNode[], start: number, report: Report): void {
  // From the entity down to itself, as paths are read, while parents lead up.
  const ids: string[] = [];
  let at = start;
  do {
    at = nodes[at].parent;
    ids.push(nodes[at].id);
  } while (at !== start);
  ids.reverse();
  const shown =
    ids.length <= 12 ? ids : [...ids.slice(0, 6), `… ${ids.length - 12} more …`, ...ids.slice(-6)];
  const node = nodes[start];
  report.add(
    "scene/cycle",
    node.place("parent"),
    `${node.label} is its own ancestor: ${[...shown, ids[0]].join(" > ")}. Give one of them a parent outside the circle, or none.`,
  );
  node.parent = -1;
}
