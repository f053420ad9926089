/**
 * Parents and children inside instances while nodes are collected, for the overrides of the enclosing file.
 */
import type { SceneNode } from "./node.ts";

/**
 * Children are in the order of their slots, because nodes are collected in the order of the texts. Where a file gives
 * another order, slots get numbers to sort by.
 */
export class Siblings {
  private readonly nodes: readonly (SceneNode | undefined)[];
  private readonly children = new Map<number, number[]>();
  private readonly parents = new Map<number, number>();
  private readonly ranks = new Map<number, number>();
  private readonly unsorted = new Set<number>();

  constructor(nodes: readonly (SceneNode | undefined)[]) {
    this.nodes = nodes;
  }

  /** The slots of the existing children, in order. */
  of(parent: number): number[] {
    const children = this.children.get(parent) ?? [];
    if (this.unsorted.delete(parent)) children.sort((a, b) => this.rank(a) - this.rank(b));
    return children.filter((child) => this.nodes[child] !== undefined);
  }

  add(parent: number, child: number): void {
    this.parents.set(child, parent);
    const children = this.children.get(parent);
    if (children === undefined) {
      this.children.set(parent, [child]);
      return;
    }
    if (this.rank(child) < this.rank(children[children.length - 1])) this.unsorted.add(parent);
    children.push(child);
  }

  /** Gives nodes other parents. Among their new siblings they keep the tree order from before any of them was moved. */
  move(moves: ReadonlyMap<number, number>): void {
    const lists = new Map<number, number[]>();
    for (const [child, to] of moves) {
      const list = lists.get(to) ?? this.of(to).filter((other) => !moves.has(other));
      list.push(child);
      lists.set(to, list);
    }
    for (const list of lists.values()) list.sort((a, b) => this.compare(a, b));
    for (const child of moves.keys()) {
      const siblings = this.children.get(this.parents.get(child) ?? -1);
      siblings?.splice(siblings.indexOf(child), 1);
    }
    for (const [to, list] of lists) {
      for (const child of list) this.parents.set(child, to);
      this.reorder(to, list);
    }
  }

  /** Puts all children of a node into another order. */
  reorder(parent: number, children: readonly number[]): void {
    const ranks = children.map((child) => this.rank(child)).sort((a, b) => a - b);
    children.forEach((child, k) => {
      this.ranks.set(child, ranks[k]);
    });
    this.children.set(parent, [...children]);
    this.unsorted.delete(parent);
  }

  /** A node and everything below it, parents first. */
  preorder(root: number): number[] {
    const found: number[] = [];
    const stack = [root];
    for (let slot = stack.pop(); slot !== undefined; slot = stack.pop()) {
      found.push(slot);
      const children = this.of(slot);
      for (let k = children.length - 1; k >= 0; k--) stack.push(children[k]);
    }
    return found;
  }

  /**
   * Fixes the current tree order of the nodes below a node, before some of them are moved and become siblings.
   *
   * @param start - The first slot of the nodes below.
   */
  fixRanks(root: number, start: number): void {
    this.preorder(root).forEach((slot, k) => {
      if (k > 0) this.ranks.set(slot, start + k - 1);
    });
  }

  /** The slots of all nodes in the order of siblings; `undefined` when that is the order of the slots. */
  sequence(): number[] | undefined {
    if (this.ranks.size === 0) return undefined;
    const slots: number[] = [];
    for (let slot = 0; slot < this.nodes.length; slot++) if (this.nodes[slot] !== undefined) slots.push(slot);
    return slots.sort((a, b) => this.rank(a) - this.rank(b));
  }

  /** Which of two nodes comes first where parents come before their children. */
  private compare(a: number, b: number): number {
    const left = this.pathTo(a);
    const right = this.pathTo(b);
    // Of different instances, the one that was collected first.
    if (left[0] !== right[0]) return a - b;
    let k = 0;
    while (k < left.length && left[k] === right[k]) k++;
    return k === left.length || k === right.length
      ? left.length - right.length
      : this.rank(left[k]) - this.rank(right[k]);
  }

  private pathTo(node: number): number[] {
    const path: number[] = [];
    for (let at: number | undefined = node; at !== undefined; at = this.parents.get(at)) path.push(at);
    return path.reverse();
  }

  private rank(slot: number): number {
    return this.ranks.get(slot) ?? slot;
  }
}
