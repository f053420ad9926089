/**
 * A set of entities, kept by place: several times faster than a `Set` for many of them.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";

export class HandleSet {
  /** In the order they were added. */
  readonly list: Entity[] = [];
  private byPlace: Float64Array;

  constructor(entities: ArrayLike<number> = []) {
    this.byPlace = new Float64Array(Math.max(64, entities.length * 2));
    for (let k = 0; k < entities.length; k++) this.add(entities[k] as Entity);
  }

  get size(): number {
    return this.list.length;
  }

  has(entity: number): boolean {
    return this.byPlace[entity & INDEX_MASK] === entity;
  }

  /** `false` when it, or another entity at its place, is in the set already. */
  add(entity: Entity): boolean {
    const place = entity & INDEX_MASK;
    if (place >= this.byPlace.length) {
      const longer = new Float64Array(Math.max(place + 1, this.byPlace.length * 2));
      longer.set(this.byPlace);
      this.byPlace = longer;
    }
    if (this.byPlace[place] !== 0) return false;
    this.byPlace[place] = entity;
    this.list.push(entity);
    return true;
  }
}
