/**
 * The hooks on which other rooms stand. They are trusted code: they run inside the operation and must not throw.
 *
 * All of them take ranges, so that what happens to many entities in one call is one call here too.
 */
import type { Entity } from "../entities/entity.ts";
import type { IndexList } from "../index-list.ts";

export interface RoomHooks {
  readonly name: string;
  /** The entities ids[from..to) came to life; their components are not set yet. */
  readonly created?: (ids: Int32Array, from: number, to: number) => void;
  /** A call has ended: queue the notices that wait for that. */
  readonly settled?: () => void;
  /** Gives what forgets the notices that wait since now: what the call does may be taken back. */
  readonly markNotices?: () => () => void;
  /** Whether its notices read what was destroyed. */
  readonly readsGone?: () => boolean;
  /** Whether entities may take others along when they die. A room that says so has `dependents` and `collect`. */
  readonly cascades?: boolean;
  /** Whether some of those bound to a dying entity live on, in the present call; see `unbind`. */
  readonly spares?: () => boolean;
  /** Pushes those that must die before the entity at `index`, last one first. */
  readonly dependents?: (index: number, doomed: number[]) => void;
  /**
   * Adds the entity at `index` and all that must die before it to a list, in the order in which they go. Those that are marked in
   * `met` are in the list already, with all that must die before them; marks what it adds.
   */
  readonly collect?: (index: number, doomed: IndexList, met: Uint8Array | undefined) => void;
  /** These entities are going to die in one call; `collect` and `dependents` are asked about each of them next. */
  readonly going?: (roots: readonly Entity[]) => void;
  /** The entity is going to die, unless user code saves it: nothing has changed yet. */
  readonly destroying?: (entity: Entity) => void;
  /** Whether `destroying` has listeners. */
  readonly hasDestroying?: () => boolean;
  /** These entities are going to die, all of the list: throws if one must not. Asked before and after observers that run before it. */
  readonly permit?: (doomed: IndexList) => void;
  /** All observers before `roots` are destroyed have run: throws if what was checked before them no longer holds. */
  readonly confirm?: (roots: readonly Entity[]) => void;
  /**
   * The entities of the list are about to die: send those away that are bound to them and live on. `alone`: they die without what
   * would die with them. Gives code of the user's that belongs to it, for when all of them are gone.
   */
  readonly unbind?: (dying: IndexList, alone: boolean) => readonly (() => void)[];
  /** Who undoes what `leaving` records. */
  readonly reversible?: Reversible;
  /**
   * The entities ids[from..to) leave, in this order: let go of them, and where changes are recorded, record first what brings the
   * room's part of each back. Undoing brings all of them back to the world, and then goes through what was recorded here, last
   * one first.
   */
  readonly leaving?: (ids: Int32Array, from: number, to: number) => void;
  /** Columns indexed by entity must now be this long: longer than before, or shorter where the world gave room back. */
  readonly grow?: (capacity: number) => void;
  readonly dispose?: () => void;
}

/** What can undo its own recorded changes. Undoing is a change like any other and is recorded in turn. */
export interface Reversible {
  reverse(entity: Entity | null, a: number, b: number, extra: unknown): void;
  /** Called when everything was reversed; throws when that leads nowhere. */
  finish?(): void;
}
