/**
 * One `InstancedMesh` for all entities of a query: one draw call, and one copy of the matrices that changed.
 */
import {
  InstancedBufferAttribute as Attribute,
  type InstancedBufferAttribute,
  type InstancedMesh,
} from "three";
import type { Entity, EntityLike, Query, Term } from "../ecs/index.ts";
import { createWorldFill, type FillPlane, type MatrixSpace, type WorldFill } from "../transform/index.ts";

/** Every range is a call of the graphics driver, which takes as long as uploading this many rows. */
const ROWS_PER_CALL = 64;

/** Options of an instanced mesh that follows a query. */
export interface InstancesOptions {
  /** Leaves out entities for which this returns `false`. Called when entities or components are added or removed. */
  readonly include?: (entity: Entity) => boolean;
  /** Called when an entity got a row of the mesh, for colours and the like. */
  readonly onRow?: (row: number, entity: Entity, mesh: InstancedMesh) => void;
}

/** The arguments of `attachInstances`, and the assigned rows. */
export class Instances {
  /** The mesh that draws all of them. */
  readonly mesh: InstancedMesh;
  private readonly fill: WorldFill;
  private readonly onRow: InstancesOptions["onRow"];
  private rowEntities: Entity[] = [];
  /** The last uploaded version of the attribute; `undefined` before the first upload. */
  private uploaded: number | undefined;
  /** The last version that wrote all rows. */
  private wholeVersion = 0;

  /** @internal Use `attachInstances`. */
  constructor(
    space: MatrixSpace,
    plane: FillPlane,
    mesh: InstancedMesh,
    query: Query<readonly Term[]>,
    options: InstancesOptions & { readonly isVisible: (entity: Entity) => boolean },
  ) {
    const { include, isVisible } = options;
    this.mesh = mesh;
    this.onRow = options.onRow;
    this.fill = createWorldFill(space, query, {
      width: 16,
      plane,
      include: (entity) => isVisible(entity) && (include?.(entity) ?? true),
    });
    this.watchUploads();
  }

  /** The number of drawn entities. */
  get count(): number {
    return this.fill.count;
  }

  /** The entity of an instance, by the `instanceId` of an intersection; `null` when there is none. */
  entityAt(instanceId: number): Entity | null {
    return this.fill.entityAt(instanceId);
  }

  /** The instance of an entity, or -1. */
  rowOf(entity: EntityLike): number {
    return this.fill.rowOf(entity);
  }

  /** Evaluates `include` again. */
  refresh(): void {
    this.fill.refresh();
  }

  /** @internal Writes changed rows, and returns how many. */
  update(): number {
    const { mesh, fill } = this;
    const count = fill.assignRows();
    const isNew = count > mesh.instanceMatrix.count;
    if (isNew) this.grow(count);
    const written = fill.update(mesh.instanceMatrix.array as Float32Array, isNew);
    const hasOtherCount = mesh.count !== count;
    mesh.count = count;
    if (written > 0 || hasOtherCount) {
      // Both are computed from the matrices on request.
      mesh.boundingSphere = null;
      mesh.boundingBox = null;
    }
    if (written === 0) return 0;
    if (fill.wroteAll) this.notifyRows();
    this.requestUpload();
    return written;
  }

  /** @internal */
  dispose(): void {
    this.fill.dispose();
  }

  // ------------------------------------------------------------------------------------------------------------------------

  private notifyRows(): void {
    if (this.onRow === undefined) return;
    const before = this.rowEntities;
    const { count } = this.fill;
    const now: Entity[] = new Array(count);
    for (let row = 0; row < count; row++) {
      now[row] = this.fill.entityAt(row) as Entity;
      if (now[row] !== before[row]) this.onRow(row, now[row], this.mesh);
    }
    this.rowEntities = now;
  }

  private requestUpload(): void {
    const { instanceMatrix } = this.mesh;
    const { wroteAll, writtenCount, count } = this.fill;
    // Earlier writes that are not uploaded yet may be outside of these ranges.
    const isWholePending = this.uploaded === undefined || this.uploaded < this.wholeVersion;
    instanceMatrix.needsUpdate = true;
    if (wroteAll || isWholePending || writtenCount > count / 2 || !this.requestRanges()) {
      instanceMatrix.clearUpdateRanges();
      instanceMatrix.addUpdateRange(0, count * 16);
      this.wholeVersion = instanceMatrix.version;
    }
  }

  /** Requests an upload of the written rows; `false` when uploading all is cheaper. */
  private requestRanges(): boolean {
    const { instanceMatrix } = this.mesh;
    const { writtenRows, count } = this.fill;
    // Pending ranges of earlier frames cost a call too.
    let cost = instanceMatrix.updateRanges.length * ROWS_PER_CALL;
    let first = writtenRows[0];
    let last = first;
    // Neighbours usually follow each other, because a subtree is written from top to bottom.
    for (let k = 1; k <= writtenRows.length; k++) {
      // A sentinel after the last row ends the last range.
      const row = k < writtenRows.length ? writtenRows[k] : -1;
      if (row >= first && row - last <= ROWS_PER_CALL) {
        last = Math.max(last, row);
        continue;
      }
      cost += ROWS_PER_CALL + last - first;
      if (cost > count) return false;
      instanceMatrix.addUpdateRange(first * 16, (last - first + 1) * 16);
      first = row;
      last = row;
    }
    return true;
  }

  private watchUploads(): void {
    const { instanceMatrix } = this.mesh;
    const before = instanceMatrix.onUploadCallback;
    instanceMatrix.onUpload(() => {
      this.uploaded = instanceMatrix.version;
      before.call(instanceMatrix);
    });
  }

  /** An attribute cannot grow: it is replaced, and the renderer's resources of the old one are freed. */
  private grow(count: number): void {
    const { mesh } = this;
    const capacity = Math.max(count, mesh.instanceMatrix.count * 2);
    mesh.dispose();
    mesh.instanceMatrix = grownCopy(mesh.instanceMatrix, capacity);
    if (mesh.instanceColor !== null) mesh.instanceColor = grownCopy(mesh.instanceColor, capacity);
    this.uploaded = undefined;
    this.watchUploads();
  }
}

function grownCopy(attribute: InstancedBufferAttribute, capacity: number): InstancedBufferAttribute {
  const { array, itemSize, usage, normalized, meshPerAttribute } = attribute;
  const grown = new (array.constructor as Float32ArrayConstructor)(capacity * itemSize).fill(1);
  grown.set(array);
  const copy = new Attribute(grown, itemSize, normalized, meshPerAttribute);
  copy.setUsage(usage);
  return copy;
}
