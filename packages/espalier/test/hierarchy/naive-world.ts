/**
 * The slow twin of a world with several hierarchies: which entities live, and what a destroy takes with it.
 */
import type { Entity } from "espalier";
import type { DestroyPolicy } from "espalier/hierarchy";
import { type NaiveForest, type NaiveNode, type NaivePosition, Refused } from "./naive-forest.ts";

/** What a call says about the children of the entity that it destroys. */
export interface Chosen {
  readonly forest: NaiveForest;
  readonly policy: DestroyPolicy;
}

export class NaiveWorld {
  readonly forests: readonly NaiveForest[];
  readonly alive = new Set<Entity>();
  /** Called for an entity that is about to go, while everything is still there. */
  onDestroying: (entity: Entity) => void = () => {};
  /** What the calls under way are going to destroy, and those of them that can no longer be saved. */
  private readonly going = new Set<Entity>();
  private readonly certain = new Set<Entity>();

  constructor(forests: readonly NaiveForest[]) {
    this.forests = forests;
    for (const forest of forests) {
      forest.isDoomed = (entity) => this.going.has(entity);
      forest.isCertain = (entity) => this.certain.has(entity);
    }
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
  spawnIn(forest: NaiveForest, entity: Entity, parent: Entity | null, options?: NaivePosition): void {
    forest.spawned(entity, parent, options);
    this.alive.add(entity);
    for (const other of this.forests) if (other !== forest) other.spawned(entity);
  }

  /** Destroys everything that must go, children first. What is no longer below when its turn comes lives on. */
  destroy(entity: Entity, chosen?: Chosen): boolean {
    if (!this.alive.has(entity) || this.going.has(entity)) return false;
    chosen?.forest.requireSendable(entity, chosen.policy);
    this.requireChildless(entity, chosen, []);
    const told: Entity[] = [];
    let own: Entity[] = [];
    const forget = () => {
      for (const it of own) if (!told.includes(it)) this.going.delete(it);
    };
    try {
      for (;;) {
        forget();
        own = this.doomed(entity, chosen).filter((it) => !this.going.has(it));
        for (const it of own) this.going.add(it);
        const next = own.find((it) => !told.includes(it));
        if (next === undefined) break;
        told.push(next);
        this.certain.add(next);
        this.onDestroying(next);
      }
      if (chosen?.forest.nodes.has(entity)) chosen.forest.requireSendable(entity, chosen.policy);
      this.requireChildless(entity, chosen, told);
    } finally {
      forget();
      for (const it of told) {
        this.going.delete(it);
        this.certain.delete(it);
      }
    }
    const dying = new Set(told);
    for (const forest of this.forests) {
      const policyOf = (parent: Entity) => policyIn(forest, parent, entity, chosen);
      forest.sendAway(told, dying, policyOf, (it) => this.going.has(it));
      forest.removeAll(told);
    }
    for (const it of told) this.alive.delete(it);
    return true;
  }

  /** Refuses where a child would outlive a parent whose policy is `refuse`. */
  private requireChildless(entity: Entity, chosen: Chosen | undefined, certain: readonly Entity[]): void {
    const dying = new Set([...certain, ...this.doomed(entity, chosen)]);
    for (const forest of this.forests) {
      for (const it of dying) {
        if (policyIn(forest, it, entity, chosen) !== "refuse") continue;
        const children = forest.nodes.get(it)?.children ?? [];
        if (children.some((child) => !dying.has(child.entity))) throw new Refused("children");
      }
    }
  }

  private doomed(entity: Entity, chosen: Chosen | undefined): Entity[] {
    const order: Entity[] = [];
    const seen = new Set<Entity>();
    const doom = (it: Entity) => {
      if (seen.has(it)) return;
      seen.add(it);
      for (const forest of [...this.forests].reverse()) {
        if (policyIn(forest, it, entity, chosen) !== "cascade") continue;
        for (const child of [...(forest.nodes.get(it)?.children ?? [])]) doom(child.entity);
      }
      order.push(it);
    };
    doom(entity);
    return order;
  }
}

/** What becomes of the children of `parent` in a call that destroys `entity`. */
function policyIn(
  forest: NaiveForest,
  parent: Entity,
  entity: Entity,
  chosen: Chosen | undefined,
): DestroyPolicy {
  const isChosen = chosen?.forest === forest && (parent === entity || chosen.policy === "cascade");
  return isChosen ? chosen.policy : forest.policy;
}
