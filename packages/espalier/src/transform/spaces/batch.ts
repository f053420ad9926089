/**
 * Writing the transforms of many entities at once: physics, animation, snapshots from elsewhere.
 */
import type { Entity, EntityLike } from "../../ecs/index.ts";
import { requireList } from "../../ecs/internal.ts";
import { SCRATCH_ADDRESS, type SlotNumbers } from "../../inherit/internal.ts";
import { requireFinite } from "../checks/check-numbers.ts";
import { InvalidSpaceError } from "../errors.ts";
import type { DerivedNumbers } from "../maths/geometry.ts";
import type { SpaceState } from "./space-state.ts";
import { fieldsOf, recordFields, setLocal } from "./write-local.ts";

/** Rows of up to 6 floats, with their slots, that have room in the first page of a kernel. */
const CHUNK = 2048;
/** The check in the kernel reads up to so many floats behind the last one. */
const READ_BEHIND = 16;

/** A list of entities whose transforms are written together, any number of times. */
export class TransformBatch {
  /** The entities, in the order of the rows. */
  readonly entities: readonly Entity[];
  private readonly state: SpaceState;
  private readonly slots: Int32Array;
  /** What the slots were found for. */
  private version = -1;

  /** @internal Use `transformBatch(space, entities)`. */
  constructor(state: SpaceState, entities: readonly Entity[]) {
    requireList(entities, "write transforms together", "what to write");
    this.state = state;
    this.entities = [...entities];
    this.slots = new Int32Array(this.entities.length);
    this.findSlots();
  }

  /**
   * Writes one row per entity, in their order. In the plane 2 numbers each for x, y; 3 for x, y, rotation; 5 for x, y,
   * rotation, scaleX, scaleY; 6 for skew too. In three dimensions 3 for the position; 7 for position and quaternion; 10 for
   * the scales too. Fields that are not given stay.
   *
   * @throws DeadEntityError, InvalidTransformError for a number that is not finite as it would be stored, or
   * InvalidSpaceError; nothing is written then.
   */
  write(rows: Float32Array | Float64Array): void {
    if (this.version !== versionOf(this.state)) this.findSlots();
    writeRows(this.state, this.entities, this.slots, rows);
  }

  private findSlots(): void {
    const { state, slots, entities } = this;
    for (let k = 0; k < slots.length; k++) slots[k] = requireSlot(state, entities[k]);
    this.version = versionOf(state);
  }
}

/** Changes whenever an entity may have another slot, or none, or no transform. */
function versionOf(s: SpaceState): number {
  return s.order.version + s.tree.world.version;
}

/** The slot of an entity with a transform. */
function requireSlot(s: SpaceState, entity: EntityLike): number {
  const node = s.flow.nodeOf(entity, "write transforms");
  if (s.hasTransform(node)) return s.order.slotOf[node];
  throw new InvalidSpaceError(
    `Cannot write transforms together: ${s.tree.label(entity)} has no ${s.component.name}. Add one, or leave it out.`,
    { entities: [entity], component: s.component.name },
  );
}

function writeRows(s: SpaceState, entities: readonly Entity[], slots: Int32Array, given: SlotNumbers): void {
  const width = requireRows(s, slots.length, given);
  if (slots.length === 0) return;
  const { fields, derived } = s.geometry;
  // Large doubles become infinities when they are rounded.
  const rows = s.isSingle && given instanceof Float64Array ? new Float32Array(given) : given;
  if (!(s.kernel.usesWasm ? areFiniteInWasm(s, rows) : areFinite(rows))) {
    for (let k = 0; k < rows.length; k++)
      requireFinite(s, entities[Math.floor(k / width)], fields[k % width], given[k]);
  }
  if (s.store.heard) {
    // One by one, so that listeners are notified of each. An observer of an earlier one may have destroyed it.
    for (let k = 0; k < entities.length; k++) {
      if (s.tree.world.isAlive(entities[k])) setLocal(s, entities[k], fieldsOf(s, rows, k * width, 0, width));
    }
    return;
  }
  if (s.store.recorded) {
    for (let k = 0; k < slots.length; k++) recordFields(s, entities[k], slots[k], rows, k * width, 0, width);
  }
  const isTurned = derived !== undefined && width > derived.from;
  if (isTurned && s.kernel.usesWasm) {
    copyInWasm(s, slots, rows, width);
    s.derive(slots, slots.length, true);
  } else copyRows(s, slots, rows, width, isTurned ? derived : undefined);
  s.flow.markAll(slots);
}

/**
 * Whether all numbers are finite: multiplying by 0 gives 0 for those. Four sums at a time, because each waits for its last
 * addition.
 */
function areFinite(values: SlotNumbers): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const end = values.length & -4;
  for (let k = 0; k < end; k += 4) {
    a += values[k] * 0;
    b += values[k + 1] * 0;
    c += values[k + 2] * 0;
    d += values[k + 3] * 0;
  }
  for (let k = end; k < values.length; k++) a += values[k] * 0;
  return a + b + c + d === 0;
}

/** A fifth of the time of `areFinite`, in three dimensions the same: that kernel does not know it. */
function areFiniteInWasm({ kernel }: SpaceState, rows: SlotNumbers): boolean {
  const check = kernel.exports?.areFinite;
  if (check === undefined) return areFinite(rows);
  const { buffer } = kernel.memory.wasm as WebAssembly.Memory;
  const length = CHUNK * 6;
  const given = new Float32Array(buffer, SCRATCH_ADDRESS, length + READ_BEHIND);
  for (let k = 0; k < rows.length; k += length) {
    const part = rows.subarray(k, k + length);
    given.set(part);
    given.fill(0, part.length, part.length + READ_BEHIND);
    if (check(SCRATCH_ADDRESS, part.length) === 0) return false;
  }
  return true;
}

function copyRows(
  { local, localWidth }: SpaceState,
  slots: Int32Array,
  rows: SlotNumbers,
  width: number,
  derived: DerivedNumbers | undefined,
): void {
  for (let k = 0, r = 0; k < slots.length; k++, r += width) {
    const l = Math.imul(slots[k], localWidth);
    local[l] = rows[r];
    local[l + 1] = rows[r + 1];
    if (width > 2) local[l + 2] = rows[r + 2];
    // Fields one by one: two thirds of the time of a loop over all of them.
    if (width > 3) {
      local[l + 3] = rows[r + 3];
      local[l + 4] = rows[r + 4];
    }
    for (let f = 5; f < width; f++) local[l + f] = rows[r + f];
    if (derived !== undefined) derived.compute(local, l);
  }
}

/** A third of the time of `copyRows`: so many rows at a time as the kernel has room for. */
function copyInWasm(
  { kernel, local }: SpaceState,
  slots: Int32Array,
  rows: SlotNumbers,
  width: number,
): void {
  const { buffer } = kernel.memory.wasm as WebAssembly.Memory;
  const givenSlots = new Int32Array(buffer, SCRATCH_ADDRESS, CHUNK);
  const givenRows = new Float32Array(buffer, SCRATCH_ADDRESS + givenSlots.byteLength, CHUNK * width);
  for (let k = 0; k < slots.length; k += CHUNK) {
    const part = slots.subarray(k, k + CHUNK);
    givenSlots.set(part);
    givenRows.set(rows.subarray(k * width, (k + CHUNK) * width));
    kernel.exports?.writeRows(local.byteOffset, SCRATCH_ADDRESS, givenRows.byteOffset, width, part.length);
  }
}

/** How many numbers there are for each entity. */
function requireRows(s: SpaceState, count: number, rows: SlotNumbers): number {
  if (!(rows instanceof Float32Array || rows instanceof Float64Array)) {
    throw new InvalidSpaceError(
      "Cannot write transforms together: the rows must be a Float32Array or a Float64Array.",
    );
  }
  const { rowWidths } = s.geometry;
  const width = rows.length / count;
  if ((count === 0 && rows.length === 0) || rowWidths.includes(width)) return width;
  const widths = `${rowWidths.slice(0, -1).join(", ")} or ${rowWidths.at(-1)}`;
  throw new InvalidSpaceError(
    `Cannot write ${count} transforms from ${rows.length} floats. Give ${widths} for each entity.`,
  );
}
