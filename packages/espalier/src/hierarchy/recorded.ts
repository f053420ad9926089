/**
 * What a hierarchy tells the recorder of its world before it changes, and how it undoes what was told.
 */
import { type Entity, INDEX_MASK, type IndexList, type Recorder, type Reversible } from "../ecs/index.ts";
import { HierarchyBase } from "./base.ts";
import { LinkedLinks } from "./links.ts";
import { generateEdits, type QuickEdits } from "./quick-edits.ts";

/** In place of a former parent: a name changed. */
const NAMED = -2;
/** In place of a former parent: the order of the children changed. */
const REORDERED = -1;

/** After so many moves code of their own pays. */
const MOVES_BEFORE_GENERATING = 100;

export abstract class RecordedHierarchy extends HierarchyBase implements Reversible {
  /** Moves as code of its own, for the recorder of now, once that pays and until the world grows. */
  protected edits: QuickEdits | undefined = undefined;
  private readonly editsFor = new Map<Recorder | undefined, QuickEdits>();
  private moves = 0;

  protected abstract place(child: number, parent: number, before: number): boolean;
  protected abstract reorder(parent: number, nodes: ArrayLike<number>): boolean;
  protected abstract rename(node: number, name: string | undefined): void;
  /** Why `child` cannot go back under `parent`; only what would break the tree itself. */
  protected abstract whyNotBack(child: number, parent: number): Error | undefined;

  // Telling ------------------------------------------------------------------------------------------------------------

  /** Another recorder listens from now on, or none. Steps and transactions may begin and end often. */
  protected recordBy(recorder: Recorder | undefined): void {
    this.edits = this.editsFor.get(recorder);
  }

  /** The arrays of the links are others now. */
  protected forgetEdits(): void {
    this.editsFor.clear();
    this.edits = undefined;
  }

  /** Makes them, once that pays and where it can be done. */
  protected prepareEdits(): QuickEdits | undefined {
    const { links, world } = this;
    if (!world.generates || ++this.moves < MOVES_BEFORE_GENERATING) return undefined;
    const { recorder } = world;
    const head = recorder?.headOf?.(this);
    if (recorder !== undefined && head === undefined) return undefined;
    if (world.table.wide || !(links instanceof LinkedLinks)) return undefined;
    this.edits = generateEdits(this, links, this.extras, world, recorder, head ?? 0);
    this.editsFor.set(recorder, this.edits);
    return this.edits;
  }

  /** Where a node is. */
  protected recordPlace(node: number, recorder: Recorder): void {
    const { links } = this;
    const parent = this.handleOrZero(links.parent(node));
    recorder.changed(this, this.handleAt(node), parent, this.handleOrZero(links.next(node)));
  }

  /** `recordPlace` for a whole list: parent and next sibling of each. */
  protected recordPlaces({ ids, count }: IndexList, numbers: Float64Array, at: number): void {
    const { links } = this;
    if (!this.world.table.wide) links.savePlaces(ids, count, numbers, at);
    else {
      for (let k = 0; k < count; k++) {
        numbers[at + k * 2] = this.handleOrZero(links.parent(ids[k]));
        numbers[at + k * 2 + 1] = this.handleOrZero(links.next(ids[k]));
      }
    }
  }

  /** In which order the children of a node are. */
  protected recordOrder(parent: number, recorder: Recorder): void {
    const { links } = this;
    const order: Entity[] = [];
    for (let n = links.first(parent); n !== 0; n = links.next(n)) order.push(this.handleAt(n));
    recorder.changed(this, this.entityOrNull(parent), REORDERED, 0, order);
  }

  protected recordName(node: number, recorder: Recorder): void {
    recorder.changed(this, this.handleAt(node), NAMED, 0, this.names.of(node));
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
      const node = child & INDEX_MASK;
      if (this.isAliveAt(node, child) && links.parent(node) === parent) nodes.add(node);
    }
    for (let node = links.first(parent); node !== 0; node = links.next(node)) nodes.add(node);
    return [...nodes];
  }
}
