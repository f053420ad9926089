/**
 * The objects that entities drive, and their rows in the buffer that follows the world transforms.
 */
import type { Object3D } from "three";
import { type Entity, indexOf } from "../ecs/index.ts";
import {
  createWorldFill,
  type FillMembers,
  type FillPlane,
  type MatrixSpace,
  type WorldFill,
} from "../transform/index.ts";
import { keepWorldMatrix } from "./keep-world-matrix.ts";

/** An object as it was before an entity drove it. */
interface Driven {
  readonly entity: Entity;
  readonly object: Object3D;
  readonly matrixAutoUpdate: boolean;
  readonly matrixWorldAutoUpdate: boolean;
  readonly visible: boolean;
  /** Makes three.js write its world matrix again. */
  readonly release: () => void;
  /** Its index in the list. */
  row: number;
}

export class DrivenObjects implements FillMembers {
  readonly isFiltered = false;
  indices = new Int32Array(16);
  private readonly list: Driven[] = [];
  private readonly byEntity = new Map<Entity, Driven>();
  private readonly byObject = new Map<Object3D, Driven>();
  private readonly fill: WorldFill;
  private readonly drivesVisible: boolean;
  /** The elements of each `matrixWorld`, in the order of the list. */
  private readonly matrices: number[][] = [];
  /** Objects added since rows were last assigned. */
  private fresh: Driven[] = [];
  /**
   * In the same order: 1 if three.js visits the object, and must be notified that it moved. Most are not in a cache, so they
   * are not touched.
   */
  private readonly notified: number[] = [];
  /** Whether any object is visited, so that rows must be checked. */
  private notifiesAny = false;

  /** @param drivesVisible - Whether entities also drive the visibility of their objects. */
  constructor(space: MatrixSpace, plane: FillPlane, drivesVisible: boolean) {
    this.drivesVisible = drivesVisible;
    this.fill = createWorldFill(space, this, { width: 16, plane });
  }

  get count(): number {
    return this.list.length;
  }

  objectOf(entity: Entity): Object3D | undefined {
    return this.byEntity.get(entity)?.object;
  }

  entityOf(object: Object3D): Entity | undefined {
    return this.byObject.get(object)?.entity;
  }

  entities(): IterableIterator<Entity> {
    return this.byEntity.keys();
  }

  add(entity: Entity, object: Object3D): void {
    const { matrixAutoUpdate, matrixWorldAutoUpdate, visible } = object;
    const row = this.list.length;
    const release = keepWorldMatrix(object);
    const driven = { entity, object, matrixAutoUpdate, matrixWorldAutoUpdate, visible, row, release };
    object.matrixAutoUpdate = false;
    object.matrixWorldAutoUpdate = false;
    this.notified.push(0);
    this.list.push(driven);
    this.matrices.push(object.matrixWorld.elements);
    this.fresh.push(driven);
    this.byEntity.set(entity, driven);
    this.byObject.set(object, driven);
    this.fill.refresh();
  }

  /** Notifies three.js from now on when the object moves, because three.js passes matrices on to children that it drives itself. */
  notifyThree(object: Object3D): void {
    const driven = this.byObject.get(object);
    if (driven === undefined) return;
    this.notified[driven.row] = 1;
    this.notifiesAny = true;
    object.matrixWorldNeedsUpdate = true;
  }

  /** Releases the object and restores its former state. */
  remove(entity: Entity): Object3D | undefined {
    const driven = this.byEntity.get(entity);
    if (driven === undefined) return undefined;
    const { object, matrixAutoUpdate, matrixWorldAutoUpdate, row } = driven;
    const last = this.list.pop() as Driven;
    const matrix = this.matrices.pop() as number[];
    const isNotified = this.notified.pop() as number;
    if (last !== driven) {
      this.list[row] = last;
      this.matrices[row] = matrix;
      this.notified[row] = isNotified;
      last.row = row;
    }
    this.byEntity.delete(entity);
    this.byObject.delete(object);
    driven.release();
    object.matrixAutoUpdate = matrixAutoUpdate;
    object.matrixWorldAutoUpdate = matrixWorldAutoUpdate;
    if (this.drivesVisible) object.visible = driven.visible;
    this.fill.refresh();
    return object;
  }

  /** Writes changed world matrices into their objects, and returns how many. */
  update(): number {
    const written = this.fill.updateEach(this.matrices);
    if (written === 0 || !this.notifiesAny) return written;
    const { notified, list, fill } = this;
    if (fill.wroteAll) {
      for (let row = 0; row < list.length; row++) {
        if (notified[row] === 1) list[row].object.matrixWorldNeedsUpdate = true;
      }
    } else {
      const rows = fill.writtenRows;
      for (let k = 0; k < rows.length; k++) {
        if (notified[rows[k]] === 1) list[rows[k]].object.matrixWorldNeedsUpdate = true;
      }
    }
    return written;
  }

  /** Call it when all objects are removed. */
  dispose(): void {
    this.fill.dispose();
  }

  // FillMembers: row k is the k-th of the list -----------------------------------------------------------------------------

  sync(): number {
    const { length } = this.list;
    // New arrays, created one after the other, are adjacent in memory; those of three.js are scattered among other parts of objects,
    // and fetching them takes longer than writing.
    for (const driven of this.fresh) {
      if (this.list[driven.row] !== driven) continue;
      const { matrixWorld } = driven.object;
      matrixWorld.elements = [...matrixWorld.elements];
      this.matrices[driven.row] = matrixWorld.elements;
    }
    this.fresh = [];
    if (this.indices.length < length) this.indices = new Int32Array(length * 2);
    for (let k = 0; k < length; k++) this.indices[k] = indexOf(this.list[k].entity);
    return length;
  }
}
