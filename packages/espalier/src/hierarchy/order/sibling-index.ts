/**
 * Positions among many siblings.
 *
 * Links know neighbours, not numbers. For families above a few hundred, this keeps the children in blocks, so that
 * finding the n-th child, and the position of a child, cost about the square root of their number (a few microseconds at
 * a million) instead of a walk. A family gets its blocks on first use, and keeps them up to date from
 * then on.
 */
import type { Dependents, Links } from "../links/links.ts";

/** Families up to this size are walked: cheaper than keeping blocks. */
export const WALKED_FAMILY = 256;
const BLOCK = 1024;

class Block {
  readonly nodes = new Int32Array(BLOCK);
  count = 0;
}

export class SiblingIndex {
  private readonly links: Links;
  private readonly dependents: Dependents;
  private readonly families = new Map<number, Block[]>();
  private readonly blockOf = new Map<number, Block>();

  constructor(links: Links, dependents: Dependents) {
    this.links = links;
    this.dependents = dependents;
  }

  /** The position of `node` among its siblings. */
  indexOf(node: number): number {
    const parent = this.links.parent(node);
    const family = this.familyOf(parent);
    if (family === undefined) return this.walkedIndex(node, parent);
    const block = this.blockOf.get(node) as Block;
    let before = 0;
    for (const other of family) {
      if (other === block) break;
      before += other.count;
    }
    return before + block.nodes.subarray(0, block.count).indexOf(node);
  }

  /** Walks both ways at once, because the nearer end suffices. */
  private walkedIndex(node: number, parent: number): number {
    const { links } = this;
    let before = links.prev(node);
    let after = links.next(node);
    let steps = 0;
    while (before !== 0 && after !== 0) {
      before = links.prev(before);
      after = links.next(after);
      steps++;
    }
    return before === 0 ? steps : links.count(parent) - 1 - steps;
  }

  /** The child at `index`, or 0. */
  at(parent: number, index: number): number {
    const links = this.links;
    const count = links.count(parent);
    if (index < 0 || index >= count) return 0;
    const direct = links.directAt(parent, index);
    if (direct !== -1) return direct;
    // Near the ends, walking is cheaper than keeping blocks.
    const isNear = Math.min(index, count - 1 - index) < WALKED_FAMILY / 2;
    const family = isNear ? this.families.get(parent) : this.familyOf(parent);
    if (family === undefined) {
      if (index < count / 2) {
        let node = links.first(parent);
        for (let k = 0; k < index; k++) node = links.next(node);
        return node;
      }
      let node = links.last(parent);
      for (let k = count - 1; k > index; k--) node = links.prev(node);
      return node;
    }
    let rest = index;
    for (const block of family) {
      if (rest < block.count) return block.nodes[rest];
      rest -= block.count;
    }
    return 0;
  }

  /** `node` was linked under `parent`; its neighbours are in place. */
  inserted(node: number, parent: number): void {
    if (this.families.size !== 0) this.insert(node, parent);
  }

  private insert(node: number, parent: number): void {
    const family = this.families.get(parent);
    if (family === undefined) return;
    const prev = this.links.prev(node);
    const block = prev === 0 ? (family[0] as Block) : (this.blockOf.get(prev) as Block);
    const at = prev === 0 ? 0 : block.nodes.subarray(0, block.count).indexOf(prev) + 1;
    if (block.count < BLOCK) {
      this.put(block, at, node);
      return;
    }
    // Appending to a full last block starts a new one; anywhere else the block is split in halves.
    const fresh = new Block();
    family.splice(family.indexOf(block) + 1, 0, fresh);
    if (at === BLOCK) {
      this.put(fresh, 0, node);
      return;
    }
    const half = BLOCK / 2;
    fresh.nodes.set(block.nodes.subarray(half));
    fresh.count = BLOCK - half;
    block.count = half;
    for (let k = 0; k < fresh.count; k++) this.blockOf.set(fresh.nodes[k], fresh);
    if (at <= half) this.put(block, at, node);
    else this.put(fresh, at - half, node);
  }

  /** `node` is about to be unlinked from `parent`. */
  removing(node: number, parent: number): void {
    if (this.families.size !== 0) this.remove(node, parent);
  }

  private remove(node: number, parent: number): void {
    const family = this.families.get(parent);
    if (family === undefined) return;
    const block = this.blockOf.get(node) as Block;
    const at = block.nodes.subarray(0, block.count).indexOf(node);
    block.nodes.copyWithin(at, at + 1, block.count);
    block.count--;
    this.blockOf.delete(node);
    if (block.count === 0 && family.length > 1) family.splice(family.indexOf(block), 1);
    if (this.links.count(parent) - 1 <= WALKED_FAMILY / 2) this.forget(parent);
  }

  /** The order of a family changed as a whole. */
  forget(parent: number): void {
    const family = this.families.get(parent);
    if (family === undefined) return;
    for (const block of family) for (let k = 0; k < block.count; k++) this.blockOf.delete(block.nodes[k]);
    this.families.delete(parent);
    this.dependents.count--;
  }

  private put(block: Block, at: number, node: number): void {
    block.nodes.copyWithin(at + 1, at, block.count);
    block.nodes[at] = node;
    block.count++;
    this.blockOf.set(node, block);
  }

  private familyOf(parent: number): Block[] | undefined {
    if (this.links.count(parent) <= WALKED_FAMILY) return this.families.get(parent);
    const known = this.families.get(parent);
    if (known !== undefined) return known;
    const family: Block[] = [];
    let block: Block | undefined;
    for (let node = this.links.first(parent); node !== 0; node = this.links.next(node)) {
      // Three quarters full, so that the next insertions find room.
      if (block === undefined || block.count >= (BLOCK * 3) / 4) family.push((block = new Block()));
      block.nodes[block.count++] = node;
      this.blockOf.set(node, block);
    }
    this.families.set(parent, family);
    this.dependents.count++;
    return family;
  }
}
