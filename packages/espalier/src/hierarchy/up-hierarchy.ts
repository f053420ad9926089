/**
 * The light form: every entity knows its parent and nothing else, 8 bytes per entity.
 *
 * Children, siblings and order are not offered, and so there is nothing to keep up when an entity is destroyed: a
 * parent that died reads as `null`. For following, ownership marks and the like; where children matter use
 * `createHierarchy`.
 */
import { type Entity, INDEX_MASK, type World } from "../ecs/index.ts";
import { CircularHierarchyError } from "./errors.ts";

export interface UpHierarchyOptions {
  /** Tells several hierarchies of one world apart. `"links"` if left out. */
  readonly name?: string;
}

/** Creates a hierarchy of parent pointers only. */
export function createUpHierarchy(world: World, options: UpHierarchyOptions = {}): UpHierarchy {
  return new UpHierarchy(world, options);
}

export class UpHierarchy {
  readonly world: World;
  readonly name: string;
  readonly bytesPerNode = 8;
  /** The parent's handle, with its generation, so that a dead or replaced parent is recognised. */
  private parents: Float64Array;

  constructor(world: World, options: UpHierarchyOptions) {
    world.requireUsable("create a hierarchy");
    this.world = world;
    this.name = options.name ?? "links";
    this.parents = new Float64Array(world.table.capacity);
    world.extend({
      name: this.name,
      spawned: (index) => {
        this.parents[index] = 0;
      },
      recording: (index, recorder) => {
        if (this.parents[index] !== 0)
          recorder.changed(this, this.world.handleAt(index), this.parents[index], 0);
      },
      grow: (capacity) => {
        const parents = new Float64Array(capacity);
        parents.set(this.parents);
        this.parents = parents;
      },
    });
  }

  /** Gives `child` the parent; `null` takes it away. `false` when nothing changes. */
  attach(child: Entity, parent: Entity | null): boolean {
    const index = this.world.require(child, "attach");
    if (parent === null) return this.detach(child);
    this.world.require(parent, "attach");
    const error = this.cycle(child, parent);
    if (error !== undefined) throw error;
    if (this.parents[index] === parent) return false;
    this.write(child, index, parent);
    return true;
  }

  setParent(child: Entity, parent: Entity | null): boolean {
    return this.attach(child, parent);
  }

  /** Whether `attach(child, parent)` would be allowed. Does not throw. */
  canAttach(child: Entity, parent: Entity | null): boolean {
    if (!this.world.isAlive(child)) return false;
    if (parent === null) return true;
    return this.world.isAlive(parent) && this.cycle(child, parent) === undefined;
  }

  detach(child: Entity): boolean {
    const index = this.world.require(child, "detach");
    if (this.parentOf(child) === null) return false;
    this.write(child, index, 0);
    return true;
  }

  /** The parent; `null` for a root and for one whose parent died. */
  parentOf(entity: Entity): Entity | null {
    const parent = this.parents[this.world.require(entity, "read the parent")] as Entity;
    return parent !== 0 && this.world.isAlive(parent) ? parent : null;
  }

  isRoot(entity: Entity): boolean {
    return this.parentOf(entity) === null;
  }

  rootOf(entity: Entity): Entity {
    let root = entity;
    for (const ancestor of this.ancestors(entity)) root = ancestor;
    return root;
  }

  depthOf(entity: Entity): number {
    let depth = 0;
    for (let up = this.parentOf(entity); up !== null; up = this.parentOf(up)) depth++;
    return depth;
  }

  /** Walks up: the parent first, the root last. */
  *ancestors(entity: Entity): IterableIterator<Entity> {
    for (let up = this.parentOf(entity); up !== null; up = this.parentOf(up)) yield up;
  }

  isAncestor(ancestor: Entity, entity: Entity): boolean {
    for (let up = this.parentOf(entity); up !== null; up = this.parentOf(up))
      if (up === ancestor) return true;
    return false;
  }

  /**
   * Undoes one recorded change.
   * @throws the errors of `attach`, when something that was not recorded stands in the way.
   */
  reverse(entity: Entity | null, parent: number): void {
    const index = this.world.require(entity as Entity, "undo a change of its parent");
    const error = this.world.isAlive(parent) ? this.cycle(entity as Entity, parent as Entity) : undefined;
    if (error !== undefined) throw error;
    this.write(entity as Entity, index, parent);
  }

  private write(child: Entity, index: number, parent: number): void {
    this.world.recorder?.changed(this, child, this.parents[index], 0);
    this.parents[index] = parent;
  }

  private cycle(child: Entity, parent: Entity): CircularHierarchyError | undefined {
    const chain: Entity[] = [];
    for (let up: Entity | null = parent; up !== null; up = this.parentOf(up)) {
      chain.push(up);
      if (up !== child) continue;
      chain.reverse();
      const shown = chain.map((entity) => `#${entity & INDEX_MASK}`).join(" > ");
      return new CircularHierarchyError(
        `Cannot move #${child & INDEX_MASK} under #${parent & INDEX_MASK}: it would become its own ancestor (${shown}). Pick a parent outside it.`,
        chain,
      );
    }
    return undefined;
  }
}
