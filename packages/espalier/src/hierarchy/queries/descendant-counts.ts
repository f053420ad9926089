/**
 * For one component: how many entities below each entity have it. Kept up to date as components and links change.
 */
import type { AnyComponent } from "../../ecs/index.ts";
import { followComponent, INDEX_MASK, stateOf } from "../../ecs/internal.ts";
import { onLinked } from "../events/listen.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";

export class DescendantCounts {
  private readonly tree: Hierarchy;
  private readonly component: AnyComponent;
  private counts = new Int32Array(0);
  /** 1 for nodes that are counted above. */
  private counted = new Uint8Array(0);

  /** The counts of a tree for a component, shared by all terms. */
  static of(tree: Hierarchy, component: AnyComponent): DescendantCounts {
    const { attachments } = treeOf(tree);
    const kept = attachments.get(component);
    if (kept instanceof DescendantCounts) return kept;
    const counts = new DescendantCounts(tree, component);
    attachments.set(component, counts);
    return counts;
  }

  private constructor(tree: Hierarchy, component: AnyComponent) {
    this.tree = tree;
    this.component = component;
    const { world } = tree;
    const { links } = treeOf(tree);
    const { id } = stateOf(world).store(component);
    const has = (node: number) => stateOf(world).archetypeAt(node)?.has[id] === 1;
    const follow = (node: number) => {
      this.fit();
      const now = has(node) ? 1 : 0;
      if (this.counted[node] === now) return;
      this.counted[node] = now;
      this.addFrom(links.parent(node), now === 1 ? 1 : -1);
    };
    for (const entity of world.query(component)) follow(entity & INDEX_MASK);
    followComponent(stateOf(world), component, follow);
    onLinked(treeOf(tree), (child, from, to) => {
      this.fit();
      const moved = this.counts[child] + this.counted[child];
      if (from === -1 || to === -1) {
        // A new one is counted when it has got its components.
        this.counts[child] = 0;
        this.counted[child] = 0;
      }
      if (moved === 0 || from === -1) return;
      this.addFrom(from, -moved);
      this.addFrom(to, moved);
    });
  }

  below(node: number): number {
    return node < this.counts.length ? this.counts[node] : 0;
  }

  /** What is wrong with the counts, in words. Asked by the check of the tree. */
  check(): string[] {
    const { world } = this.tree;
    const expected = new Map<number, number>();
    for (const entity of world.query(this.component)) {
      for (const up of this.tree.ancestors(entity)) {
        expected.set(up & INDEX_MASK, (expected.get(up & INDEX_MASK) ?? 0) + 1);
      }
    }
    return world.entities().flatMap((entity) => {
      const node = entity & INDEX_MASK;
      const right = expected.get(node) ?? 0;
      if (this.below(node) === right) return [];
      return `${this.tree.label(entity)} counts ${this.below(node)} below it with ${this.component.name}, there are ${right}`;
    });
  }

  /** Adds to `node` and everything above it. */
  private addFrom(node: number, change: number): void {
    const { links } = treeOf(this.tree);
    for (let up = node; up > 0; up = links.parent(up)) this.counts[up] += change;
  }

  private fit(): void {
    const { capacity } = stateOf(this.tree.world).table;
    if (this.counts.length >= capacity) return;
    const counts = new Int32Array(capacity);
    counts.set(this.counts);
    this.counts = counts;
    const counted = new Uint8Array(capacity);
    counted.set(this.counted);
    this.counted = counted;
  }
}
