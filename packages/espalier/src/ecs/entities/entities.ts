/**
 * Which indices are in use, by which generation, and in which archetype row.
 *
 * Dead indices form a stack, so that reuse is deterministic and an undone destroy finds its index on top. While something
 * iterates, freed indices wait in a second stack: an index that an iteration holds is never given to a new entity before
 * that iteration ends.
 *
 * Handles are small integers, which V8 keeps without a box, as long as no index was used more than 512 times. An index
 * that was rests, and a new one is taken instead, until too many rest: then handles become wide and all of them serve
 * again.
 */

import {
  DeadEntityError,
  DisposedWorldError,
  EntityLimitError,
  type EspalierError,
  InvalidEntityError,
} from "../errors.ts";
import { grown } from "../grown.ts";
import { IndexList } from "../index-list.ts";
import type { Entity, EntityHolder, EntityLike } from "./entity.ts";
import {
  formatEntity,
  GENERATION_STEP,
  heldId,
  INDEX_MASK,
  isHandle,
  MAX_ENTITIES,
  NARROW_GENERATIONS,
} from "./entity.ts";
import { handleOfObject, isOf } from "./handle-in.ts";
import { ARCHETYPE, FLOOR, GENERATION, NO_ENTITY, RESERVED, WORN } from "./index-record.ts";

/** With the next one a handle would no longer be exact. */
export const LAST_GENERATION = 2 ** 31 - 1;

export class Entities {
  capacity: number;
  /**
   * Four numbers per index, in one array because V8 then fetches its address and length once per operation (which
   * halves the cost of add and remove): GENERATION, ARCHETYPE (or NO_ENTITY, RESERVED), ROW in the archetype's list, and
   * FLOOR.
   */
  info: Int32Array;
  /** Indices 1..used have been given out at least once. */
  used = 0;
  alive = 0;
  /** Becomes true when some handle no longer fits 32 bits. */
  wide = false;
  /** How many iterations are under way. */
  iterating = 0;
  disposed = false;
  /** Called when the columns must move to another capacity. */
  onGrow: (capacity: number) => void = () => {};
  /** The indices that are given out next, last one first. */
  readonly free = new IndexList();
  /** Those that become free when nothing iterates any more. */
  readonly limbo = new IndexList();
  /** Free indices whose next handle would be wide. */
  readonly rested = new IndexList();
  readonly fixed: boolean;
  /** Whether it has not grown since it was made, or since `fit`; see `give-back-room.ts`. */
  isFit = true;
  /** How often in a row there was room to give back, and the number of indices at the last look. */
  looks = 0;
  usedAtLook = 0;
  /** So many looks without a new index must come before the next `fit`. */
  patience = 0;
  /** The room that was asked for: `fit` leaves so much. */
  private asked: number;

  constructor(capacity: number, fixed: boolean) {
    this.capacity = capacity;
    this.asked = capacity;
    this.fixed = fixed;
    this.info = roomFor(capacity);
  }

  handleAt(index: number): Entity {
    const generation = this.info[(index << 2) | GENERATION];
    return (this.wide ? generation * GENERATION_STEP + index : (generation << 22) | index) as Entity;
  }

  isAlive(entity: EntityLike | number): boolean {
    if (typeof entity !== "number") return this.isAliveObject(entity);
    const index = entity & INDEX_MASK;
    return (
      index < this.capacity && this.info[(index << 2) | ARCHETYPE] >= 0 && this.handleAt(index) === entity
    );
  }

  private isAliveObject(object: unknown): boolean {
    const id = heldId(object);
    return id !== undefined && isOf(this, object) && this.isAlive(id);
  }

  isReserved(entity: Entity): boolean {
    if (typeof entity !== "number") return false;
    const index = entity & INDEX_MASK;
    return (
      index < this.capacity &&
      this.info[(index << 2) | ARCHETYPE] === RESERVED &&
      this.handleAt(index) === entity
    );
  }

  /** The index of a living entity; `doing` completes "Cannot …". */
  require(entity: EntityLike, doing: string): number {
    if (typeof entity !== "number") return this.requireObject(entity, doing);
    const index = entity & INDEX_MASK;
    if (index < this.capacity && this.info[(index << 2) | ARCHETYPE] >= 0 && this.handleAt(index) === entity)
      return index;
    throw this.whyNotAlive(entity, doing);
  }

  private requireObject(object: EntityHolder, doing: string): number {
    const entity: unknown = handleOfObject(this, object);
    // Masking a symbol or an object would throw a TypeError.
    if (typeof entity !== "number") throw this.whyNotAlive(entity, doing);
    return this.require(entity as Entity, doing);
  }

  /** Takes a free index; the caller puts it into an archetype. */
  take(): number {
    const { free } = this;
    if (free.count !== 0) return free.ids[--free.count];
    const index = this.used + 1;
    this.makeRoomFor(index);
    this.used = index;
    return index;
  }

  /** Gives an index back. Handles to it are stale from now on. */
  release(index: number): void {
    const generation = Math.max(this.info[(index << 2) | GENERATION], this.info[(index << 2) | FLOOR] - 1);
    if (generation >= NARROW_GENERATIONS - 1 && this.isSpent(index, generation)) return;
    this.info[(index << 2) | GENERATION] = generation + 1;
    this.info[(index << 2) | ARCHETYPE] = NO_ENTITY;
    if (this.iterating === 0) this.free.push(index);
    else this.limbo.push(index);
  }

  /** Whether an index that was used so often cannot be given out again, for now or for ever. */
  private isSpent(index: number, generation: number): boolean {
    if (!this.wide && !this.fixed && this.rested.count < MOST_RESTED + this.used / 2) {
      this.info[(index << 2) | GENERATION] = generation + 1;
      this.info[(index << 2) | ARCHETYPE] = NO_ENTITY;
      this.rested.push(index);
      return true;
    }
    this.widen();
    if (generation < LAST_GENERATION) return false;
    this.info[(index << 2) | ARCHETYPE] = WORN;
    return true;
  }

  /** From now on there are handles that do not fit 32 bits. What rested comes after all that is free, lowest first. */
  widen(): void {
    if (this.wide) return;
    this.wide = true;
    const { ids, count } = this.rested;
    this.setFree([...this.freeIndices(), ...ids.slice(0, count).sort()]);
    this.rested.count = 0;
  }

  /** Makes room for an index of this number. */
  makeRoomFor(index: number): void {
    if (index >= this.capacity) this.makeRoom(index + 1);
  }

  /** Makes these the free indices, next one first. */
  setFree(indices: readonly number[]): void {
    this.free.count = 0;
    for (let k = indices.length - 1; k >= 0; k--) this.free.push(indices[k] as number);
  }

  /** Undoes `take`: the same handle will be given out next. Used when a spawn is rolled back. */
  untake(index: number): void {
    this.info[(index << 2) | ARCHETYPE] = NO_ENTITY;
    if (index === this.used && this.free.count === 0 && this.info[(index << 2) | GENERATION] === 0) {
      // Never in use before, and nothing else is free: this index was taken from those never used.
      this.used--;
      return;
    }
    this.free.push(index);
  }

  endIteration(): void {
    if (--this.iterating !== 0) return;
    const { limbo, free } = this;
    // In their order, so that the index freed last is on top, where undo looks for it.
    for (let k = 0; k < limbo.count; k++) free.push(limbo.ids[k]);
    limbo.count = 0;
  }

  /** Makes sure `count` further entities fit without moving columns. */
  reserve(count: number): void {
    const needed = this.used + 1 + Math.max(0, count - this.free.count);
    if (needed <= this.capacity) return;
    this.makeRoom(needed);
    this.asked = this.capacity;
    this.isFit = true;
  }

  /** Gives back what growing left over, a 64th excepted, where that is more than a 16th. */
  fit(): void {
    this.isFit = true;
    const capacity = Math.max(this.asked, this.used + (this.used >> 6) + 2);
    if (capacity > this.capacity - (this.capacity >> 4)) return;
    this.capacity = capacity;
    this.info = this.info.slice(0, capacity * 4);
    this.onGrow(capacity);
  }

  /** Every handle is dead from now on, and nothing can be created. */
  dispose(): void {
    this.disposed = true;
    for (let at = ARCHETYPE; at < this.info.length; at += 4) this.info[at] = NO_ENTITY;
    this.free.count = 0;
    this.limbo.count = 0;
    this.rested.count = 0;
    this.alive = 0;
    this.used = this.capacity - 1;
  }

  /** The free indices, next one first. */
  freeIndices(): Int32Array {
    return this.free.ids.slice(0, this.free.count).reverse();
  }

  whyNotAlive(entity: unknown, doing: string): EspalierError {
    if (this.disposed) return new DisposedWorldError(doing);
    if (!isHandle(entity)) {
      return new InvalidEntityError(
        `Cannot ${doing}: ${formatEntity(entity)} is not an entity. Pass a handle that spawn() returned.`,
        { value: entity },
      );
    }
    return new DeadEntityError(`Cannot ${doing}: ${formatEntity(entity)} ${whyDead(this, entity)}`, {
      entities: [entity],
    });
  }

  private makeRoom(needed: number): void {
    if (this.disposed) throw new DisposedWorldError("create an entity");
    if (needed > MAX_ENTITIES + 1) {
      throw new EntityLimitError(
        `Cannot create another entity: ${MAX_ENTITIES} indices are in use, the most one world can hold. Destroy entities you no longer need.`,
        { limit: MAX_ENTITIES },
      );
    }
    if (this.fixed) {
      throw new EntityLimitError(
        `Cannot create another entity: this world was made with a fixed capacity of ${this.capacity - 1}. Give createWorld() a larger capacity, or leave out fixed.`,
        { limit: this.capacity - 1 },
      );
    }
    // Small ones to four times their size, because building a world then copies it twice and not six times. Large ones by half: more would
    // leave more room empty than is used.
    const larger = this.capacity * (this.capacity > SMALL ? 1.5 : 4);
    this.capacity = Math.min(Math.max(larger | 0, needed), MAX_ENTITIES + 1);
    this.info = roomFor(this.capacity, this.info);
    this.isFit = false;
    this.onGrow(this.capacity);
  }
}

/** So many indices may rest, and half as many as there are: some memory for 33 million more small handles. */
const MOST_RESTED = 65_536;

/** A world is small up to this capacity. */
const SMALL = 4096;

function roomFor(capacity: number, old: Int32Array = new Int32Array(0)): Int32Array {
  const info = grown(old, capacity * 4);
  for (let at = old.length + ARCHETYPE; at < info.length; at += 4) info[at] = NO_ENTITY;
  return info;
}

/** For a message; called inside of it, so that production builds drop it. */
function whyDead(table: Entities, entity: Entity): string {
  if (table.isReserved(entity))
    return "is reserved by a command buffer and does not exist before flush(). Record the change on the buffer instead.";
  const index = entity & INDEX_MASK;
  const at = index << 2;
  const latest = Math.max(table.info[at | GENERATION], table.info[at | FLOOR]);
  if (index > table.used || Math.floor(entity / GENERATION_STEP) > latest)
    return "was never created in this world. It may belong to another world; handles cannot be exchanged.";
  const user = formatEntity(table.handleAt(index));
  const now = table.info[at | ARCHETYPE] >= 0 ? ` Its index is used by ${user} now.` : "";
  return `was destroyed.${now} Ask isAlive() before using a handle you kept.`;
}
