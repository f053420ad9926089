/**
 * "Has anything below this changed?", answered by comparing two numbers.
 */

import type { Entity } from "../../ecs/index.ts";
import {
  COPIED,
  INDEX_MASK,
  KINDS,
  type RecordReader,
  type Records,
  ROOM,
  ROOM_WITH,
  readCopy,
  recordSize,
  recordsOf,
  type Store,
  stateOf,
} from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireTree, type TreeReversible, treeOf } from "../../hierarchy/internal.ts";

/**
 * Keeps a version for every subtree of a hierarchy from now on. Changes are recorded meanwhile, and looked at when a version
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

/** Records are looked at when they take more than this many bytes, whether a version is read or not. */
const MOST_BYTES = 2 ** 22;

/** Numbers that grow whenever something in a subtree changes. Made by `createVersions`. */
export class Versions {
  private readonly tree: Hierarchy;
  private readonly reader: RecordReader;
  /** By node; 0 stands for all roots. One that has `current` implies that all above it have it too. */
  private versions: Float64Array;
  private current = 1;
  private isClosed = false;

  /** @internal Use `createVersions`. */
  constructor(tree: Hierarchy) {
    this.tree = tree;
    this.versions = new Float64Array(stateOf(tree.world).table.capacity);
    const records = recordsOf(stateOf(tree.world));
    this.reader = records.open(() => {
      if (records.bytesSince(this.reader) > MOST_BYTES) this.catchUp();
    });
  }

  /**
   * A number that is another one whenever the entity or something below it has changed since it was read: a component
   * added, removed or given another value, an entity attached, detached, moved, reordered, created, destroyed or
   * renamed. `null`: anything in the hierarchy. What is only above or beside the entity does not count, nor do other
   * hierarchies.
   */
  versionOf(entity: Entity | null): number {
    const node = entity === null ? 0 : stateOf(this.tree.world).require(entity, "read the version");
    if (!this.isClosed) this.catchUp();
    return this.versions[node] ?? 0;
  }

  /** Ends it: versions no longer change. */
  close(): void {
    if (this.isClosed) return;
    this.catchUp();
    this.isClosed = true;
    if (!this.tree.world.isDisposed) recordsOf(stateOf(this.tree.world)).close(this.reader);
  }

  /** Looks at what was recorded since the last time. */
  private catchUp(): void {
    const state = stateOf(this.tree.world);
    const { table } = state;
    const records = recordsOf(state);
    if (records.end.numbers === this.reader.numbers) return;
    this.current++;
    if (this.versions.length < table.capacity) {
      const grown = new Float64Array(table.capacity);
      grown.set(this.versions);
      this.versions = grown;
    }
    const read = records.since(this.reader);
    records.skip(this.reader);
    while (read.count > 0) {
      this.look(read);
      read.count -= recordSize(stateOf(this.tree.world), read);
    }
  }

  /** Marks what the last record is about. Links changed since then have records of their own, which mark where it was. */
  private look(read: Records): void {
    const { numbers, count: end } = read;
    const state = stateOf(this.tree.world);
    const { links, reversible } = treeOf(this.tree);
    const head = numbers[end - 1];
    const kind = head % KINDS;
    const detail = (head - kind) / KINDS;
    const node = numbers[end - 2] & INDEX_MASK;
    if (kind === COPIED) {
      const store = state.stores[detail] as Store;
      readCopy(read, end, store, (entity, field, before) => {
        if (!state.isAlive(entity) || !state.hasAt(entity & INDEX_MASK, store)) return;
        const column = store.columns[store.names[field] as string] as ArrayLike<number>;
        if (!Object.is(column[store.rowOf(entity & INDEX_MASK)], before)) this.mark(entity & INDEX_MASK);
      });
    } else if (kind === ROOM || kind === ROOM_WITH) {
      const owner: unknown = recordsOf(state).owners[detail];
      if (owner !== reversible) {
        // Other hierarchies do not count.
        if (node !== 0 && !(owner as Partial<TreeReversible>).isTree) this.mark(node);
        return;
      }
      // A place: the old parent has a child less, the new one another.
      const from = numbers[end - 4];
      this.mark(from >= 0 ? from & INDEX_MASK : node);
      if (from >= 0) this.mark(Math.max(links.parent(node), 0));
    } else this.mark(node);
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
