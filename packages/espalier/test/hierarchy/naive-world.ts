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
  /** What the calls under way are going to destroy. */
  private readonly going = new Set<Entity>();

  constructor(forests: readonly NaiveForest[]) {
    this.forests = forests;
    for (const forest of forests) forest.isDoomed = (entity) => this.going.has(entity);
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

  /** Destroys everything that must go, children first. What is no longer below when its turn comes lives on. */
  destroy(entity: Entity): boolean {
    if (!this.alive.has(entity) || this.dying.has(entity) || this.going.has(entity)) return false;
    let own: Entity[] = [];
    const doom = () => {
      for (const it of own) this.going.delete(it);
      own = this.doomed(entity).filter((it) => !this.going.has(it));
      for (const it of own) this.going.add(it);
      return own.find((it) => !this.dying.has(it));
    };
    for (let next = doom(); next !== undefined; next = this.alive.has(entity) ? doom() : undefined) {
      this.destroyOne(next);
      this.going.delete(next);
    }
    for (const it of own) this.going.delete(it);
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
    if (forest.policy !== "cascade") forest.settle(node);
    // Another forest wants them to go later.
    for (const child of [...node.children]) forest.rescue(child);
    forest.remove(node);
  }
}
