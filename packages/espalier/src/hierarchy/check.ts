/**
 * Checks all invariants of a hierarchy. For tests and bug reports.
 */

import type { Entity, Finding } from "../ecs/index.ts";
import { INDEX_MASK } from "../ecs/internal.ts";
import { requireTree } from "./arguments.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";
import type { FlatOrder } from "./order/flat-order.ts";
import { DescendantCounts } from "./queries/descendant-counts.ts";

/** Runs and positions are proved for all in forests up to this size, and for a sample of about this many above. */
const PROVED = 4096;

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
  return new Checker(hierarchy).run();
}

class Checker {
  private readonly hierarchy: Hierarchy;
  private readonly alive: ReadonlySet<number>;
  private readonly wrong: Finding[] = [];
  /** Nodes that are in a list, with whose. */
  private readonly listedBy = new Map<number, number>();

  constructor(hierarchy: Hierarchy) {
    this.hierarchy = hierarchy;
    this.alive = new Set(hierarchy.world.entities().map((entity) => entity & INDEX_MASK));
  }

  run(): Finding[] {
    const { hierarchy, wrong } = this;
    for (const parent of [0, ...this.alive]) this.checkList(parent);
    this.checkParents();
    this.checkReach();
    this.checkNames();
    // What is derived from broken links is broken, and walking it may not end.
    if (wrong.length > 0) return wrong;
    this.checkDepths();
    const { order } = treeOf(hierarchy);
    if (order !== undefined) this.checkOrder(order);
    for (const counts of DescendantCounts.allOf(hierarchy))
      for (const message of counts.check()) this.say(message);
    return wrong;
  }

  private say(message: string, node = 0): void {
    const about = node !== 0 && this.alive.has(node) ? { entity: this.entity(node) } : {};
    this.wrong.push({ code: "hierarchy/inconsistent", message, ...about });
  }

  private name(node: number): string {
    return node === 0 ? "the top" : this.hierarchy.label(this.entity(node));
  }

  private entity(node: number): Entity {
    return this.hierarchy.world.handleAt(node);
  }

  /** Neighbours, ends, number and positions of the children of one parent. */
  private checkList(parent: number): void {
    const { hierarchy, wrong, listedBy } = this;
    const { links } = treeOf(hierarchy);
    const before = wrong.length;
    const listed: number[] = [];
    let previous = 0;
    for (let child = links.first(parent); child !== 0; child = links.next(child)) {
      if (!this.alive.has(child)) {
        this.say(`${this.name(parent)} lists a child at place ${child} that is not alive`, parent);
        break;
      }
      if (listedBy.has(child)) {
        const other = this.name(listedBy.get(child) as number);
        this.say(`${this.name(child)} is listed by ${other} and by ${this.name(parent)}`, child);
        break;
      }
      listedBy.set(child, parent);
      if (links.parent(child) !== parent)
        this.say(`${this.name(parent)} lists ${this.name(child)}, whose parent is another`, parent);
      if (links.prev(child) !== previous)
        this.say(`${this.name(child)} does not point back to its previous sibling`, child);
      previous = child;
      listed.push(child);
    }
    if (links.last(parent) !== previous)
      this.say(`the last child of ${this.name(parent)} is not the one its list ends with`, parent);
    if (links.count(parent) !== listed.length)
      this.say(
        `${this.name(parent)} counts ${links.count(parent)} children and lists ${listed.length}`,
        parent,
      );
    const { maxChildren } = hierarchy.limits;
    if (parent !== 0 && maxChildren !== undefined && listed.length > maxChildren)
      this.say(
        `${this.name(parent)} has ${listed.length} children, more than maxChildren (${maxChildren})`,
        parent,
      );
    if (wrong.length === before) this.checkPositions(parent, listed);
  }

  private checkPositions(parent: number, listed: readonly number[]): void {
    const { hierarchy } = this;
    const whose = parent === 0 ? null : this.entity(parent);
    const step = Math.ceil(listed.length / PROVED);
    for (let index = 0; index < listed.length; index += step) {
      const child = this.entity(listed[index]);
      const told = hierarchy.indexOf(child);
      if (told !== index)
        this.say(
          `${hierarchy.label(child)} says it is child ${told} of ${this.name(parent)} and is child ${index}`,
          parent,
        );
      if (hierarchy.childAt(whose, index) !== child)
        this.say(`child ${index} of ${this.name(parent)} is not ${hierarchy.label(child)}`, parent);
    }
  }

  private checkParents(): void {
    const { links } = treeOf(this.hierarchy);
    for (const node of this.alive) {
      const parent = links.parent(node);
      if (parent === -1) this.say(`${this.name(node)} is alive and not in the hierarchy`, node);
      else if (parent !== 0 && !this.alive.has(parent))
        this.say(`${this.name(node)} has a parent that is not alive`, node);
      else if (!this.listedBy.has(node))
        this.say(`${this.name(node)} is not in the list of its parent ${this.name(parent)}`, node);
    }
  }

  /** That the roots lead to everything, once. */
  private checkReach(): void {
    const { links } = treeOf(this.hierarchy);
    const { size } = this.alive;
    let reached = 0;
    let node = links.first(0);
    while (node !== 0 && reached <= size) {
      reached++;
      const first = links.first(node);
      if (first !== 0) {
        node = first;
        continue;
      }
      // A ring of parents has no end either.
      for (let up = 0; node > 0 && links.next(node) === 0 && up <= size; up++) node = links.parent(node);
      node = node > 0 ? links.next(node) : 0;
    }
    if (reached > size) {
      this.say("the roots lead to more entities than there are: some entity is its own ancestor");
    } else if (reached < size) {
      this.say(`the roots lead to ${reached} of ${size} entities: the others form a cycle or have no root`);
    }
  }

  private checkNames(): void {
    const { alive } = this;
    const { names, links } = treeOf(this.hierarchy);
    const indexed = new Set<number>();
    for (const { node, name, parent } of names.entries()) {
      indexed.add(node);
      if (!alive.has(node)) this.say(`the name ${name} leads to place ${node}, which is not alive`);
      else if (names.of(node) !== name)
        this.say(`${this.name(node)} is indexed under another name, ${name}`, node);
      else if (links.parent(node) !== parent)
        this.say(`${this.name(node)} is indexed under a former parent`, node);
    }
    const used = new Map<number, Set<string>>();
    for (const node of alive) {
      const name = names.of(node);
      if (name === undefined) continue;
      const parent = links.parent(node);
      const here = used.get(parent) ?? new Set();
      used.set(parent, here);
      if (names.unique && here.has(name))
        this.say(`${this.name(parent)} has two children named ${JSON.stringify(name)}`, parent);
      here.add(name);
      if (names.hasIndex(parent) && !indexed.has(node))
        this.say(`${this.name(node)} has a name that the index lacks`, node);
    }
  }

  private checkDepths(): void {
    for (const { node, why } of treeOf(this.hierarchy).depths?.wrong() ?? [])
      this.say(`${this.name(node)} ${why}`, node);
    const { maxDepth } = this.hierarchy.limits;
    if (maxDepth === undefined) return;
    for (const root of this.hierarchy.childrenOf(null)) {
      const height = this.hierarchy.heightOf(root);
      if (height > maxDepth)
        this.say(
          `the tree of ${this.hierarchy.label(root)} has ${height} levels, more than maxDepth (${maxDepth})`,
          root & INDEX_MASK,
        );
    }
  }

  /** Parents first; and while the order is exact, that it is the pre-order and that its runs are the subtrees. */
  private checkOrder(order: FlatOrder): void {
    const { wrong, hierarchy } = this;
    const { links } = treeOf(hierarchy);
    order.sync();
    const nodes: number[] = [];
    for (let slot = 1; slot < order.tail; slot++) {
      const node = order.nodeAt[slot];
      if (node === 0) continue;
      nodes.push(node);
      if (!this.alive.has(node)) {
        this.say(`slot ${slot} holds place ${node}, which is not alive`);
        continue;
      }
      if (order.slotOf[node] !== slot)
        this.say(`${this.name(node)} is in slot ${slot}, but slotOf says ${order.slotOf[node]}`, node);
      const parent = links.parent(node);
      const parentSlot = parent === 0 ? 0 : order.slotOf[parent];
      if (parentSlot >= slot)
        this.say(`${this.name(node)} stands before its parent ${this.name(parent)} in the flat order`, node);
      if (order.parentSlot[slot] !== parentSlot) this.say(`slot ${slot} points to a wrong parent slot`);
    }
    if (nodes.length !== this.alive.size)
      this.say(`the flat order holds ${nodes.length} of ${this.alive.size} entities`);
    if (nodes.length !== order.count)
      this.say(`the flat order counts ${order.count} entities and holds ${nodes.length}`);
    if (order.exact && wrong.length === 0) this.checkExact(order, nodes);
  }

  private checkExact(order: FlatOrder, nodes: readonly number[]): void {
    const { links } = treeOf(this.hierarchy);
    // Pre-order with every node behind its parent: the sizes of the subtrees add up from the end.
    const sizes = new Map<number, number>();
    for (let k = nodes.length - 1; k >= 0; k--) {
      const node = nodes[k];
      const size = (sizes.get(node) ?? 0) + 1;
      const parent = links.parent(node);
      sizes.set(node, size);
      sizes.set(parent, (sizes.get(parent) ?? 0) + size);
    }
    let expected = links.first(0);
    let at = 0;
    for (let slot = 1; slot < order.tail; slot++) {
      const node = order.nodeAt[slot];
      if (node === 0) continue;
      if (node !== expected) {
        this.say(`the flat order claims to be exact, but slot ${slot} is not in pre-order`);
        return;
      }
      const size = sizes.get(node) as number;
      const behind = nodes[at + size];
      const end = order.end[slot];
      // Holes behind a subtree may count as part of its run.
      const isRight =
        end > order.slotOf[nodes[at + size - 1]] && (behind === undefined || end <= order.slotOf[behind]);
      if (!isRight) this.say(`the run of ${this.name(node)} does not hold its subtree of ${size}`, node);
      at++;
      expected = this.following(node);
    }
  }

  /** The next node in pre-order, or 0. */
  private following(node: number): number {
    const { links } = treeOf(this.hierarchy);
    const first = links.first(node);
    if (first !== 0) return first;
    let up = node;
    while (up > 0 && links.next(up) === 0) up = links.parent(up);
    return up > 0 ? links.next(up) : 0;
  }
}
