/**
 * Depths of nodes, remembered: with `maxDepth` or `warnDepth`, building a chain asks for the depth of each new parent, which
 * would cost the square of its length.
 */
import type { Links } from "./links.ts";

export class Depths {
  private readonly links: Links;
  /** Valid where `knownIn` is `now`. */
  private depths = new Int32Array(0);
  private knownIn = new Int32Array(0);
  private now = 1;

  constructor(links: Links) {
    this.links = links;
  }

  /** How many ancestors a node has. Walks up to the nearest node whose depth is known. */
  of(node: number): number {
    const { links } = this;
    let steps = 0;
    let up = node;
    for (; up > 0 && !this.isKnown(up); up = links.parent(up)) steps++;
    let depth = (up > 0 ? this.depths[up] : -1) + steps;
    const found = depth;
    for (let below = node; below !== up && below > 0; below = links.parent(below)) {
      this.depths[below] = depth--;
      this.knownIn[below] = this.now;
    }
    return found;
  }

  /** A node came, went, or has another parent. */
  moved(node: number): void {
    // What is below it moved too.
    if (this.links.first(node) !== 0) this.now++;
    else if (node < this.knownIn.length) this.knownIn[node] = 0;
  }

  private isKnown(node: number): boolean {
    if (node >= this.depths.length) this.grow(node + 1);
    return this.knownIn[node] === this.now;
  }

  private grow(least: number): void {
    const length = Math.max(least, this.depths.length * 2, 1024);
    const { depths, knownIn } = this;
    this.depths = new Int32Array(length);
    this.depths.set(depths);
    this.knownIn = new Int32Array(length);
    this.knownIn.set(knownIn);
  }
}
