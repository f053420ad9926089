/**
 * The hooks on which other rooms stand. They are trusted code: they run inside the operation and must not throw, but where it says so.
 *
 * All of them take ranges, so that what happens to many entities in one call is one call here too. A room takes part in some groups, and
 * gives all functions of those.
 */
import type { Entity } from "../entities/entity.ts";
import type { IndexList } from "../index-list.ts";

/** What a room gives to `extend`. */
export interface RoomHooks {
  readonly life?: LifeHooks;
  readonly cascade?: CascadeHooks;
  readonly destruction?: DestructionHooks;
  readonly notices?: NoticeHooks;
  readonly columns?: ColumnHooks;
}

/** A room that keeps something for each entity. */
export interface LifeHooks {
  /** The entities ids[from..to) came to life; their components are not set yet. */
  created(ids: Int32Array, from: number, to: number): void;
  /**
   * The entities ids[from..to) leave, in this order: let go of them, and where changes are recorded, record first what brings the
   * room's part of each back. Undoing brings all of them back to the world, and then goes through what was recorded here, last
   * one first.
   */
  leaving(ids: Int32Array, from: number, to: number): void;
}

/** A room in which an entity may take further entities along when it dies. */
export interface CascadeHooks {
  /** Pushes those that must die before the entity at `index`, last one first. */
  dependents(index: number, doomed: number[]): void;
  /**
   * Adds the entity at `index` and all that must die before it to a list, in the order in which they go. Those that are marked in
   * `met` are in the list already, with all that must die before them; marks what it adds.
   */
  collect(index: number, doomed: IndexList, met: Uint8Array | undefined): void;
}

/** A room that decides which entities are destroyed, or what becomes of those bound to them. In the order in which they are called. */
export interface DestructionHooks {
  /** Whether some of those bound to a dying entity live on, in the present call; see `unbind`. */
  spares(): boolean;
  /** Called where `spares()`: these entities are going to die in one call; the hooks of cascades are asked about each of them next. */
  going(roots: readonly Entity[]): void;
  /** These entities are going to die, all of the list: throws if one must not. Asked before and after observers that run before it. */
  permit(doomed: IndexList): void;
  /** Whether `destroying` has listeners. */
  hasDestroying(): boolean;
  /** The entity is going to die, unless user code saves it: nothing has changed yet. */
  destroying(entity: Entity): void;
  /** All observers before `roots` are destroyed have run: throws if what was checked before them no longer holds. */
  confirm(roots: readonly Entity[]): void;
  /**
   * The entities of the list are about to die: send those away that are bound to them and live on. `alone`: they die without what
   * would die with them. Gives code of the user's that belongs to it, for when all of them are gone.
   */
  unbind(dying: IndexList, alone: boolean): readonly (() => void)[];
}

/** A room with listeners of its own. */
export interface NoticeHooks {
  /** A call has ended: queue the notices that wait for that. */
  settled(): void;
  /** Gives what forgets the notices that wait since now: what the call does may be taken back. */
  markNotices(): () => void;
  /** Whether its notices read what was destroyed. */
  readsGone(): boolean;
}

/** A room with columns of its own, indexed by entity. */
export interface ColumnHooks {
  /** They must now be this long: longer than before, or shorter where the world gave room back. */
  grow(capacity: number): void;
  /** The world is gone. */
  dispose(): void;
}

/** The hooks of all rooms of a world, by group. */
export class HookLists {
  life: readonly LifeHooks[] = [];
  cascade: readonly CascadeHooks[] = [];
  destruction: readonly DestructionHooks[] = [];
  notices: readonly NoticeHooks[] = [];
  columns: readonly ColumnHooks[] = [];

  /** Gives the function that ends it. */
  add(hooks: RoomHooks): () => void {
    const lists = this as unknown as { [group: string]: readonly object[] };
    const groups: [string, object][] = Object.entries(hooks);
    for (const [group, own] of groups) lists[group] = [...lists[group], own];
    return () => {
      for (const [group, own] of groups) lists[group] = lists[group].filter((other) => other !== own);
    };
  }

  /** Whether some of those bound to dying entities live on. */
  get areSparing(): boolean {
    const { destruction } = this;
    for (let k = 0; k < destruction.length; k++) if (destruction[k].spares()) return true;
    return false;
  }
}

/** What can undo its own recorded changes. Undoing is a change like any other and is recorded in turn. */
export interface Reversible {
  reverse(entity: Entity | null, a: number, b: number, extra: unknown): void;
  /** Called when everything was reversed; throws when that leads nowhere. */
  finish?(): void;
}
