/**
 * Writing the transforms of many entities at once: physics, animation, snapshots from elsewhere.
 */
import type { Entity } from "../ecs/index.ts";

/** What a batch needs from its space. */
export interface BatchHost {
  /** Changes whenever an entity of the batch may have another slot, or none, or no transform. */
  readonly batchVersion: number;
  /** The slot of an entity with a transform. Throws where there is none. */
  batchSlot(entity: Entity): number;
  /** Writes rows, or throws and writes nothing. */
  writeBatch(entities: readonly Entity[], slots: Int32Array, rows: Float32Array): void;
}

/** A list of entities whose transforms are written together, as often as one likes. */
export class Batch2D {
  readonly entities: readonly Entity[];
  private readonly host: BatchHost;
  private readonly slots: Int32Array;
  private version = -1;

  /** @internal Use `space.batch(entities)`. */
  constructor(host: BatchHost, entities: readonly Entity[]) {
    this.host = host;
    this.entities = [...entities];
    this.slots = new Int32Array(entities.length);
    this.findSlots();
  }

  /**
   * Writes one row per entity, in their order: 2 floats each for x, y; 3 for x, y, rotation; 5 for x, y, rotation, scaleX,
   * scaleY; 6 for skew too. Fields that are not given stay.
   *
   * @throws DeadEntityError, InvalidTransformError or InvalidSpaceError; nothing is written then.
   */
  write(rows: Float32Array): void {
    if (this.version !== this.host.batchVersion) this.findSlots();
    this.host.writeBatch(this.entities, this.slots, rows);
  }

  private findSlots(): void {
    const { host, slots, entities } = this;
    for (let k = 0; k < slots.length; k++) slots[k] = host.batchSlot(entities[k]);
    this.version = host.batchVersion;
  }
}
