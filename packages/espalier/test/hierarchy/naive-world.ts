/**
 * The slow twin of a world with several hierarchies: which entities live, and what a destroy takes with it.
 */
import type { Entity } from "espalier";
import type { NaiveForest, NaiveNode, NaivePlace } from "./naive-forest.ts";

export class NaiveWorld {
  readonly forests: readonly NaiveForest[];
  readonly alive = new Set<Entity>();
  /** Told of an entity that is about to go. */
  onDestroy: (entity: Entity) => void = () => {};
  private readonly dying = new Set<Entity>();

  constructor(forests: readonly NaiveForest[]) {
    this.forests = forests;
  }

  spawn(entity: Entity): void {
    this.alive.add(entity);
    for (const forest of this.forests) {
      const node: NaiveNode = { entity, parent: null, children: [], name: undefined };
      forest.nodes.set(entity, node);
      forest.roots.push(node);
    }
  }

  /** A new entity in one of the forests, and a root in the others. */
  spawnIn(forest: NaiveForest, entity: Entity, parent: Entity | null, place?: NaivePlace): void {
    forest.spawned(entity, parent, place);
    this.alive.add(entity);
    for (const other of this.forests) if (other !== forest) other.spawned(entity);
  }

  /** Destroys everything that must go, children first; what is doomed is decided at the start. */
  destroy(entity: Entity): boolean {
    if (!this.alive.has(entity) || this.dying.has(entity)) return false;
    for (const doomed of this.doomed(entity)) {
      if (this.alive.has(doomed) && !this.dying.has(doomed)) this.destroyOne(doomed);
    }
    return true;
  }

  private doomed(entity: Entity): Entity[] {
    const order: Entity[] = [];
    const seen = new Set<Entity>();
    const doom = (it: Entity) => {
      if (seen.has(it)) return;
      seen.add(it);
      for (const forest of [...this.forests].reverse()) {
        if (forest.policy !== "cascade") continue;
        for (const child of [...(forest.nodes.get(it)?.children ?? [])]) doom(child.entity);
      }
      order.push(it);
    };
    doom(entity);
    return order;
  }

  private destroyOne(entity: Entity): void {
    this.dying.add(entity);
    this.onDestroy(entity);
    this.dying.delete(entity);
    for (const forest of this.forests) this.leave(forest, entity);
    this.alive.delete(entity);
  }

  private leave(forest: NaiveForest, entity: Entity): void {
    const node = forest.node(entity);
    this.dying.add(entity);
    if (forest.policy !== "cascade") forest.settle(node);
    // Attached by somebody who was told of the end.
    for (let child = node.children[0]; child !== undefined; child = node.children[0]) {
      if (!this.destroy(child.entity)) forest.rescue(child);
    }
    this.dying.delete(entity);
    forest.remove(node);
  }
}
