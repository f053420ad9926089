/**
 * Which entity has which body. Found by entity for calls of users, by number for moves of the engine.
 */
import { type Component, type Entity, indexOf, type ValueOf } from "../../ecs/index.ts";
import type { RigidBody } from "../components.ts";

/** The values of a `RigidBody`. */
export type BodyValues = typeof RigidBody extends Component<infer S> ? Readonly<ValueOf<S>> : never;

/** The body of one entity. */
export interface BodyRecord {
  readonly entity: Entity;
  /** Its number in the engine. */
  readonly number: number;
  /** The component as last applied to the engine. */
  seen: BodyValues;
  /** `work` of the records when the component was last updated with the motion of the body. */
  readAt: number;
  /** Whether it is enabled in the engine; not while its entity is inactive. */
  enabled: boolean;
  /** Whether an ancestor moves it: then it follows the tree. */
  follows: boolean;
  /** Whether a follower has arrived and does not move. */
  still: boolean;
  /** The entities whose colliders are its shapes. */
  readonly colliders: Set<Entity>;
  /** The entities whose joints hold it. */
  readonly joints: Set<Entity>;
}

/** x, y, rotation, scaleX, scaleY, skew. */
export const TRANSFORM_WIDTH = 6;

export class BodyRecords {
  private readonly byNumber: (BodyRecord | undefined)[] = [];
  private readonly byIndex: (BodyRecord | undefined)[] = [];
  private readonly records = new Set<BodyRecord>();
  /** Incremented whenever the engine may have changed the motion of bodies; compared with `readAt` of a record. */
  work = 0;
  /** The followers among them. */
  readonly followers = new Set<BodyRecord>();
  /**
   * The local transform of each body as the engine has it, by number. A row that differs was written by other code.
   */
  transforms = new Float32Array(64 * TRANSFORM_WIDTH);
  /** By number: the index of the entity, 0 where there is none, and that of its parent as of the last time, 0 for a root. */
  indices = new Int32Array(64);
  parents = new Int32Array(64);

  /** Call when the engine runs: afterwards the motion of bodies may differ from their components. */
  noteWork(): void {
    this.work++;
  }

  of(entity: Entity): BodyRecord | undefined {
    const record = this.byIndex[indexOf(entity)];
    return record?.entity === entity ? record : undefined;
  }

  at(number: number): BodyRecord | undefined {
    return this.byNumber[number];
  }

  get size(): number {
    return this.records.size;
  }

  [Symbol.iterator](): IterableIterator<BodyRecord> {
    return this.records.values();
  }

  /** @param parent - The index of the parent; 0 for a root. */
  add(record: BodyRecord, parent: number): void {
    this.byNumber[record.number] = record;
    this.byIndex[indexOf(record.entity)] = record;
    this.records.add(record);
    this.reserve(record.number + 1);
    this.indices[record.number] = indexOf(record.entity);
    this.parents[record.number] = parent;
  }

  private reserve(count: number): void {
    if (count <= this.indices.length) return;
    const room = Math.max(count, this.indices.length * 2);
    this.transforms = grown(this.transforms, new Float32Array(room * TRANSFORM_WIDTH));
    this.indices = grown(this.indices, new Int32Array(room));
    this.parents = grown(this.parents, new Int32Array(room));
  }

  remove(record: BodyRecord): void {
    this.byNumber[record.number] = undefined;
    this.indices[record.number] = 0;
    // A later entity at the same index may have its own already.
    if (this.byIndex[indexOf(record.entity)] === record) this.byIndex[indexOf(record.entity)] = undefined;
    this.records.delete(record);
    this.followers.delete(record);
  }
}

function grown<T extends Float32Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
