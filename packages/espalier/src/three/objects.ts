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
  private matrices = new Float64Array(0);

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
    if (last !== driven) {
      this.list[row] = last;
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
    const count = this.fill.assignRows();
    const isNew = this.matrices.length < count * 16;
    if (isNew) this.matrices = new Float64Array(count * 32);
    const written = this.fill.update(this.matrices, isNew);
    if (written === 0) return 0;
    if (this.fill.wroteAll) for (let row = 0; row < count; row++) this.write(row);
    else {
      const rows = this.fill.writtenRows;
      for (let k = 0; k < rows.length; k++) this.write(rows[k]);
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

  private write(row: number): void {
    const { object } = this.list[row];
    const { elements } = object.matrixWorld;
    const from = this.matrices;
    const at = row * 16;
    elements[0] = from[at];
    elements[1] = from[at + 1];
    elements[2] = from[at + 2];
    elements[4] = from[at + 4];
    elements[5] = from[at + 5];
    elements[6] = from[at + 6];
    elements[8] = from[at + 8];
    elements[9] = from[at + 9];
    elements[10] = from[at + 10];
    elements[12] = from[at + 12];
    elements[13] = from[at + 13];
    elements[14] = from[at + 14];
    // three.js passes it on to the children that it drives itself.
    object.matrixWorldNeedsUpdate = true;
  }
}
