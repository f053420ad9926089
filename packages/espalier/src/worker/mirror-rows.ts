/**
 * Rows of a block, written into the transforms of a mirror.
 */
import { type Component, type Entity, indexOf, type Schema, type World } from "../ecs/index.ts";
import type { IdMap } from "../history/index.ts";
import { type TransformBatch, transformBatch } from "../transform/index.ts";
import type { Section } from "./block.ts";
import type { AnySpace } from "./contract.ts";

/** Writes the transforms of one space. */
export class MirrorRows {
  private readonly world: World;
  private readonly space: AnySpace;
  private readonly ids: IdMap;
  private readonly fields: readonly string[];
  /** By the index of an entity in the worker: its handle there, and its entity here. The id map takes five times as long. */
  private sources = new Float64Array(0);
  private readonly entities: Entity[] = [];
  /** The last rows: their entities, and the indices of those that exist here. */
  private last = new Float64Array(0);
  private batch: TransformBatch | undefined = undefined;
  private positions: Int32Array | undefined = undefined;
  private version = -1;

  constructor(world: World, space: AnySpace, ids: IdMap) {
    this.world = world;
    this.space = space;
    this.ids = ids;
    this.fields = Object.keys(space.component.schema);
  }

  write({ ids, rows, width }: Section): void {
    const { world } = this;
    if (this.batch === undefined || this.version !== world.version || !isSame(ids, this.last)) {
      this.find(ids, rows, width);
    }
    const { batch, positions } = this;
    batch?.write(positions === undefined ? rows : rowsAt(rows, positions, width));
  }

  /** Finds the entities of the rows, which are the same as long as neither the rows nor the world's structure change. */
  private find(ids: Float64Array, rows: Section["rows"], width: number): void {
    // A copy, because the block is returned to the worker.
    this.last = ids.slice();
    this.positions = undefined;
    try {
      this.batch = transformBatch(this.space, this.known(ids));
    } catch {
      // One of them is missing, or has no transform yet: each is checked.
      this.findEach(ids, rows, width);
    }
    this.version = this.world.version;
  }

  private findEach(ids: Float64Array, rows: Section["rows"], width: number): void {
    const { world, space } = this;
    const component = space.component as unknown as Component<Schema>;
    const found: Entity[] = [];
    const positions: number[] = [];
    for (let k = 0; k < ids.length; k++) {
      const entity = this.entityOf(ids[k] as Entity);
      // Destroyed on the page, which should not do that; the next snapshot restores it.
      if (entity === undefined || !world.isAlive(entity)) continue;
      if (!world.has(entity, component)) this.add(entity, rows, k * width, width);
      found.push(entity);
      positions.push(k);
    }
    this.batch = transformBatch(space, found);
    this.positions = Int32Array.from(positions);
  }

  /** An entity that got its transform in this tick: all fields are in its row. */
  private add(entity: Entity, rows: Section["rows"], from: number, width: number): void {
    const values: { [field: string]: number } = {};
    for (let f = 0; f < width; f++) values[this.fields[f] as string] = rows[from + f] as number;
    (this.space as { setLocal(entity: Entity, values: object): void }).setLocal(entity, values);
  }

  /** The known entities of the rows; a batch refuses dead and missing ones. */
  private known(ids: Float64Array): Entity[] {
    const { sources, entities } = this;
    const found: Entity[] = [];
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k] as Entity;
      const index = indexOf(id);
      found.push((sources[index] === id ? entities[index] : this.entityOf(id)) as Entity);
    }
    return found;
  }

  private entityOf(id: Entity): Entity | undefined {
    const entity = this.ids.entityOf(id);
    if (entity === undefined) return undefined;
    const index = indexOf(id);
    if (index >= this.sources.length) this.grow(index + 1);
    this.sources[index] = id;
    this.entities[index] = entity;
    return entity;
  }

  private grow(needed: number): void {
    const { sources } = this;
    this.sources = new Float64Array(Math.max(needed, sources.length * 2, 1024));
    this.sources.set(sources);
    while (this.entities.length < this.sources.length) this.entities.push(0 as Entity);
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function rowsAt(rows: Section["rows"], positions: Int32Array, width: number): Section["rows"] {
  const chosen = new (rows.constructor as Float32ArrayConstructor)(positions.length * width);
  positions.forEach((position, k) => {
    chosen.set(rows.subarray(position * width, (position + 1) * width), k * width);
  });
  return chosen;
}
