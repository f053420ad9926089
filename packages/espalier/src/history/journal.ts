/**
 * Writes every change of a world on a tape, with what undoes it.
 *
 * Runs inside every operation, so it only copies numbers. What a record consists of stands beside each method, first
 * number first; `play-back.ts` reads it from the end.
 */
import {
  ARCHETYPE,
  type Archetype,
  copyOf,
  type Entity,
  type Extension,
  exactOf,
  FIELDS,
  type IndexList,
  KINDS,
  type LeaveLoops,
  leaveRecorded,
  type Recorder,
  type Reversible,
  ROW,
  type Store,
  type World,
  WROTE,
} from "../ecs/index.ts";
import { ColumnCopier } from "./column-copy.ts";
import { LeaveOnes } from "./leave-one.ts";
import { ListValuesWriter } from "./list-values.ts";
import type { Tape } from "./tape.ts";
import { recordAdded, recordDestroyed, recordRemoved, recordSpawned } from "./whole-records.ts";

export const SPAWNED = 0;
export const TAKEN_BACK = 1;
export const DESTROYED = 2;
export const REVIVED = 3;
export const ADDED = 4;
export const REMOVED = 5;
export const WROTE_REFERENCE = 7;
export const CHANGED = 8;
export const CHANGED_WITH = 9;
export const VALUES = 10;
export const DESTROYED_WITH_VALUES = 11;
export const TAKEN_BACK_WITH_VALUES = 12;
export const DESTROYED_ALL = 13;
export const COPIED = 14;
export const SPAWNED_MANY = 15;
export const DESTROYED_WHOLE = 16;
export const ADDED_TO_ALL = 17;
export const REMOVED_FROM_ALL = 18;

interface Leaving {
  readonly index: number;
  /** Where its values begin on the tape. */
  readonly start: number;
  readonly references: number;
  readonly archetype: number;
}

export class Journal implements Recorder {
  tape: Tape;
  /** Those whose changes are on the tape, by number. */
  readonly owners: Reversible[] = [];
  /**
   * Whether it hears of whatever happens between a record and its undoing. Only then may a record hold more values than were
   * written: what others did to them meanwhile is undone before.
   */
  hearsAll = true;
  private readonly world: World;
  private lastOwner: Reversible | undefined;
  /** The head of a change of `lastOwner`. */
  private ownerHead = 0;
  /** Entities that are being destroyed and whose values stand on the tape already; destroys may be nested. */
  private readonly midway: Leaving[] = [];
  private readonly leaveOnes: LeaveOnes;
  /** For `copying`. */
  private readonly copier: ColumnCopier;
  /** For whole archetypes. */
  private readonly listWriter: ListValuesWriter;

  /** For `mostValues`: how many archetypes it has looked at, and the most so far. */
  private asked = 0;
  private most = 0;

  constructor(world: World, tape: Tape) {
    this.world = world;
    this.leaveOnes = new LeaveOnes(world, this, DESTROYED_WITH_VALUES);
    this.copier = new ColumnCopier(world);
    this.listWriter = new ListValuesWriter(world);
    this.tape = tape;
  }

  /** Whether an entity is being destroyed, so that positions on the tape must stay what they are. */
  get isMidway(): boolean {
    return this.midway.length !== 0;
  }

  /** entity, head */
  spawned(entity: Entity, _index: number, again: boolean): void {
    const { tape } = this;
    tape.reserve(2);
    const { numbers, count } = tape;
    numbers[count] = entity;
    numbers[count + 1] = again ? REVIVED : SPAWNED;
    tape.count = count + 2;
  }

  /** values …, how many numbers, how many references, head */
  destroying(_entity: Entity, index: number): void {
    const { tape } = this;
    const { stores, id } = this.world.archetypeAt(index) as Archetype;
    const start = tape.count;
    const references = tape.references.length;
    this.midway.push({ index, start, references, archetype: id });
    for (let k = 0; k < stores.length; k++) this.save(stores[k] as Store, index);
    tape.reserve(3);
    const { numbers, count } = tape;
    numbers[count] = count - start;
    numbers[count + 1] = tape.references.length - references;
    numbers[count + 2] = VALUES;
    tape.count = count + 3;
  }

  /** values …, row, entity, head with the archetype */
  destroyed(entity: Entity, index: number, archetype: Archetype, takenBack: boolean): void {
    if (this.midway.length !== 0 && this.destroyedElsewhere(entity, index, takenBack)) return;
    const { world } = this;
    const row = world.table.info[(index << 2) | ROW] as number;
    const kind = takenBack ? TAKEN_BACK_WITH_VALUES : DESTROYED_WITH_VALUES;
    if (!takenBack && world.recorder === this && !world.isExtended) {
      this.leaveOnes.learn(archetype, world.table);
      world.shortcut = this.leaveOnes.current(world.table)?.leave;
    }
    copyOf(world, archetype).save(index, this.tape, row, entity, kind + KINDS * archetype.id);
  }

  /**
   * what the extension needs, two numbers for each; archetype with row, and entity, of each; values … of each; how many numbers
   * in all, how many entities, head with the owner
   *
   * All in one: a record for each would take 43 ns of time and 9 numbers, in place of 9 and 6.
   */
  destroyingAll(doomed: IndexList, leaver: Extension): void {
    const { tape } = this;
    const { ids, count } = doomed;
    const fixed = count * 4 + 3;
    // Counted only where there might not be room for as many as there can be.
    if (tape.count + fixed + count * this.mostValues() > tape.numbers.length) {
      tape.reserve(fixed + this.valuesOf(doomed));
    }
    const { numbers, count: start } = tape;
    leaver.leavingAll?.(doomed, numbers, start);
    tape.count = start + count * 4;
    leaveRecorded(this.world, ids, count, leaver.loops as LeaveLoops, tape, start + count * 2);
    const at = tape.count;
    numbers[at] = at + 3 - start;
    numbers[at + 1] = count;
    numbers[at + 2] = this.headOf(leaver.reversible as Reversible) - CHANGED + DESTROYED_ALL;
    tape.count = at + 3;
  }

  /** How many numbers an entity of this world holds at most. */
  private mostValues(): number {
    const { all } = this.world.graph;
    for (; this.asked < all.length; this.asked++) {
      this.most = Math.max(this.most, (all[this.asked] as Archetype).packed);
    }
    return this.most;
  }

  /** How many numbers the values of entities take. */
  private valuesOf({ ids, count }: IndexList): number {
    const { table, graph } = this.world;
    const { info } = table;
    let size = 0;
    for (let k = 0; k < count; k++) size += (graph.all[info[(ids[k] << 2) | ARCHETYPE]] as Archetype).packed;
    return size;
  }

  /** distance to the values that `destroying` wrote, distance of their references, row, entity, head with the archetype */
  private destroyedElsewhere(entity: Entity, index: number, takenBack: boolean): boolean {
    const { tape, midway } = this;
    let at = midway.length - 1;
    while (at >= 0 && midway[at]?.index !== index) at--;
    if (at < 0) return false;
    // Before the positions are taken off their list: as long as they are on it, the tape is not cut.
    tape.reserve(5);
    const { start, references, archetype } = midway[at] as Leaving;
    // What stands above it was begun inside and refused.
    midway.length = at;
    const { numbers, count } = tape;
    numbers[count] = count - start;
    numbers[count + 1] = tape.references.length - references;
    numbers[count + 2] = this.world.table.info[(index << 2) | ROW] as number;
    numbers[count + 3] = entity;
    numbers[count + 4] = (takenBack ? TAKEN_BACK : DESTROYED) + KINDS * archetype;
    tape.count = count + 5;
    return true;
  }

  /** row before, entity, head with the component */
  added(entity: Entity, _index: number, store: Store, row: number): void {
    const { tape } = this;
    tape.reserve(3);
    const { numbers, count } = tape;
    numbers[count] = row;
    numbers[count + 1] = entity;
    numbers[count + 2] = ADDED + KINDS * store.id;
    tape.count = count + 3;
  }

  /** values …, row, entity, head with the component */
  removing(entity: Entity, index: number, store: Store): void {
    const { tape, world } = this;
    const row = world.table.info[(index << 2) | ROW] as number;
    exactOf(world, store).put(store.rowOf(index), tape, row, entity, REMOVED + KINDS * store.id);
  }

  /** value (or a reference), entity, head with component and field */
  writing(entity: Entity, _index: number, store: Store, field: number, before: unknown): void {
    const { tape } = this;
    tape.reserve(3);
    const { numbers, count } = tape;
    const head = KINDS * (field + FIELDS * store.id);
    if (typeof before === "number") {
      numbers[count] = before;
      numbers[count + 1] = entity;
      numbers[count + 2] = head + WROTE;
      tape.count = count + 3;
    } else {
      tape.references.push(before);
      numbers[count] = entity;
      numbers[count + 1] = head + WROTE_REFERENCE;
      tape.count = count + 2;
    }
  }

  // See `whole-records.ts`.

  spawnedMany(entities: readonly Entity[]): void {
    recordSpawned(this.tape, entities, SPAWNED_MANY);
  }

  destroyingWhole(archetype: Archetype): number {
    return recordDestroyed(this.tape, this.listWriter, archetype, DESTROYED_WHOLE + KINDS * archetype.id);
  }

  addingToAll(archetype: Archetype, stores: readonly Store[]): number {
    return recordAdded(this.tape, archetype, stores, ADDED_TO_ALL);
  }

  removingFromAll(archetype: Archetype, stores: readonly Store[]): number {
    return recordRemoved(this.tape, this.listWriter, archetype, stores, REMOVED_FROM_ALL);
  }

  /** See `column-copy.ts`. */
  copying(store: Store, visited: number): boolean {
    return this.hearsAll && this.copier.copy(store, visited, this.tape, COPIED + KINDS * store.id);
  }

  copied(store: Store): void {
    this.copier.takeBack(store, this.tape, COPIED + KINDS * store.id);
  }

  /** a, b, entity (0: none), head with the owner; the extra, if any, is a reference */
  changed(owner: Reversible, entity: Entity | null, a: number, b: number, extra?: unknown): void {
    const { tape } = this;
    if (tape.count + 4 > tape.numbers.length) tape.reserve(4);
    if (owner !== this.lastOwner) this.turnTo(owner);
    const { numbers, count } = tape;
    numbers[count] = a;
    numbers[count + 1] = b;
    numbers[count + 2] = entity === null ? 0 : entity;
    numbers[count + 3] = this.ownerHead;
    tape.count = count + 4;
    if (extra !== undefined) {
      numbers[count + 3] = this.ownerHead - CHANGED + CHANGED_WITH;
      tape.references.push(extra);
    }
  }

  /** What a record of `changed` ends with. */
  headOf(owner: Reversible): number {
    if (owner !== this.lastOwner) this.turnTo(owner);
    return this.ownerHead;
  }

  private save(store: Store, index: number): void {
    if (store.fields.length === 0) return;
    const { tape } = this;
    const row = store.rowOf(index);
    const { packed } = store;
    if (packed !== 0) {
      tape.reserve(packed);
      exactOf(this.world, store).save(row, tape.numbers, tape.count);
      tape.count += packed;
    }
    if (packed !== store.fields.length) {
      exactOf(this.world, store).saveReferences(row, tape.references, tape.references.length);
    }
  }

  private turnTo(owner: Reversible): void {
    let number = this.owners.indexOf(owner);
    if (number < 0) number = this.owners.push(owner) - 1;
    this.lastOwner = owner;
    this.ownerHead = CHANGED + KINDS * number;
  }
}
