/**
 * Proves that a hierarchy is what it claims to be. For tests, for bug reports, and after anything that frightened you.
 */
import type { Entity } from "../ecs/index.ts";
import type { FlatOrder } from "./flat-order.ts";
import type { Hierarchy } from "./hierarchy.ts";

/** Every violation of the invariants, in words; empty when all hold. Costs a few walks over everything. */
export function check(hierarchy: Hierarchy): string[] {
  const wrong: string[] = [];
  const { links, world } = hierarchy;
  const alive = new Set(world.entities().map((entity) => entity & 0x3fffff));
  const name = (node: number) => (node === 0 ? "the top" : hierarchy.label(world.handleAt(node)));
  const seen = new Map<number, number>();

  for (const parent of [0, ...alive]) {
    const listed: number[] = [];
    let previous = 0;
    for (let child = links.first(parent); child !== 0; child = links.next(child)) {
      if (!alive.has(child)) {
        wrong.push(`${name(parent)} lists a child at place ${child} that is not alive`);
        break;
      }
      if (seen.has(child)) {
        wrong.push(`${name(child)} is listed by ${name(seen.get(child) as number)} and by ${name(parent)}`);
        break;
      }
      seen.set(child, parent);
      if (links.parent(child) !== parent)
        wrong.push(`${name(parent)} lists ${name(child)}, whose parent is another`);
      if (links.prev(child) !== previous)
        wrong.push(`${name(child)} does not point back to its previous sibling`);
      previous = child;
      listed.push(child);
    }
    if (links.last(parent) !== previous)
      wrong.push(`the last child of ${name(parent)} is not the one its list ends with`);
    if (links.count(parent) !== listed.length) {
      wrong.push(`${name(parent)} counts ${links.count(parent)} children and lists ${listed.length}`);
    }
    const { maxChildren } = hierarchy.limits;
    if (parent !== 0 && maxChildren !== undefined && listed.length > maxChildren) {
      wrong.push(`${name(parent)} has ${listed.length} children, more than maxChildren (${maxChildren})`);
    }
    listed.forEach((child, index) => {
      const told =
        listed.length <= 2000 || index % 97 === 0 ? hierarchy.indexOf(world.handleAt(child)) : index;
      if (told !== index)
        wrong.push(`${name(child)} says it is child ${told} of ${name(parent)} and is child ${index}`);
    });
  }
  for (const node of alive) {
    const parent = links.parent(node);
    if (parent === -1) wrong.push(`${name(node)} is alive and not in the hierarchy`);
    else if (parent !== 0 && !alive.has(parent)) wrong.push(`${name(node)} has a parent that is not alive`);
    else if (!seen.has(node)) wrong.push(`${name(node)} is not in the list of its parent ${name(parent)}`);
  }
  const reached = reachable(hierarchy, alive.size + 1);
  if (reached !== alive.size) {
    wrong.push(
      reached > alive.size
        ? "the roots lead to more entities than there are: some entity is its own ancestor"
        : `the roots lead to ${reached} of ${alive.size} entities: the others form a ring or hang in the air`,
    );
  }
  checkNames(hierarchy, alive, wrong, name);
  if (hierarchy.hasOrder && wrong.length === 0) checkOrder(hierarchy, hierarchy.order, alive, wrong, name);
  return wrong;
}

/** How many nodes the roots lead to, at most `limit`. */
function reachable(hierarchy: Hierarchy, limit: number): number {
  const { links } = hierarchy;
  let count = 0;
  let node = links.first(0);
  while (node !== 0 && count < limit) {
    count++;
    const first = links.first(node);
    if (first !== 0) {
      node = first;
      continue;
    }
    while (node > 0 && links.next(node) === 0) node = links.parent(node);
    node = node > 0 ? links.next(node) : 0;
  }
  return count;
}

function checkNames(
  hierarchy: Hierarchy,
  alive: ReadonlySet<number>,
  wrong: string[],
  name: (node: number) => string,
): void {
  const { names, links } = hierarchy;
  const indexed = new Set<number>();
  for (const entry of names.entries()) {
    indexed.add(entry.node);
    if (!alive.has(entry.node))
      wrong.push(`the name ${entry.name} leads to place ${entry.node}, which is not alive`);
    else if (names.of(entry.node) !== entry.name)
      wrong.push(`${name(entry.node)} is indexed under another name, ${entry.name}`);
    else if (links.parent(entry.node) !== entry.parent)
      wrong.push(`${name(entry.node)} is indexed under a former parent`);
  }
  for (const node of alive) {
    if (names.of(node) !== undefined && !indexed.has(node))
      wrong.push(`${name(node)} has a name that the index lacks`);
  }
}

function checkOrder(
  hierarchy: Hierarchy,
  order: FlatOrder,
  alive: ReadonlySet<number>,
  wrong: string[],
  name: (node: number) => string,
): void {
  const { links } = hierarchy;
  order.sync();
  let count = 0;
  for (let slot = 1; slot < order.tail; slot++) {
    const node = order.nodeAt[slot];
    if (node === 0) continue;
    count++;
    if (!alive.has(node)) wrong.push(`slot ${slot} holds place ${node}, which is not alive`);
    if (order.slotOf[node] !== slot)
      wrong.push(`${name(node)} stands in slot ${slot} and believes to stand in ${order.slotOf[node]}`);
    const parent = links.parent(node);
    const parentSlot = parent === 0 ? 0 : order.slotOf[parent];
    if (parentSlot >= slot)
      wrong.push(`${name(node)} stands before its parent ${name(parent)} in the flat order`);
    if (order.parentSlot[slot] !== parentSlot) wrong.push(`slot ${slot} points to a wrong parent slot`);
  }
  if (count !== alive.size) wrong.push(`the flat order holds ${count} of ${alive.size} entities`);
  if (count !== order.count) wrong.push(`the flat order counts ${order.count} entities and holds ${count}`);
  if (!order.exact) return;
  for (let slot = 1; slot < order.tail; slot++) {
    const node = order.nodeAt[slot];
    if (node === 0) continue;
    const size = hierarchy.descendantCount(world(hierarchy, node)) + 1;
    let inside = 0;
    for (let s = slot; s < order.end[slot]; s++) if (order.nodeAt[s] !== 0) inside++;
    if (inside !== size) wrong.push(`the run of ${name(node)} holds ${inside} entities, its subtree ${size}`);
    // Proving every run costs the square of the depth; large forests get a sample.
    if (order.tail > 5000) slot += 96;
  }
}

function world(hierarchy: Hierarchy, node: number): Entity {
  return hierarchy.world.handleAt(node);
}
