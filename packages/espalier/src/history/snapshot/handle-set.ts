/**
 * A set of entities, kept by index: several times faster than a `Set` for many of them.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";

export class HandleSet {
  /** The entities in the order in which they were added. */
  readonly list: Entity[] = [];
  private byIndex: Float64Array;

  constructor(entities: ArrayLike<number> = []) {
    this.byIndex = new Float64Array(Math.max(64, entities.length * 2));
    for (let k = 0; k < entities.length; k++) this.add(entities[k] as Entity);
  }

  get size(): number {
    return this.list.length;
  }

  has(entity: number): boolean {
    return this.byIndex[entity & INDEX_MASK] === entity;
  }

  /** Returns `false` when it, or another entity with its index, is in the set already. */
  add(entity: Entity): boolean {
    const index = entity & INDEX_MASK;
    if (index >= this.byIndex.length) {
      const longer = new Float64Array(Math.max(index + 1, this.byIndex.length * 2));
      longer.set(this.byIndex);
      this.byIndex = longer;
    }
    if (this.byIndex[index] !== 0) return false;
    this.byIndex[index] = entity;
    this.list.push(entity);
    return true;
  }
}
