/**
 * Depths, heights and roots of a forest that changes, each in O(log n) amortised: an Euler tour in a splay tree.
 *
 * Every node is a pair of brackets, and its children stand between them: `( ( ) ( ( ) ) )`. The depth of a node is the number
 * of brackets that are open before its own; its height is how many get open at once between its two. The brackets of a tree
 * are the nodes of a binary search tree, each with the sum of what is below it (open 1, close -1) and the largest
 * sum that a beginning of it has, so moving a subtree cuts its brackets out and puts them in elsewhere. Nothing is looked up in
 * the links, and siblings may stand in any order.
 *
 * Splaying brings what was used last to the top, so that edits near each other (a chain that grows at one end) cost less.
 */
export class EulerTour {
  // By bracket: 2 * node opens it, 2 * node + 1 closes it. 0 is none.
  private left = new Int32Array(2);
  private right = new Int32Array(2);
  private up = new Int32Array(2);
  private sum = new Int32Array(2);
  private peak = new Int32Array(2);

  /** Puts a node that has no parent, with everything below it, under `parent`. */
  link(node: number, parent: number): void {
    this.reach(Math.max(node, parent));
    const before = 2 * parent;
    const last = 2 * node + 1;
    this.splay(before, 0);
    this.splay(last, 0);
    this.setRight(last, this.right[before]);
    this.setRight(before, last);
  }

  /** Takes a node, with everything below it, away from its parent. One without parent is left as it is. */
  cut(node: number): void {
    this.reach(node);
    const close = this.isolate(node);
    const open = 2 * node;
    const rest = this.right[close];
    let last = this.left[open];
    if (last === 0) return;
    this.setRight(close, 0);
    this.left[open] = 0;
    this.pull(open);
    this.up[last] = 0;
    while (this.right[last] !== 0) last = this.right[last];
    this.splay(last, 0);
    this.setRight(last, rest);
  }

  /** How many ancestors a node has. */
  depthOf(node: number): number {
    this.reach(node);
    this.splay(2 * node, 0);
    return this.sum[this.left[2 * node]];
  }

  /** How many levels are below a node. */
  heightOf(node: number): number {
    this.reach(node);
    return this.peak[this.left[this.isolate(node)]];
  }

  rootOf(node: number): number {
    this.reach(node);
    let first = 2 * node;
    this.splay(first, 0);
    while (this.left[first] !== 0) first = this.left[first];
    this.splay(first, 0);
    return first >> 1;
  }

  /** Whether `node` is `top` or below it. */
  isInside(node: number, top: number): boolean {
    this.reach(Math.max(node, top));
    return node === top || (this.isBefore(2 * top, 2 * node) && this.isBefore(2 * node, 2 * top + 1));
  }

  /** One step of splaying: what this structure costs is counted in these. */
  rotate(at: number): void {
    const { left, right, up } = this;
    const parent = up[at];
    const above = up[parent];
    if (left[parent] === at) {
      left[parent] = right[at];
      if (right[at] !== 0) up[right[at]] = parent;
      right[at] = parent;
    } else {
      right[parent] = left[at];
      if (left[at] !== 0) up[left[at]] = parent;
      left[at] = parent;
    }
    up[parent] = at;
    up[at] = above;
    if (above !== 0) {
      if (left[above] === parent) left[above] = at;
      else right[above] = at;
    }
    this.pull(parent);
    this.pull(at);
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** Brings a bracket to the top, or right below `top`, which is above it. */
  private splay(at: number, top: number): void {
    const { left, up } = this;
    while (up[at] !== top) {
      const parent = up[at];
      const above = up[parent];
      if (above !== top) this.rotate((left[parent] === at) === (left[above] === parent) ? parent : at);
      this.rotate(at);
    }
  }

  /** Brings the brackets of a node together: the opening one on top, right below it the closing one, which is returned. */
  private isolate(node: number): number {
    this.splay(2 * node, 0);
    this.splay(2 * node + 1, 2 * node);
    return 2 * node + 1;
  }

  /** Whether both are in one tree and `a` comes first. */
  private isBefore(a: number, b: number): boolean {
    this.splay(b, 0);
    this.splay(a, 0);
    // The splaying of `a` left `b` a few steps below it.
    let at = b;
    while (this.up[at] !== 0 && this.up[at] !== a) at = this.up[at];
    return this.right[a] === at;
  }

  /** The node that was there before has another position or gets one. */
  private setRight(at: number, child: number): void {
    this.right[at] = child;
    if (child !== 0) this.up[child] = at;
    this.pull(at);
  }

  /** Computes what is kept of everything below a bracket. */
  private pull(at: number): void {
    const { sum, peak } = this;
    const before = this.left[at];
    const after = this.right[at];
    const here = sum[before] + 1 - 2 * (at & 1);
    sum[at] = here + sum[after];
    peak[at] = Math.max(peak[before], here + peak[after]);
  }

  /** Makes room; a node that was never seen stands alone. */
  private reach(node: number): void {
    const from = this.up.length;
    if (2 * node < from) return;
    const length = Math.max(2 * node + 2, from * 2, 256);
    for (const name of ["left", "right", "up", "sum", "peak"] as const) {
      const array = new Int32Array(length);
      array.set(this[name]);
      this[name] = array;
    }
    for (let open = from; open < length; open += 2) {
      this.pull(open + 1);
      this.setRight(open, open + 1);
    }
  }
}
