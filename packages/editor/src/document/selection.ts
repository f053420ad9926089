/**
 * What is selected: an ordered set of entities. Tools act around the last one.
 */
import type { Entity } from "espalier";

/** The selection of one document. Returns only entities that are alive: a running world may destroy any of them. */
export class Selection {
  private set = new Set<Entity>();
  private readonly onChange: () => void;
  private readonly isThere: (entity: Entity) => boolean;
  private anchorEntity: Entity | undefined;

  /** @param onChange - Called after every change. */
  constructor(onChange: () => void, isThere: (entity: Entity) => boolean = () => true) {
    this.onChange = onChange;
    this.isThere = isThere;
  }

  get size(): number {
    let count = 0;
    for (const entity of this.set) if (this.isThere(entity)) count++;
    return count;
  }

  /** In the order in which they were selected. */
  get entities(): readonly Entity[] {
    return [...this.set].filter(this.isThere);
  }

  /** The entity selected last; `undefined` for an empty selection. */
  get primary(): Entity | undefined {
    let last: Entity | undefined;
    for (const entity of this.set) if (this.isThere(entity)) last = entity;
    return last;
  }

  /** Where a range selected with Shift begins. */
  get anchor(): Entity | undefined {
    const { anchorEntity } = this;
    return anchorEntity !== undefined && this.isThere(anchorEntity) ? anchorEntity : this.primary;
  }

  has(entity: Entity): boolean {
    return this.set.has(entity) && this.isThere(entity);
  }

  /** Selects exactly these entities, without dead ones. Nothing happens when they are already selected. */
  replace(entities: Iterable<Entity>): void {
    const next = new Set([...entities].filter(this.isThere));
    if (next.size === this.set.size && [...next].every((entity) => this.set.has(entity))) return;
    this.set = next;
    this.anchorEntity = this.primary;
    this.onChange();
  }

  /** Selects or deselects one entity, and leaves the others. */
  toggle(entity: Entity): void {
    if (!this.isThere(entity)) return;
    if (!this.set.delete(entity)) this.set.add(entity);
    this.anchorEntity = entity;
    this.onChange();
  }

  /** Selects a range that began at the anchor. */
  extend(range: readonly Entity[]): void {
    this.set = new Set(range.filter(this.isThere));
    this.onChange();
  }

  clear(): void {
    this.replace([]);
  }

  /** Removes dead entities. `true` when there were some. */
  prune(): boolean {
    const { size } = this.set;
    for (const entity of [...this.set]) if (!this.isThere(entity)) this.set.delete(entity);
    return this.set.size !== size;
  }
}
