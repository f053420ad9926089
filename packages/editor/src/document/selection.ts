/**
 * What is selected: an ordered set of entities, of which the last is the one that tools act around.
 */
import type { Entity } from "espalier";

/** The selection of one document. Every change is told to the one who made it. */
export class Selection {
  private set = new Set<Entity>();
  private readonly onChange: () => void;
  /** Where a range that is selected with Shift begins. */
  anchor: Entity | undefined;

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  get size(): number {
    return this.set.size;
  }

  /** In the order in which they were selected. */
  get entities(): readonly Entity[] {
    return [...this.set];
  }

  /** The one selected last; nothing when nothing is. */
  get primary(): Entity | undefined {
    let last: Entity | undefined;
    for (const entity of this.set) last = entity;
    return last;
  }

  has(entity: Entity): boolean {
    return this.set.has(entity);
  }

  /** Selects exactly these. Nothing happens when they are. */
  replace(entities: Iterable<Entity>): void {
    const next = new Set(entities);
    if (next.size === this.set.size && [...next].every((entity) => this.set.has(entity))) return;
    this.set = next;
    this.anchor = this.primary;
    this.onChange();
  }

  /** Selects or deselects one, and leaves the others. */
  toggle(entity: Entity): void {
    if (!this.set.delete(entity)) this.set.add(entity);
    this.anchor = entity;
    this.onChange();
  }

  /** Selects a range that began at the anchor. */
  extend(range: readonly Entity[]): void {
    const { anchor } = this;
    this.set = new Set(range);
    this.anchor = anchor;
    this.onChange();
  }

  clear(): void {
    this.replace([]);
  }

  /** Forgets those that are no longer there. `true` when there were some. */
  prune(isThere: (entity: Entity) => boolean): boolean {
    const { size } = this.set;
    for (const entity of [...this.set]) if (!isThere(entity)) this.set.delete(entity);
    if (this.anchor !== undefined && !isThere(this.anchor)) this.anchor = this.primary;
    return this.set.size !== size;
  }
}
