/**
 * For one component: how many entities below each entity have it. Kept up to date as components and links change.
 */
import { type AnyComponent, type Entity, INDEX_MASK } from "../ecs/index.ts";
import type { Hierarchy } from "./hierarchy.ts";

const KEY = Symbol("descendant counts");

export class DescendantCounts {
  private readonly tree: Hierarchy;
  private readonly component: AnyComponent;
  private counts = new Int32Array(0);

  /** The counts of a tree for a component, shared by all who ask. */
  static of(tree: Hierarchy, component: AnyComponent): DescendantCounts {
    const kept = tree as unknown as { [KEY]?: Map<AnyComponent, DescendantCounts> };
    kept[KEY] ??= new Map();
    let counts = kept[KEY].get(component);
    if (counts === undefined) kept[KEY].set(component, (counts = new DescendantCounts(tree, component)));
    return counts;
  }

  private constructor(tree: Hierarchy, component: AnyComponent) {
    this.tree = tree;
    this.component = component;
    const { world } = tree;
    this.fit();
    for (const entity of world.query(component)) this.addAbove(entity & INDEX_MASK, 1);
    const options = { name: `descendantHas(${component.name})`, order: Number.NEGATIVE_INFINITY };
    world.observe(component, {
      ...options,
      add: (entity) => this.addAbove(entity & INDEX_MASK, 1),
      remove: (entity) => this.addAbove(entity & INDEX_MASK, -1),
    });
    tree.onPlaced((child, from, to) => {
      // Created: the component observer counts it. Destroyed: its own component is taken off there, and by then
      // nothing is below it.
      if (from === -1 || to === -1) {
        if (from === -1) this.reset(child);
        return;
      }
      const moved = this.below(child) + (this.has(child) ? 1 : 0);
      if (moved === 0) return;
      this.addFrom(from, -moved);
      this.addFrom(to, moved);
    });
  }

  below(node: number): number {
    return node < this.counts.length ? this.counts[node] : 0;
  }

  private has(node: number): boolean {
    const { world } = this.tree;
    return world.archetypeAt(node)?.has[world.store(this.component).id] === 1;
  }

  private reset(node: number): void {
    this.fit();
    this.counts[node] = 0;
  }

  private addAbove(node: number, change: number): void {
    this.addFrom(this.tree.links.parent(node), change);
  }

  /** Adds to `node` and everything above it. */
  private addFrom(node: number, change: number): void {
    this.fit();
    for (let up = node; up > 0; up = this.tree.links.parent(up)) this.counts[up] += change;
  }

  private fit(): void {
    const { capacity } = this.tree.world.table;
    if (this.counts.length >= capacity) return;
    const counts = new Int32Array(capacity);
    counts.set(this.counts);
    this.counts = counts;
  }

  /** What the counts should be, for checking them. */
  expected(): Map<Entity, number> {
    const counts = new Map<Entity, number>();
    for (const entity of this.tree.world.query(this.component)) {
      for (const ancestor of this.tree.ancestors(entity))
        counts.set(ancestor, (counts.get(ancestor) ?? 0) + 1);
    }
    return counts;
  }
}
