/**
 * The hooks on which other rooms stand. An extension is trusted code: it runs inside the operation and must not throw.
 */
import type { Archetype } from "./archetype.ts";
import type { Entity } from "./entity.ts";
import type { LeaveLoops } from "./leave-loop.ts";
import type { Store } from "./store.ts";
import type { WriteTape } from "./write-tape.ts";

/** A list of entity indices that is filled and emptied again and again without making garbage. */
export class IndexList {
  ids: Int32Array = new Int32Array(64);
  count = 0;

  push(index: number): void {
    const ids = this.count === this.ids.length ? this.grow() : this.ids;
    ids[this.count++] = index;
  }

  /** Makes room for another one, when there is none. */
  grow(): Int32Array {
    const ids = new Int32Array(this.ids.length * 2);
    ids.set(this.ids);
    this.ids = ids;
    return ids;
  }
}

export interface Extension {
  readonly name: string;
  /** An entity came to life at `index`; its components are not set yet. */
  readonly spawned?: (index: number) => void;
  /**
   * The entity at `index` is to be destroyed: push those that must go with it, before it, last one first. Called once
   * per doomed entity, so that several extensions agree on one list.
   */
  readonly doom?: (index: number, doomed: number[]) => void;
  /** The entity at `index` is about to leave; let go of it. Nothing can be asked of it afterwards. */
  readonly leaving?: (index: number) => void;
  /**
   * The short way for a whole list, when nobody hears of each entity: `doomAll` fills the list with what `doom` would
   * have led to, in the order in which they go, the entity at `index` last; `false` when it cannot tell without `doom`.
   * `leavingAll` is then `leaving` for all of them at once. With `numbers` it puts down what
   * `reversible.reverse` needs as `a` and `b` for each, at numbers[at], numbers[at + 1] and on.
   */
  readonly doomAll?: (index: number, doomed: IndexList) => boolean;
  readonly leavingAll?: (doomed: IndexList, numbers?: Float64Array, at?: number) => void;
  /** With which the world lets such a list go. An extension has all three or none. */
  readonly loops?: LeaveLoops;
  /** What `leaving` would record of one of them, asked in their order before `leavingAll`. */
  readonly recordLeaving?: (index: number, recorder: Recorder) => void;
  readonly reversible?: Reversible;
  /** The entity at `index` is about to leave and somebody records: tell what `reverse` needs to bring your part back. */
  readonly recording?: (index: number, recorder: Recorder) => void;
  /** Another recorder listens from now on, or none. */
  readonly recordBy?: (recorder: Recorder | undefined) => void;
  /** Columns indexed by entity must now be this long. */
  readonly grow?: (capacity: number) => void;
  readonly dispose?: () => void;
  /** What is wrong with the extension's own data, in words; part of `check(world)`. */
  readonly check?: () => readonly string[];
}

/**
 * Hears of every change with what is needed to undo it: applying the opposite of each, last one first, leads back. One
 * per world.
 */
export interface Recorder {
  /**
   * Where overwritten numbers may be put down without calling `writing`: the value, the entity, the head (`writeHead`).
   */
  readonly tape?: WriteTape;
  /** Who has a tape: what to put down there behind a, b and the entity in place of a call of `changed` without an extra. */
  headOf?(owner: Reversible): number;
  /**
   * An entity came to life, with its components. `again`: it had been destroyed and is back, so the opposite is to
   * destroy it; otherwise the opposite is to take it back as if it had never been.
   */
  spawned(entity: Entity, index: number, again: boolean): void;
  /**
   * An entity is about to go, and another room keeps some of its values: the last chance to read them. What extensions
   * let go of comes next, then `destroyed`. Not called where all values are the world's own.
   */
  destroying(entity: Entity, index: number): void;
  /** An entity goes. `takenBack`: as if it had never been; its handle is the next one given out. */
  destroyed(entity: Entity, index: number, archetype: Archetype, takenBack: boolean): void;
  /**
   * A whole list goes at once, in this order: lets all of it go (`leavingAll`, `leaveRecorded`) and records that, in place of
   * `destroyed` for each. Who lacks it hears of each by itself.
   */
  destroyingAll?(doomed: IndexList, leaver: Extension): void;
  /**
   * In place of a call for each entity; who lacks one of these hears of each by itself. Entities came to life together, with
   * the same components.
   */
  spawnedMany?(entities: readonly Entity[]): void;
  /**
   * All entities of an archetype are about to go, in the order of its list. Gives where on the tape the sum of their generations
   * is to be put down; so do the next two. As generations only grow, it tells later whether the same entities are there.
   */
  destroyingWhole?(archetype: Archetype): number;
  /** All entities of an archetype are about to get these components, none of which they have. */
  addingToAll?(archetype: Archetype, stores: readonly Store[]): number;
  /** All entities of an archetype are about to lose these components, all of which they have. */
  removingFromAll?(archetype: Archetype, stores: readonly Store[]): number;
  /** `row` is where the entity stood in the list of its former archetype. */
  added(entity: Entity, index: number, store: Store, row: number): void;
  removing(entity: Entity, index: number, store: Store): void;
  /** Field number `field` of the entity's component is about to be overwritten; its column holds `before`. */
  writing(entity: Entity, index: number, store: Store, field: number, before: unknown): void;
  /**
   * Views are about to write many values of this component, in a pass that visits so many entities: records all values as
   * they are, and needs to hear of no more writes of views then. `false` when it wants to hear of each.
   */
  copying?(store: Store, visited: number): boolean;
  /** From now on it hears of writes again. */
  copied?(store: Store): void;
  /** Somebody says that a value changed which the world could not see; there is nothing to undo it with. */
  touched?(entity: Entity, index: number, store: Store): void;
  /** Something of another room is about to change; `owner.reverse` with the same facts brings it back. */
  changed(owner: Reversible, entity: Entity | null, a: number, b: number, extra?: unknown): void;
}

/** What can undo its own recorded changes. Undoing is a change like any other and is recorded in turn. */
export interface Reversible {
  reverse(entity: Entity | null, a: number, b: number, extra: unknown): void;
}
