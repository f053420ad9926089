/**
 * Depths and heights where they are limited: with a `depthLimit` every edit asks how deep a node is and how many
 * levels it brings along.
 *
 * In most trees a short walk along the links answers that, and nothing is kept. The first walk that would be a long one builds
 * a tour of the whole forest; that answers in O(log n), and is kept up to date from then on.
 */
import { EulerTour } from "./euler-tour.ts";
import type { Links } from "./links.ts";
import { heightBelow, nextBelow } from "./preorder.ts";

/** A walk over more nodes than this is a long one. */
const SHORT = 64;

export class Depths {
  private readonly links: Links;
  private tour: EulerTour | undefined = undefined;

  constructor(links: Links) {
    this.links = links;
  }

  /** How many ancestors a node has. */
  depthOf(node: number): number {
    if (this.tour === undefined) {
      let up = this.links.parent(node);
      for (let depth = 0; depth <= SHORT; depth++) {
        if (up <= 0) return depth;
        up = this.links.parent(up);
      }
    }
    return this.toured().depthOf(node);
  }

  /** How many levels are below a node. */
  heightOf(node: number): number {
    if (this.links.first(node) === 0) return 0;
    const height = this.tour === undefined ? heightBelow(this.links, node, SHORT) : -1;
    return height === -1 ? this.toured().heightOf(node) : height;
  }

  /** Whether `node` is `top` or below it. */
  isInside(node: number, top: number): boolean {
    if (this.tour === undefined) {
      let up = node;
      for (let steps = 0; steps <= SHORT; steps++) {
        if (up <= 0 || up === top) return up === top;
        up = this.links.parent(up);
      }
    }
    return this.toured().isInside(node, top);
  }

  rootOf(node: number): number {
    if (this.tour !== undefined) return this.tour.rootOf(node);
    let root = node;
    for (let up = this.links.parent(node); up > 0; up = this.links.parent(up)) root = up;
    return root;
  }

  /** A node goes from one parent to another; 0 or less where there is none. */
  moved(node: number, from: number, to: number): void {
    if (this.tour === undefined) return;
    if (from > 0) this.tour.cut(node);
    if (to > 0) this.tour.link(node, to);
  }

  /** Nodes that are kept at a wrong position, for the self-test. */
  *wrong(): Iterable<number> {
    const { links, tour } = this;
    if (tour === undefined) return;
    for (let node = links.first(0); node !== 0; node = nextBelow(links, node, 0)) {
      const parent = links.parent(node);
      const depth = parent === 0 ? 0 : tour.depthOf(parent) + 1;
      if (tour.depthOf(node) !== depth || (parent !== 0 && !tour.isInside(node, parent))) yield node;
    }
  }

  private toured(): EulerTour {
    if (this.tour !== undefined) return this.tour;
    const { links } = this;
    const tour = new EulerTour();
    for (let node = links.first(0); node !== 0; node = nextBelow(links, node, 0)) {
      const parent = links.parent(node);
      if (parent !== 0) tour.link(node, parent);
    }
    this.tour = tour;
    return tour;
  }
}
