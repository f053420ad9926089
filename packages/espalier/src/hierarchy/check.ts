/**
 * Checks all invariants of a hierarchy. For tests and bug reports.
 */
import { describeValue, type Finding, formatEntity } from "../ecs/index.ts";
import { INDEX_MASK } from "../ecs/internal.ts";
import { requireTree } from "./arguments.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";
import { childNodes } from "./links/measure.ts";
import { heightBelow, nextBelow } from "./links/preorder.ts";
import { labelOf } from "./nodes.ts";
import type { FlatOrder } from "./order/flat-order.ts";
import type { TreeState } from "./state.ts";

/** Positions are proved for all in families up to this size, and for a sample of about this many above. */
const PROVED = 4096;

/** What is wrong, and with which node; none where that cannot be said. */
type Wrong = readonly [message: string, node?: number];

type Nodes = ReadonlySet<number>;

/** What is kept beside a tree and can be wrong. */
interface Kept {
  readonly check?: () => string[];
}

/**
 * Every violation of the invariants, in words; empty when all hold. Costs a few walks over everything.
 *
 * @example
 * ```ts
 * tree.attachNew(world.spawn());
 * checkTree(tree); // → []
 * ```
 */
export function checkTree(hierarchy: Hierarchy): string[] {
  requireTree(hierarchy, "check a tree");
  return findingsIn(hierarchy).map(({ message }) => message);
}

/** The same with the entities that they are about. */
export function findingsIn(hierarchy: Hierarchy): Finding[] {
  const t = treeOf(hierarchy);
  const alive = new Set(t.world.entities().map((entity) => entity & INDEX_MASK));
  const found: Finding[] = [];
  const add = (wrong: Iterable<Wrong>) => {
    for (const [message, node = 0] of wrong) {
      const about = alive.has(node) ? { entity: t.ecs.handleAt(node) } : {};
      found.push({ code: "hierarchy/inconsistent", message, ...about });
    }
  };
  add(wrongLinks(t, alive));
  add(wrongNames(t, alive));
  // What is derived from broken links is broken, and walking it may not end.
  if (found.length > 0) return found;
  add(wrongPositions(t, alive));
  add(wrongDepths(t));
  const { order } = t;
  if (order !== undefined) {
    order.sync();
    const nodes = [...order.nodeAt.subarray(0, order.tail)].filter((node) => node !== 0);
    add(wrongSlots(t, alive, order, nodes));
    if (order.exact && found.length === 0) add(wrongRuns(t, order, nodes));
  }
  for (const kept of t.attachments.values())
    add(((kept as Kept).check?.() ?? []).map((message): Wrong => [message]));
  return found;
}

function nameOf(t: TreeState, node: number): string {
  return node === 0 ? "the top" : labelOf(t, t.ecs.handleAt(node));
}

/** That lists and parents agree, and that the roots lead to everything, once. */
function* wrongLinks(t: TreeState, alive: Nodes): Iterable<Wrong> {
  const { links } = t;
  /** Nodes that are in a list, with the owner of the list. */
  const listedBy = new Map<number, number>();
  for (const parent of [0, ...alive]) yield* wrongList(t, parent, alive, listedBy);
  for (const node of alive) {
    const parent = links.parent(node);
    const name = nameOf(t, node);
    if (parent === -1) yield [`${name} is alive and not in the hierarchy`, node];
    else if (parent !== 0 && !alive.has(parent)) yield [`${name} has a parent that is not alive`, node];
    else if (!listedBy.has(node))
      yield [`${name} is not in the list of its parent ${nameOf(t, parent)}`, node];
    yield* wrongHandles(t, node);
  }
  const { size } = alive;
  const stack = [0];
  let reached = 0;
  // Broken lists may be rings.
  for (let parent = stack.pop(); parent !== undefined; parent = stack.pop()) {
    for (let node = links.first(parent); node !== 0 && reached <= size; node = links.next(node)) {
      reached++;
      stack.push(node);
    }
  }
  if (reached > size)
    yield ["the roots lead to more entities than there are: some entity is its own ancestor"];
  else if (reached < size)
    yield [`the roots lead to ${reached} of ${size} entities: the others form a cycle or have no root`];
}

/** That the record of a node keeps its own handle and that of its parent, where they fit into 32 bits. */
function* wrongHandles({ ecs, links }: TreeState, node: number): Iterable<Wrong> {
  const handle = ecs.handleAt(node);
  const kept = links.handle(node);
  const fits = (handle | 0) === handle;
  if (kept !== (fits ? handle : 0))
    yield [`the links keep ${kept} as the handle of ${formatEntity(handle)}`, node];
  const parent = links.parent(node);
  const above = links.parentHandle(node);
  if (parent > 0 && above > 0 && above !== ecs.handleAt(parent))
    yield [`the links keep ${above} as the parent of ${formatEntity(handle)}`, node];
}

/** Neighbours, ends and number of the children of one parent. */
function* wrongList(
  t: TreeState,
  parent: number,
  alive: Nodes,
  listedBy: Map<number, number>,
): Iterable<Wrong> {
  const { links } = t;
  const owner = nameOf(t, parent);
  let previous = 0;
  let length = 0;
  for (let child = links.first(parent); child !== 0; child = links.next(child)) {
    if (!alive.has(child)) {
      yield [`${owner} lists a child at index ${child} that is not alive`, parent];
      break;
    }
    const other = listedBy.get(child);
    if (other !== undefined) {
      yield [`${nameOf(t, child)} is listed by ${nameOf(t, other)} and by ${owner}`, child];
      break;
    }
    listedBy.set(child, parent);
    if (links.parent(child) !== parent)
      yield [`${owner} lists ${nameOf(t, child)}, whose parent is another`, parent];
    if (links.prev(child) !== previous)
      yield [`${nameOf(t, child)} does not point back to its previous sibling`, child];
    previous = child;
    length++;
  }
  if (links.last(parent) !== previous)
    yield [`the last child of ${owner} is not the one its list ends with`, parent];
  if (links.count(parent) !== length)
    yield [`${owner} counts ${links.count(parent)} children and lists ${length}`, parent];
  const { maxChildren = length } = t.options;
  if (parent !== 0 && length > maxChildren)
    yield [`${owner} has ${length} children, more than maxChildren (${maxChildren})`, parent];
}

function* wrongPositions(t: TreeState, alive: Nodes): Iterable<Wrong> {
  const { positions } = t;
  for (const parent of [0, ...alive]) {
    const listed = childNodes(t, parent);
    const step = Math.ceil(listed.length / PROVED);
    for (let index = 0; index < listed.length; index += step) {
      const child = nameOf(t, listed[index]);
      const owner = nameOf(t, parent);
      const found = positions.indexOf(listed[index]);
      if (found !== index)
        yield [`${child} says it is child ${found} of ${owner} and is child ${index}`, parent];
      if (positions.at(parent, index) !== listed[index])
        yield [`child ${index} of ${owner} is not ${child}`, parent];
    }
  }
}

function* wrongNames(t: TreeState, alive: Nodes): Iterable<Wrong> {
  const { names, links } = t;
  const indexed = new Set<number>();
  for (const [parent, index] of names.indexes) {
    for (const [name, found] of index) {
      for (const node of typeof found === "number" ? [found] : found) {
        indexed.add(node);
        if (!alive.has(node)) yield [`the name ${name} leads to index ${node}, which is not alive`];
        else if (names.of(node) !== name)
          yield [`${nameOf(t, node)} is indexed under another name, ${name}`, node];
        else if (links.parent(node) !== parent)
          yield [`${nameOf(t, node)} is indexed under a former parent`, node];
      }
    }
  }
  const used = new Set<string>();
  for (const node of alive) {
    const name = names.of(node);
    if (name === undefined) continue;
    const parent = links.parent(node);
    const path = `${parent}/${name}`;
    if (names.unique && used.has(path))
      yield [`${nameOf(t, parent)} has two children named ${describeValue(name)}`, parent];
    used.add(path);
    if (names.indexes.has(parent) && !indexed.has(node))
      yield [`${nameOf(t, node)} has a name that the index lacks`, node];
  }
}

function* wrongDepths(t: TreeState): Iterable<Wrong> {
  for (const node of t.depths?.wrong() ?? [])
    yield [`${nameOf(t, node)} is kept at another position in the tour of depths`, node];
  const max = t.options.limits?.max;
  if (max === undefined) return;
  for (const root of childNodes(t, 0)) {
    const height = heightBelow(t.links, root);
    if (height > max)
      yield [`the tree of ${nameOf(t, root)} has ${height} levels, more than its limit (${max})`, root];
  }
}

/** That every node has one slot of the flat order, behind that of its parent. */
function* wrongSlots(
  t: TreeState,
  alive: Nodes,
  order: FlatOrder,
  nodes: readonly number[],
): Iterable<Wrong> {
  for (let slot = 1; slot < order.tail; slot++) {
    const node = order.nodeAt[slot];
    if (node === 0) continue;
    if (!alive.has(node)) {
      yield [`slot ${slot} holds index ${node}, which is not alive`];
      continue;
    }
    if (order.entityAt[slot] !== t.links.handle(node))
      yield [`slot ${slot} of ${nameOf(t, node)} names entity ${order.entityAt[slot]}`, node];
    if (order.slotOf[node] !== slot)
      yield [`${nameOf(t, node)} is in slot ${slot}, but slotOf says ${order.slotOf[node]}`, node];
    const parent = t.links.parent(node);
    const parentSlot = parent === 0 ? 0 : order.slotOf[parent];
    if (parentSlot >= slot)
      yield [`${nameOf(t, node)} stands before its parent ${nameOf(t, parent)} in the flat order`, node];
    if (order.parentSlot[slot] !== parentSlot) yield [`slot ${slot} points to a wrong parent slot`];
  }
  if (nodes.length !== alive.size) yield [`the flat order holds ${nodes.length} of ${alive.size} entities`];
  if (nodes.length !== order.count)
    yield [`the flat order counts ${order.count} entities and holds ${nodes.length}`];
}

/** That an exact order is the pre-order, and that its runs are the subtrees. */
function* wrongRuns(t: TreeState, { slotOf, end }: FlatOrder, nodes: readonly number[]): Iterable<Wrong> {
  const { links } = t;
  let expected = links.first(0);
  for (const node of nodes) {
    if (node !== expected) {
      yield [`the flat order claims to be exact, but slot ${slotOf[node]} is not in pre-order`];
      return;
    }
    expected = nextBelow(links, node, 0);
  }
  // Every node stands behind its parent: the sizes of the subtrees add up from the end.
  const below = new Map<number, number>();
  for (let k = nodes.length - 1; k >= 0; k--) {
    const node = nodes[k];
    const size = (below.get(node) ?? 0) + 1;
    const parent = links.parent(node);
    below.set(parent, (below.get(parent) ?? 0) + size);
    const to = end[slotOf[node]];
    // Holes behind a subtree may count as part of its run.
    if (to <= slotOf[nodes[k + size - 1]] || to > slotOf[nodes[k + size]])
      yield [`the run of ${nameOf(t, node)} does not hold its subtree of ${size}`, node];
  }
}
