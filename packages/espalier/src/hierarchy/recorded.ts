/**
 * What a hierarchy records before it changes, and how it undoes what was told.
 */

import type { Entity } from "../ecs/index.ts";
import { indexOf } from "../ecs/index.ts";
import { INDEX_MASK, type Reversible } from "../ecs/internal.ts";
import { HierarchyBase } from "./base.ts";

/** In place of a former parent: a name changed. */
const NAMED = -2;
/** In place of a former parent: the order of the children changed. */
const REORDERED = -1;

export abstract class RecordedHierarchy extends HierarchyBase implements Reversible {
  protected abstract place(child: number, parent: number, before: number): boolean;
  protected abstract reorder(parent: number, nodes: ArrayLike<number>): boolean;
  protected abstract rename(node: number, name: string | undefined): void;
  /** Why `child` cannot go back under `parent`; only what would break the tree itself. */
  protected abstract whyNotBack(child: number, parent: number): Error | undefined;

  // Telling ------------------------------------------------------------------------------------------------------------

  /** Where a node is. */
  protected recordPlace(node: number): void {
    const { links, state } = this;
    const parent = this.handleOrZero(links.parent(node));
    state.records.room(this, this.handleAt(node), parent, this.handleOrZero(links.next(node)));
  }

  /** What brings a dying node back to its place, with its name. */
  protected recordLeaving(node: number): void {
    if (this.names.of(node) !== undefined) this.recordName(node);
    this.recordPlace(node);
  }

  /** In which order the children of a node are. */
  protected recordOrder(parent: number): void {
    const { links } = this;
    const order: Entity[] = [];
    for (let n = links.first(parent); n !== 0; n = links.next(n)) order.push(this.handleAt(n));
    this.state.records.room(this, this.entityOrNull(parent), REORDERED, 0, order);
  }

  protected recordName(node: number): void {
    this.state.records.room(this, this.handleAt(node), NAMED, 0, this.names.of(node));
  }

  /** For what is recorded: unlike a node, a handle tells later whether the same entity is still there. */
  private handleOrZero(node: number): number {
    return node === 0 ? 0 : this.handleAt(node);
  }

  // Undoing ------------------------------------------------------------------------------------------------------------

  /**
   * Undoes one recorded change. Doing so is itself recorded, which gives the redo. Rules are not asked again. Siblings
   * that left or came without being recorded are passed over.
   * @throws when something that was not recorded makes it impossible; nothing has changed then.
   */
  reverse(entity: Entity | null, from: number, following: number, extra: unknown): void {
    const node = this.parentNode(entity, "undo a change of the tree");
    if (Array.isArray(extra)) {
      this.reorder(node, this.orderLike(node, extra));
    } else if (from === NAMED) {
      this.rename(node, extra as string | undefined);
    } else {
      const parent = this.parentNode(from === 0 ? null : (from as Entity), "undo a change of the tree");
      const error = this.whyNotBack(node, parent);
      if (error !== undefined) throw error;
      const next = following & INDEX_MASK;
      const isThere = this.isAliveAt(next, following as Entity) && this.links.parent(next) === parent;
      this.place(node, parent, isThere ? next : 0);
    }
  }

  /** The children of `parent` in the given order; those that are not in it come last. */
  private orderLike(parent: number, order: readonly Entity[]): number[] {
    const { links } = this;
    const nodes = new Set<number>();
    for (const child of order) {
      const node = indexOf(child);
      if (this.isAliveAt(node, child) && links.parent(node) === parent) nodes.add(node);
    }
    for (let node = links.first(parent); node !== 0; node = links.next(node)) nodes.add(node);
    return [...nodes];
  }
}
