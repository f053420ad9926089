/**
 * Linking the nodes of a file: ids, parents, references, and the order in which entities are made.
 */
import { describeValue, shortText } from "../../ecs/internal.ts";
import { formatPath, type Json, type JsonObject } from "../json/json.ts";
import { chainText } from "./chain-text.ts";
import type { Level } from "./level.ts";
import type { IdSuggestions } from "./nearest.ts";
import type { IdScope, SceneNode } from "./node.ts";
import type { Reading } from "./reading.ts";
import type { Report, Source } from "./report.ts";

/** Assigns ids to the own entities of a file. */
export function assignIds(
  nodes: readonly (SceneNode | undefined)[],
  own: readonly number[],
  level: Level,
  report: Report,
): void {
  const { ids } = level;
  let anonymous = false;
  /** What generated ids should resemble, if not the name. */
  const wanted = new Map<SceneNode, string>();
  for (const slot of own) {
    const node = nodes[slot] as SceneNode;
    if (node.ownId === "") {
      anonymous = true;
      continue;
    }
    const { size } = ids;
    ids.set(node.ownId, slot);
    if (ids.size !== size) continue;
    anonymous = true;
    wanted.set(node, node.ownId);
    duplicate(nodes, own, node, report, ids, slot);
  }
  if (anonymous) {
    const make = idMaker((id) => ids.has(id));
    for (const slot of own) {
      const node = nodes[slot] as SceneNode;
      if (node.ownId !== "") continue;
      node.id = make(wanted.get(node) ?? node.name ?? node.rare.instance?.reference);
      ids.set(node.ownId, slot);
    }
  }
  level.indexInstances();
}

function duplicate(
  nodes: readonly (SceneNode | undefined)[],
  own: readonly number[],
  node: SceneNode,
  report: Report,
  ids: Map<string, number>,
  slot: number,
): void {
  // The first owner keeps it; looking for an owner at every id would slow down all files without duplicates.
  const id = node.ownId;
  const first = report.isFull ? slot : (own.find((other) => nodes[other]?.ownId === id) as number);
  ids.set(id, first);
  report.add(
    "scene/duplicate-id",
    node.location("id"),
    `Entity ${describeValue(id)} appears twice, first at ${formatPath((nodes[first] as SceneNode).path())}. Give one of them another id.`,
  );
  node.id = "";
}

/**
 * Generates unused, readable ids: `turret`, `turret-2`, `entity-3`.
 *
 * @returns A function of a name, or the file of a prefab, that the id should resemble.
 */
export function idMaker(isTaken: (id: string) => boolean): (like: string | null | undefined) => string {
  const next = new Map<string, number>();
  return (like) => {
    const base = (like ?? "")
      .replace(/^.*\/(?=[^/]*\.[^/]*$)/, "")
      .replace(/\.(scene|prefab)?\.?jsonc?$/, "")
      .replace(/[\s/]+/g, "-");
    const stem = base === "" ? "entity" : base;
    let number = next.get(stem) ?? 1;
    let id = number === 1 && base !== "" ? stem : `${stem}-${number}`;
    while (isTaken(id)) id = `${stem}-${++number}`;
    next.set(stem, number + 1);
    return id;
  };
}

/** Sets the parent that the file names by id, if it does. */
export function resolveParent(
  node: SceneNode,
  byId: IdScope,
  suggestions: IdSuggestions,
  { report, lenient }: Reading,
): void {
  const { parentId } = node;
  if (parentId === undefined) return;
  const parent = byId.find(parentId);
  if (parent !== undefined) {
    node.parent = parent;
    return;
  }
  report.add(
    "scene/missing-parent",
    node.location("parent"),
    () =>
      `${node.label} has the parent ${describeValue(parentId)}, which is not in the scene. ${suggestions.for(parentId)}`,
  );
  node.parent = -1;
  if (lenient && !node.isInside) node.keep("keys", "parent", parentId);
}

/**
 * The nodes in pre-order, siblings in the order of the file. Entities that are their own ancestors are reported, once
 * per cycle, and made roots.
 *
 * @param sequence - The nodes in the order of siblings, if that is not the order of `nodes`.
 */
export function orderNodes(
  nodes: readonly SceneNode[],
  byId: IdScope,
  report: Report,
  source: Source,
  sequence: Int32Array | undefined,
): { readonly order: Int32Array; readonly children: ChildLists } {
  let children = new ChildLists(nodes, sequence);
  const order = new Int32Array(nodes.length);
  const count = children.preorder(order);
  if (count < nodes.length) {
    breakCycles(nodes, nodes.keys(), report, -1);
    children = new ChildLists(nodes, sequence);
  }
  let reordered = count < nodes.length;
  const apply = (index: number, wanted: readonly Json[]) => {
    children.reorder(index, wantedOrder(index, wanted, children.of(index), { nodes, byId, report, source }));
    reordered = true;
  };
  const { order: rootOrder } = source.value as JsonObject;
  if (Array.isArray(rootOrder)) apply(-1, rootOrder);
  for (let k = 0; k < nodes.length; k++) {
    const wanted = nodes[k].rare.order;
    if (wanted !== undefined) apply(k, wanted);
  }
  if (reordered) children.preorder(order);
  return { order, children };
}

interface OrderHost {
  readonly nodes: readonly (SceneNode | undefined)[];
  readonly report: Report;
  readonly source: Source;
  readonly byId: IdScope;
}

/** The children of node `index` in the order given in the file, by ids or names; those it does not name come last. */
export function wantedOrder(
  index: number,
  wanted: readonly Json[],
  children: readonly number[],
  { nodes, byId, report, source }: OrderHost,
): number[] {
  const listed = new Set<number>();
  const named = new Map<unknown, number>();
  for (let k = children.length - 1; k >= 0; k--) named.set(nodes[children[k]]?.name, children[k]);
  const isChild = (child: number | undefined) => child !== undefined && nodes[child]?.parent === index;
  wanted.forEach((id, at) => {
    let child: number | undefined;
    if (typeof id === "string") {
      child = byId.find(id);
      if (!isChild(child)) child = named.get(id) ?? child;
    }
    if (child !== undefined && isChild(child) && !listed.has(child)) {
      listed.add(child);
      return;
    }
    const parent = nodes[index];
    const location = parent === undefined ? { source, path: ["order", at] } : parent.location("order", at);
    const expected = parent === undefined ? "a root" : `a child of ${parent.label.replace("Entity ", "")}`;
    const why = child !== undefined && listed.has(child) ? "is listed twice" : `is not ${expected}`;
    report.add("scene/wrong-shape", location, `order names ${describeValue(id)}, which ${why}. Remove it.`);
  });
  return [...listed, ...children.filter((child) => !listed.has(child))];
}

/** For each node, and for -1 the roots, the list of children. */
export class ChildLists {
  readonly first: Int32Array;
  readonly next: Int32Array;
  private readonly nodes: readonly SceneNode[];

  /** @param sequence - The nodes in the order of siblings; that of `nodes` if left out. */
  constructor(nodes: readonly SceneNode[], sequence?: Int32Array) {
    this.nodes = nodes;
    // Shifted by one, so that 0 stands above the roots and the end of a list is 0.
    this.first = new Int32Array(nodes.length + 1);
    this.next = new Int32Array(nodes.length + 1);
    for (let at = nodes.length - 1; at >= 0; at--) {
      const k = sequence === undefined ? at : sequence[at];
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

  /** Fills `order` with all nodes reachable from the roots; returns their number. */
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

/**
 * Finds entities that are their own ancestors and reports them, once per cycle. They get the parent `top`.
 *
 * @param from - Where to look: these nodes and their ancestors.
 */
export function breakCycles(
  nodes: readonly (SceneNode | undefined)[],
  from: Iterable<number>,
  report: Report,
  top: number,
): void {
  const done = new Map<number, boolean>();
  for (const start of from) {
    const walked: number[] = [];
    let at = start;
    for (; at >= 0 && !done.has(at); at = (nodes[at] as SceneNode).parent) {
      done.set(at, false);
      walked.push(at);
    }
    if (at >= 0 && done.get(at) === false) {
      reportCycle(nodes, at, report);
      (nodes[at] as SceneNode).parent = at === top ? -1 : top;
    }
    for (const index of walked) done.set(index, true);
  }
}

/** Reports that a node is its own ancestor. */
function reportCycle(nodes: readonly (SceneNode | undefined)[], start: number, report: Report): void {
  // From the entity down to itself, in reading order of paths, while parents lead up.
  const ids: string[] = [];
  let at = start;
  do {
    at = (nodes[at] as SceneNode).parent;
    ids.push(shortText((nodes[at] as SceneNode).id));
  } while (at !== start);
  ids.reverse();
  const node = nodes[start] as SceneNode;
  report.add(
    "scene/cycle",
    node.location("parent"),
    `${node.label} is its own ancestor: ${chainText([...ids, ids[0]])}. Give one of them a parent outside the cycle, or none.`,
  );
}
