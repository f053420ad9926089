/**
 * "Has anything below this changed?", answered by comparing two numbers.
 */

import type { Entity, EntityLike } from "../../ecs/index.ts";
import {
  type ChangeRecords,
  INDEX_MASK,
  type RecordReader,
  ROOM,
  ROOM_WITH,
  stateOf,
  type WorldState,
} from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireTree, type TreeReversible, treeOf } from "../../hierarchy/internal.ts";
import { readRecords } from "./read-records.ts";
import { recordsToRead } from "./transaction.ts";

/**
 * Maintains a version for every subtree of a hierarchy from now on. Changes are recorded, and processed when a version
 * is read. `close()` it when it is no longer needed.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank, Health);
 * const versions = createVersions(tree);
 * const before = versions.versionOf(tank);
 * world.set(turret, Health, { hp: 50 });
 * versions.versionOf(tank) === before; // → false
 * ```
 */
export function createVersions(tree: Hierarchy): Versions {
  requireTree(tree, "keep versions");
  stateOf(tree.world).requireUsable("keep versions");
  return new Versions(tree);
}

/** Records are processed when they exceed this many bytes, whether a version is read or not. */
const MOST_BYTES = 2 ** 22;

/** Numbers that increase whenever something in a subtree changes. Created by `createVersions`. */
export class Versions {
  private readonly tree: Hierarchy;
  private readonly state: WorldState;
  private readonly records: ChangeRecords;
  private readonly reader: RecordReader;
  /** By node; 0 stands for all roots. If a node has `current`, so do all its ancestors. */
  private versions: Float64Array;
  private current = 1;
  private isClosed = false;

  /** @internal Use `createVersions`. */
  constructor(tree: Hierarchy) {
    this.tree = tree;
    this.state = stateOf(tree.world);
    this.versions = new Float64Array(this.state.table.capacity);
    this.records = recordsToRead(this.state);
    this.reader = this.records.open(() => {
      if (this.records.bytesSince(this.reader) > MOST_BYTES) this.catchUp();
    });
  }

  /**
   * A number that differs from the last one read whenever the entity or something below it has changed: a component
   * added, removed or given another value, an entity attached, detached, moved, reordered, created, destroyed or
   * renamed. `null`: anything in the hierarchy. Changes only above or beside the entity do not count, nor do other
   * hierarchies.
   */
  versionOf(entity: EntityLike | null): number {
    const node = entity === null ? 0 : this.state.require(entity, "read the version");
    if (!this.isClosed) this.catchUp();
    return this.versions[node] ?? 0;
  }

  /** Closes it: versions no longer change. */
  close(): void {
    if (this.isClosed) return;
    this.catchUp();
    this.isClosed = true;
    if (!this.state.isDisposed) this.records.close(this.reader);
  }

  /** Processes what was recorded since the last time. */
  private catchUp(): void {
    const { state, records, reader } = this;
    if (records.end.numbers === reader.numbers) return;
    this.current++;
    if (this.versions.length < state.table.capacity) {
      const grown = new Float64Array(state.table.capacity);
      grown.set(this.versions);
      this.versions = grown;
    }
    const read = records.since(reader);
    records.skip(reader);
    const { links, reversible } = treeOf(this.tree);
    const wrote = (entity: Entity) => this.mark(entity & INDEX_MASK);
    // Links changed since a record have records of their own, which mark where its entity was.
    readRecords(state, read, wrote, (kind, detail, entity, from) => {
      const node = entity & INDEX_MASK;
      const owner: unknown = kind === ROOM || kind === ROOM_WITH ? records.owners[detail] : undefined;
      if (owner === reversible && from >= 0) {
        // A move: the old parent has one child less, the new one has one more.
        this.mark(from & INDEX_MASK);
        this.mark(Math.max(links.parent(node), 0));
      } else if (owner === undefined || owner === reversible) this.mark(node);
      // Other hierarchies do not count.
      else if (node !== 0 && !(owner as Partial<TreeReversible>).isTree) this.mark(node);
    });
  }

  private mark(start: number): void {
    const { versions, current } = this;
    const { links } = treeOf(this.tree);
    let node = start;
    while (node > 0 && versions[node] !== current) {
      versions[node] = current;
      node = links.parent(node);
    }
    if (node <= 0) versions[0] = current;
  }
}
