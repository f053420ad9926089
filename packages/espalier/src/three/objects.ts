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

/** An object as it was before an entity drove it. */
interface Driven {
  readonly entity: Entity;
  readonly object: Object3D;
  readonly matrixAutoUpdate: boolean;
  readonly matrixWorldAutoUpdate: boolean;
  /** Its place in the list. */
  row: number;
}

export class DrivenObjects implements FillMembers {
  readonly isFiltered = false;
  indices = new Int32Array(16);
  private readonly list: Driven[] = [];
  private readonly byEntity = new Map<Entity, Driven>();
  private readonly byObject = new Map<Object3D, Driven>();
  private readonly fill: WorldFill;
  /** The elements of each `matrixWorld`, in the order of the list. */
  private readonly matrices: number[][] = [];

  constructor(space: MatrixSpace, plane: FillPlane) {
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
    const { matrixAutoUpdate, matrixWorldAutoUpdate } = object;
    const driven = { entity, object, matrixAutoUpdate, matrixWorldAutoUpdate, row: this.list.length };
    object.matrixAutoUpdate = false;
    object.matrixWorldAutoUpdate = false;
    this.list.push(driven);
    this.matrices.push(object.matrixWorld.elements);
    this.byEntity.set(entity, driven);
    this.byObject.set(object, driven);
    this.fill.refresh();
  }

  /** Lets the object go and gives it back as it was. */
  remove(entity: Entity): Object3D | undefined {
    const driven = this.byEntity.get(entity);
    if (driven === undefined) return undefined;
    const { object, matrixAutoUpdate, matrixWorldAutoUpdate, row } = driven;
    const last = this.list.pop() as Driven;
    const matrix = this.matrices.pop() as number[];
    if (last !== driven) {
      this.list[row] = last;
      this.matrices[row] = matrix;
      last.row = row;
    }
    this.byEntity.delete(entity);
    this.byObject.delete(object);
    object.matrixAutoUpdate = matrixAutoUpdate;
    object.matrixWorldAutoUpdate = matrixWorldAutoUpdate;
    this.fill.refresh();
    return object;
  }

  /** Writes the world matrices that changed into their objects, and gives how many. */
  update(): number {
    const written = this.fill.updateEach(this.matrices);
    if (written === 0) return 0;
    // three.js passes a matrix on to the children that it drives itself.
    if (this.fill.wroteAll) for (const { object } of this.list) object.matrixWorldNeedsUpdate = true;
    else {
      const rows = this.fill.writtenRows;
      for (let k = 0; k < rows.length; k++) this.list[rows[k]].object.matrixWorldNeedsUpdate = true;
    }
    return written;
  }

  dispose(): void {
    for (const entity of [...this.byEntity.keys()]) this.remove(entity);
    this.fill.dispose();
  }

  // FillMembers: row k is the k-th of the list -----------------------------------------------------------------------------

  sync(): number {
    const { length } = this.list;
    if (this.indices.length < length) this.indices = new Int32Array(length * 2);
    for (let k = 0; k < length; k++) this.indices[k] = indexOf(this.list[k].entity);
    return length;
  }
}
