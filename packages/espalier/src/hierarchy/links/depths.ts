/**
 * Depths and heights, remembered: with `maxDepth` or `warnDepth` every edit asks how deep a node is and how many levels it
 * brings along. Walking for each answer would cost the square of the length of a chain that is built, from above or from below.
 *
 * Depths: of a node an ancestor and the number of steps to it are kept, and the way is shortened whenever it is gone. That a
 * root gets a parent leaves all of them right; that a node with children leaves its parent makes all of them unknown.
 *
 * Heights: of a root two bounds are kept, no fewer and no more levels are below it. Where they leave a question open, a walk
 * answers it and brings them closer.
 */
import { heightIn } from "./height.ts";
import type { Links } from "./links.ts";

export class Depths {
  private readonly links: Links;
  /** An ancestor, and how far it is; valid where `knownIn` is `now`. */
  private ancestors: Int32Array = new Int32Array(0);
  private steps: Int32Array = new Int32Array(0);
  private knownIn: Int32Array = new Int32Array(0);
  private now = 1;
  /** By root: the upper bound and 1, or 0 where both are unknown. */
  private bounds: Int32Array = new Int32Array(0);
  private lows: Int32Array = new Int32Array(0);
  /** The node that moved last and how many levels it has at least: who warns asks right after the move. */
  private lastMoved = 0;
  private lastLow = 0;

  constructor(links: Links) {
    this.links = links;
  }

  /** How many ancestors a node has. */
  of(node: number): number {
    return this.climb(node, false);
  }

  rootOf(node: number): number {
    return this.climb(node, true);
  }

  /** Whether there are more than `most` levels below a node. */
  isHigher(node: number, most: number): boolean {
    if (this.links.first(node) === 0) return most < 0;
    if (node === this.lastMoved && this.lastLow > most) return true;
    if (this.boundOf(node) <= most) return false;
    const isRoot = this.links.parent(node) === 0;
    if (isRoot && this.lows[node] > most) return true;
    const height = heightIn(this.links, node, most);
    // One that is higher was not walked to its end.
    if (isRoot && height > most) this.lows[node] = Math.max(this.lows[node], height);
    else if (isRoot) this.setBounds(node, height, height);
    return height > most;
  }

  /** No more levels than this are below a node. */
  boundOf(node: number): number {
    if (this.links.first(node) === 0) return 0;
    const depth = this.of(node);
    return Math.max(this.treeBound(this.rootOf(node)) - depth, 1);
  }

  /** A node was created under `parent` (0: as a root). */
  created(node: number, parent: number): void {
    this.reach(node);
    this.knownIn[node] = 0;
    this.setBounds(node, 0, 0);
    this.lastMoved = 0;
    if (parent !== 0) this.joined(node, 0, 0, parent);
  }

  /** A node is about to leave `from` (0: it is a root) for `to` (0: to become one). */
  moving(node: number, from: number, to: number): void {
    this.reach(node);
    const isLeaf = this.links.first(node) === 0;
    const height = this.boundOf(node);
    const low = isLeaf ? 0 : from === 0 ? this.lows[node] : 1;
    if (from > 0) this.leave(node, height);
    this.lastMoved = node;
    this.lastLow = low;
    if (to === 0) this.setBounds(node, low, height);
    else this.joined(node, low, height, to);
  }

  /** A node without children is destroyed. */
  destroyed(node: number, from: number): void {
    this.reach(node);
    if (from > 0) this.leave(node, 0);
    this.knownIn[node] = 0;
    this.bounds[node] = 0;
    this.lastMoved = 0;
  }

  /** What is remembered and wrong, for the self-test. */
  *wrong(): Iterable<{ readonly node: number; readonly why: string }> {
    const { links } = this;
    for (let node = 1; node < this.bounds.length; node++) {
      if (this.bounds[node] === 0 || links.parent(node) !== 0) continue;
      const height = heightIn(links, node);
      const [low, bound] = [this.lows[node], this.bounds[node] - 1];
      if (height < low || height > bound)
        yield { node, why: `has ${height} levels below it and is remembered with ${low} to ${bound}` };
    }
    for (let node = 1; node < this.knownIn.length; node++) {
      if (this.knownIn[node] !== this.now || links.parent(node) <= 0) continue;
      let up = node;
      for (let k = this.steps[node]; k > 0 && up > 0; k--) up = links.parent(up);
      if (up !== this.ancestors[node]) yield { node, why: "is remembered below another entity" };
    }
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** Goes up to the root over what is known, and shortens the way. Gives the root or the number of steps. */
  private climb(node: number, wantsRoot: boolean): number {
    const { links } = this;
    let depth = 0;
    let up = node;
    for (;;) {
      if (this.isKnown(up)) {
        depth += this.steps[up];
        up = this.ancestors[up];
        continue;
      }
      const parent = links.parent(up);
      if (parent <= 0) break;
      depth++;
      up = parent;
    }
    const root = up;
    let left = depth;
    for (let at = node; at !== root; ) {
      const isKnown = this.isKnown(at);
      const next = isKnown ? this.ancestors[at] : links.parent(at);
      const step = isKnown ? this.steps[at] : 1;
      this.ancestors[at] = root;
      this.steps[at] = left;
      this.knownIn[at] = this.now;
      left -= step;
      at = next;
    }
    return wantsRoot ? root : depth;
  }

  /** Of a tree, by its root. */
  private treeBound(root: number): number {
    this.reach(root);
    if (this.bounds[root] === 0) {
      const height = heightIn(this.links, root);
      this.setBounds(root, height, height);
    }
    return this.bounds[root] - 1;
  }

  private setBounds(root: number, low: number, bound: number): void {
    this.reach(root);
    this.lows[root] = low;
    this.bounds[root] = bound + 1;
  }

  /** The tree that a node leaves may lose its deepest branch. */
  private leave(node: number, height: number): void {
    const root = this.rootOf(node);
    const depth = this.of(node);
    this.treeBound(root);
    // Its parent stays where it is, and its siblings do.
    const { links } = this;
    const stays = links.prev(node) !== 0 || links.next(node) !== 0 ? depth : depth - 1;
    if (depth + height >= this.lows[root]) this.lows[root] = Math.min(this.lows[root], stays);
    // What is below it has other ancestors from now on.
    if (this.links.first(node) !== 0) this.now++;
    else this.knownIn[node] = 0;
  }

  private joined(node: number, low: number, height: number, parent: number): void {
    const root = this.rootOf(parent);
    const depth = this.of(parent) + 1;
    const bound = this.treeBound(root);
    this.setBounds(root, Math.max(this.lows[root], depth + low), Math.max(bound, depth + height));
    this.bounds[node] = 0;
  }

  private isKnown(node: number): boolean {
    this.reach(node);
    return this.knownIn[node] === this.now;
  }

  private reach(node: number): void {
    if (node < this.knownIn.length) return;
    const length = Math.max(node + 1, this.knownIn.length * 2, 1024);
    this.ancestors = grown(this.ancestors, new Int32Array(length));
    this.steps = grown(this.steps, new Int32Array(length));
    this.knownIn = grown(this.knownIn, new Int32Array(length));
    this.bounds = grown(this.bounds, new Int32Array(length));
    this.lows = grown(this.lows, new Int32Array(length));
  }
}

function grown(from: Int32Array, into: Int32Array): Int32Array {
  into.set(from);
  return into;
}
