/**
 * The walk that goes from a parent to its children.
 */
import { nodesUpTo } from "../links/measure.ts";
import { nextBehind, nextBelow } from "../links/preorder.ts";
import type { TreeState } from "../state.ts";
import { LinkedWalk } from "./linked-walk.ts";
import { WrittenWalk } from "./written-walk.ts";

/** Pre-order below `top`; `top` itself first if `includeTop`. */
export class PreorderWalk extends LinkedWalk {
  readonly top: number;
  readonly includeTop: boolean;
  /** The node last given out; -1 before the first. Code that walks on without `next` sets it. */
  current = -1;
  private descend = true;

  constructor(t: TreeState, top: number, includeTop: boolean) {
    super(t);
    this.top = top;
    this.includeTop = includeTop;
  }

  override skip(): void {
    this.descend = false;
    super.skip();
  }

  isAffected(): boolean {
    return true;
  }

  freeze(): void {
    const { t, top, current } = this;
    const written = new WrittenWalk(t, "pre");
    this.written = written;
    if (current === -1) {
      written.begin(top, this.includeTop);
      return;
    }
    // From the top down the later siblings of each node on the way, so that the deepest are taken first.
    for (const node of nodesUpTo(t, current, top).reverse()) written.enter(t.links.parent(node), node);
    if (this.descend) written.given(current);
  }

  next(): number {
    if (this.written !== undefined) return this.written.next();
    const node = this.following();
    this.current = node;
    this.descend = true;
    return node;
  }

  private following(): number {
    const { current, top } = this;
    const { links } = this.t;
    if (current === -1) return this.includeTop ? top : links.first(top);
    return this.descend ? nextBelow(links, current, top) : nextBehind(links, current, top);
  }
}
