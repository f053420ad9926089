/**
 * "Has anything below this changed?", answered by comparing two numbers.
 */
import {
  type Archetype,
  type Entity,
  INDEX_MASK,
  type Recorder,
  type Reversible,
  type Store,
} from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { addRecorder, removeRecorder } from "./recorders.ts";

/**
 * Keeps a version for every subtree of a hierarchy from now on. Costs a walk up to the root for the first change after
 * versions were read, and one step for further changes of the same entity. `close()` it when it is no longer needed.
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
  tree.world.requireUsable("keep versions");
  return new Versions(tree);
}

export class Versions implements Recorder {
  private readonly tree: Hierarchy;
  /** By node; 0 stands for all roots. One that has `current` implies that all above it have it too. */
  private versions: Float64Array;
  private current = 1;
  /** Whether somebody has read a version since the last change: only then must the next change differ. */
  private wasRead = false;
  private readonly endPlaced: () => void;

  /** @internal Use `createVersions`. */
  constructor(tree: Hierarchy) {
    this.tree = tree;
    this.versions = new Float64Array(tree.world.table.capacity);
    this.endPlaced = tree.onPlaced((_child, from, to) => {
      // A new entity is told of by `spawned`, one that dies by `changed`.
      if (from !== -1 && to !== -1) this.mark(to);
    });
    addRecorder(tree.world, this);
  }

  /**
   * A number that is another one whenever the entity or something below it has changed since it was read: a component
   * added, removed or given another value, an entity attached, detached, moved, reordered, created, destroyed or
   * renamed. `null`: anything in the hierarchy. What is only above or beside the entity does not count, nor do other
   * hierarchies.
   */
  versionOf(entity: Entity | null): number {
    this.wasRead = true;
    const node = entity === null ? 0 : this.tree.world.require(entity, "read the version");
    return this.versions[node] ?? 0;
  }

  /** Ends it: versions no longer change. */
  close(): void {
    this.endPlaced();
    if (!this.tree.world.isDisposed) removeRecorder(this.tree.world, this);
  }

  // Recorder -----------------------------------------------------------------------------------------------------------

  /** @internal */
  spawned(_entity: Entity, index: number): void {
    // Whoever lived there before may have been marked under other ancestors.
    if (index < this.versions.length) this.versions[index] = 0;
    this.mark(index);
  }

  /** @internal Its place is told of by `changed`. */
  destroying(): void {}

  /** @internal */
  destroyed(_entity: Entity, _index: number, _archetype: Archetype): void {}

  /** @internal */
  added(_entity: Entity, index: number): void {
    this.mark(index);
  }

  /** @internal */
  removing(_entity: Entity, index: number): void {
    this.mark(index);
  }

  /** @internal */
  writing(_entity: Entity, index: number): void {
    this.mark(index);
  }

  /** @internal */
  touched(_entity: Entity, index: number, _store: Store): void {
    this.mark(index);
  }

  /** @internal */
  changed(owner: Reversible, entity: Entity | null, a: number): void {
    const node = (entity ?? 0) & INDEX_MASK;
    // A place: the old parent has a child less, or its children another order. The new one is told by `onPlaced`.
    if (owner === this.tree && a >= 0 && node !== 0) this.mark(this.tree.links.parent(node));
    else if (owner === this.tree || (entity !== null && !("parentOf" in owner))) this.mark(node);
  }

  private mark(start: number): void {
    if (this.wasRead) {
      this.wasRead = false;
      this.current++;
    }
    const { links } = this.tree;
    const { capacity } = this.tree.world.table;
    if (this.versions.length < capacity) {
      const grown = new Float64Array(capacity);
      grown.set(this.versions);
      this.versions = grown;
    }
    const { versions, current } = this;
    let node = start;
    while (node > 0 && versions[node] !== current) {
      versions[node] = current;
      node = links.parent(node);
    }
    if (node <= 0) versions[0] = current;
  }
}
