/**
 * Checks all invariants of a hierarchy. For tests and bug reports.
 */

import type { Entity } from "../ecs/index.ts";
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
 * ```ts no-run
 * import { checkTree } from "espalier/hierarchy";
 *
 * tree.attachNew(world.spawn());
 * checkTree(tree); // → []
 * ```
 */
export function checkTree(hierarchy: Hierarchy): string[] {
  requireTree(hierarchy, "check a tree");
  return new Checker(hierarchy).run();
}

class Checker {
  private readonly hierarchy: Hierarchy;
  private readonly alive: ReadonlySet<number>;
  private readonly wrong: string[] = [];
  /** Nodes that are in a list, with whose. */
  private readonly listedBy = new Map<number, number>();

  constructor(hierarchy: Hierarchy) {
    this.hierarchy = hierarchy;
    this.alive = new Set(hierarchy.world.entities().map((entity) => entity & INDEX_MASK));
  }

  run(): string[] {
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
    for (const counts of DescendantCounts.allOf(hierarchy)) wrong.push(...counts.check());
    return wrong;
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
        wrong.push(`${this.name(parent)} lists a child at place ${child} that is not alive`);
        break;
      }
      if (listedBy.has(child)) {
        const other = this.name(listedBy.get(child) as number);
        wrong.push(`${this.name(child)} is listed by ${other} and by ${this.name(parent)}`);
        break;
      }
      listedBy.set(child, parent);
      if (links.parent(child) !== parent)
        wrong.push(`${this.name(parent)} lists ${this.name(child)}, whose parent is another`);
      if (links.prev(child) !== previous)
        wrong.push(`${this.name(child)} does not point back to its previous sibling`);
      previous = child;
      listed.push(child);
    }
    if (links.last(parent) !== previous)
      wrong.push(`the last child of ${this.name(parent)} is not the one its list ends with`);
    if (links.count(parent) !== listed.length)
      wrong.push(`${this.name(parent)} counts ${links.count(parent)} children and lists ${listed.length}`);
    const { maxChildren } = hierarchy.limits;
    if (parent !== 0 && maxChildren !== undefined && listed.length > maxChildren)
      wrong.push(
        `${this.name(parent)} has ${listed.length} children, more than maxChildren (${maxChildren})`,
      );
    if (wrong.length === before) this.checkPositions(parent, listed);
  }

  private checkPositions(parent: number, listed: readonly number[]): void {
    const { hierarchy, wrong } = this;
    const whose = parent === 0 ? null : this.entity(parent);
    const step = Math.ceil(listed.length / PROVED);
    for (let index = 0; index < listed.length; index += step) {
      const child = this.entity(listed[index]);
      const told = hierarchy.indexOf(child);
      if (told !== index)
        wrong.push(
          `${hierarchy.label(child)} says it is child ${told} of ${this.name(parent)} and is child ${index}`,
        );
      if (hierarchy.childAt(whose, index) !== child)
        wrong.push(`child ${index} of ${this.name(parent)} is not ${hierarchy.label(child)}`);
    }
  }

  private checkParents(): void {
    const { links } = treeOf(this.hierarchy);
    for (const node of this.alive) {
      const parent = links.parent(node);
      if (parent === -1) this.wrong.push(`${this.name(node)} is alive and not in the hierarchy`);
      else if (parent !== 0 && !this.alive.has(parent))
        this.wrong.push(`${this.name(node)} has a parent that is not alive`);
      else if (!this.listedBy.has(node))
        this.wrong.push(`${this.name(node)} is not in the list of its parent ${this.name(parent)}`);
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
      this.wrong.push("the roots lead to more entities than there are: some entity is its own ancestor");
    } else if (reached < size) {
      this.wrong.push(
        `the roots lead to ${reached} of ${size} entities: the others form a cycle or have no root`,
      );
    }
  }

  private checkNames(): void {
    const { wrong, alive } = this;
    const { names, links } = treeOf(this.hierarchy);
    const indexed = new Set<number>();
    const used = new Map<number, Set<string>>();
    for (const { node, name, parent } of names.entries()) {
      indexed.add(node);
      const here = used.get(parent) ?? new Set();
      used.set(parent, here);
      if (names.unique && here.has(name))
        wrong.push(`${this.name(parent)} has two children named ${JSON.stringify(name)}`);
      here.add(name);
      if (!alive.has(node)) wrong.push(`the name ${name} leads to place ${node}, which is not alive`);
      else if (names.of(node) !== name)
        wrong.push(`${this.name(node)} is indexed under another name, ${name}`);
      else if (links.parent(node) !== parent)
        wrong.push(`${this.name(node)} is indexed under a former parent`);
    }
    for (const node of alive) {
      if (names.of(node) !== undefined && !indexed.has(node))
        wrong.push(`${this.name(node)} has a name that the index lacks`);
    }
  }

  private checkDepths(): void {
    for (const { node, why } of treeOf(this.hierarchy).depths?.wrong() ?? [])
      this.wrong.push(`${this.name(node)} ${why}`);
    const { maxDepth } = this.hierarchy.limits;
    if (maxDepth === undefined) return;
    for (const root of this.hierarchy.childrenOf(null)) {
      const height = this.hierarchy.heightOf(root);
      if (height > maxDepth)
        this.wrong.push(
          `the tree of ${this.hierarchy.label(root)} has ${height} levels, more than maxDepth (${maxDepth})`,
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
        wrong.push(`slot ${slot} holds place ${node}, which is not alive`);
        continue;
      }
      if (order.slotOf[node] !== slot)
        wrong.push(`${this.name(node)} is in slot ${slot}, but slotOf says ${order.slotOf[node]}`);
      const parent = links.parent(node);
      const parentSlot = parent === 0 ? 0 : order.slotOf[parent];
      if (parentSlot >= slot)
        wrong.push(`${this.name(node)} stands before its parent ${this.name(parent)} in the flat order`);
      if (order.parentSlot[slot] !== parentSlot) wrong.push(`slot ${slot} points to a wrong parent slot`);
    }
    if (nodes.length !== this.alive.size)
      wrong.push(`the flat order holds ${nodes.length} of ${this.alive.size} entities`);
    if (nodes.length !== order.count)
      wrong.push(`the flat order counts ${order.count} entities and holds ${nodes.length}`);
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
        this.wrong.push(`the flat order claims to be exact, but slot ${slot} is not in pre-order`);
        return;
      }
      const size = sizes.get(node) as number;
      const behind = nodes[at + size];
      const end = order.end[slot];
      // Holes behind a subtree may count as part of its run.
      const isRight =
        end > order.slotOf[nodes[at + size - 1]] && (behind === undefined || end <= order.slotOf[behind]);
      if (!isRight) this.wrong.push(`the run of ${this.name(node)} does not hold its subtree of ${size}`);
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
