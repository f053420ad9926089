/**
 * Which places are in use, by which generation, and in which archetype row.
 *
 * Dead places form a stack threaded through `row`, so that reuse is deterministic and an undone destroy finds its
 * place on top. While something iterates, freed places wait in a second stack: an index that an iteration holds is
 * never given to a new entity before that iteration ends.
 */
import type { Entity } from "./entity.ts";
import { formatEntity, GENERATION_STEP, INDEX_MASK, isHandle, MAX_ENTITIES, NARROW_GENERATIONS } from "./entity.ts";
import { DeadEntityError, DisposedWorldError, EntityLimitError, type EspalierError, InvalidEntityError } from "./errors.ts";

/** `archetype[i]` of a place nobody lives in. */
export const NOBODY = -1;
/** `archetype[i]` of a place that a command buffer holds for an entity it will create. */
export const PROMISED = -2;

export class Entities {
  capacity: number;
  generation: Int32Array;
  /** Archetype id of the entity at each place, or NOBODY or PROMISED. */
  archetype: Int32Array;
  /** Row in the archetype's list; for free places the next free one. */
  row: Int32Array;
  /** Places 1..used have been given out at least once. */
  used = 0;
  alive = 0;
  /** Becomes true when some handle no longer fits 32 bits. */
  wide = false;
  /** How many iterations are under way. */
  iterating = 0;
  disposed = false;
  /** Told after the columns moved to a larger capacity. */
  onGrow: (capacity: number) => void = () => {};
  private free = 0;
  private limbo = 0;
  readonly fixed: boolean;

  constructor(capacity: number, fixed: boolean) {
    this.capacity = capacity;
    this.fixed = fixed;
    this.generation = new Int32Array(capacity);
    this.archetype = new Int32Array(capacity).fill(NOBODY);
    this.row = new Int32Array(capacity);
  }

  handleAt(index: number): Entity {
    const generation = this.generation[index] as number;
    return (this.wide ? generation * GENERATION_STEP + index : (generation << 22) | index) as Entity;
  }

  isAlive(entity: Entity): boolean {
    const index = entity & INDEX_MASK;
    return index < this.capacity && (this.archetype[index] as number) >= 0 && this.handleAt(index) === entity;
  }

  isPromised(entity: Entity): boolean {
    const index = entity & INDEX_MASK;
    return index < this.capacity && this.archetype[index] === PROMISED && this.handleAt(index) === entity;
  }

  /** The place of a living entity; `doing` completes "Cannot …". */
  require(entity: Entity, doing: string): number {
    const index = entity & INDEX_MASK;
    if (index < this.capacity && (this.archetype[index] as number) >= 0 && this.handleAt(index) === entity) return index;
    throw this.whyNotAlive(entity, doing);
  }

  /** Takes a free place; the caller puts it into an archetype. */
  take(): number {
    let index = this.free;
    if (index !== 0) {
      this.free = this.row[index] as number;
    } else {
      index = this.used + 1;
      if (index >= this.capacity) this.makeRoom(index + 1);
      this.used = index;
    }
    return index;
  }

  /** Gives a place back. Handles to it are stale from now on. */
  release(index: number): void {
    const generation = (this.generation[index] as number) + 1;
    if (generation >= NARROW_GENERATIONS) this.wide = true;
    this.generation[index] = generation;
    this.archetype[index] = NOBODY;
    if (this.iterating !== 0) {
      this.row[index] = this.limbo;
      this.limbo = index;
    } else {
      this.row[index] = this.free;
      this.free = index;
    }
  }

  /** Undoes `take`: the same handle will be given out next. Used when a spawn is rolled back. */
  untake(index: number): void {
    this.archetype[index] = NOBODY;
    this.row[index] = this.free;
    this.free = index;
  }

  /**
   * Undoes `release`: the handle `entity` is valid again. Constant time when that place was freed last, else it
   * walks the free places.
   */
  bringBack(entity: Entity): number {
    const index = entity & INDEX_MASK;
    if (index > this.used) {
      if (index >= this.capacity) this.makeRoom(index + 1);
      // Places skipped on the way become free, lowest on top.
      for (let i = index - 1; i > this.used; i--) {
        this.row[i] = this.free;
        this.free = i;
      }
      this.used = index;
    } else if (!this.unstack(index)) {
      throw new DeadEntityError(`Cannot bring back ${formatEntity(entity)}: its place is taken by ${formatEntity(this.handleAt(index))}.`, [
        entity,
      ]);
    }
    const generation = Math.floor(entity / GENERATION_STEP);
    if (generation >= NARROW_GENERATIONS) this.wide = true;
    this.generation[index] = generation;
    return index;
  }

  endIteration(): void {
    if (--this.iterating !== 0) return;
    while (this.limbo !== 0) {
      const index = this.limbo;
      this.limbo = this.row[index] as number;
      this.row[index] = this.free;
      this.free = index;
    }
  }

  /** Makes sure `count` further entities fit without moving columns. */
  reserve(count: number): void {
    const needed = this.used + count + 1;
    if (needed > this.capacity) this.makeRoom(needed);
  }

  /** Every handle is dead from now on, and nothing can be created. */
  dispose(): void {
    this.disposed = true;
    this.archetype.fill(NOBODY);
    this.free = 0;
    this.limbo = 0;
    this.alive = 0;
    this.used = this.capacity - 1;
  }

  /** The free places, next one first; for snapshots. */
  freePlaces(): number[] {
    const places: number[] = [];
    for (let i = this.free; i !== 0; i = this.row[i] as number) places.push(i);
    return places;
  }

  /** Replaces the free places; `places[0]` is taken next. Every one of them must be empty. */
  setFreePlaces(places: ArrayLike<number>): void {
    this.free = 0;
    for (let k = places.length - 1; k >= 0; k--) {
      const index = places[k] as number;
      this.row[index] = this.free;
      this.free = index;
    }
  }

  whyNotAlive(entity: unknown, doing: string): EspalierError {
    if (this.disposed) return new DisposedWorldError(doing);
    if (!isHandle(entity)) {
      return new InvalidEntityError(
        `Cannot ${doing}: ${formatEntity(entity)} is not an entity. Pass a handle that spawn() returned.`,
      );
    }
    const index = entity & INDEX_MASK;
    const generation = Math.floor(entity / GENERATION_STEP);
    const name = formatEntity(entity);
    if (this.isPromised(entity)) {
      return new DeadEntityError(
        `Cannot ${doing}: ${name} is promised by a command buffer and does not exist before flush(). Record the change on the buffer instead.`,
        [entity],
      );
    }
    if (index > this.used || generation > (this.generation[index] as number)) {
      return new DeadEntityError(
        `Cannot ${doing}: ${name} was never created in this world. It may belong to another world; handles cannot be exchanged.`,
        [entity],
      );
    }
    const now = (this.archetype[index] as number) >= 0 ? ` Its place is used by ${formatEntity(this.handleAt(index))} now.` : "";
    return new DeadEntityError(`Cannot ${doing}: ${name} was destroyed.${now} Ask isAlive() before using a handle you kept.`, [
      entity,
    ]);
  }

  private unstack(index: number): boolean {
    if (this.archetype[index] !== NOBODY) return false;
    for (const top of ["free", "limbo"] as const) {
      if (this[top] === index) {
        this[top] = this.row[index] as number;
        return true;
      }
      for (let i = this[top]; i !== 0; i = this.row[i] as number) {
        if (this.row[i] === index) {
          this.row[i] = this.row[index] as number;
          return true;
        }
      }
    }
    return false;
  }

  private makeRoom(needed: number): void {
    if (this.disposed) throw new DisposedWorldError("create an entity");
    if (needed > MAX_ENTITIES + 1) {
      throw new EntityLimitError(
        `Cannot create another entity: ${MAX_ENTITIES} places are in use, the most one world can hold. Destroy entities you no longer need.`,
      );
    }
    if (this.fixed) {
      throw new EntityLimitError(
        `Cannot create another entity: this world was made with a fixed capacity of ${this.capacity - 1}. Give createWorld() a larger capacity, or leave out fixed.`,
      );
    }
    let capacity = this.capacity;
    while (capacity < needed) capacity *= 2;
    this.capacity = Math.min(capacity, MAX_ENTITIES + 1);
    this.generation = grown(this.generation, this.capacity, 0);
    this.archetype = grown(this.archetype, this.capacity, NOBODY);
    this.row = grown(this.row, this.capacity, 0);
    this.onGrow(this.capacity);
  }
}

function grown(old: Int32Array, length: number, fill: number): Int32Array {
  const array = new Int32Array(length);
  array.set(old);
  if (fill !== 0) array.fill(fill, old.length);
  return array;
}
