/**
 * Local transforms in the plane: reading and writing what entities say of themselves.
 */
import type { Entity, Init, InputOf } from "../ecs/index.ts";
import { announce, type Store, stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { WRITTEN } from "../inherit/internal.ts";
import type { Local2D, Point } from "./affine2d.ts";
import { Batch2D, type BatchHost } from "./batch-2d.ts";
import { InvalidSpaceError, InvalidTransformError } from "./errors.ts";
import { Flow2D } from "./flow-2d.ts";
import { type InheritMask, maskBits, setMask, setTopLevel } from "./inherit-mask.ts";
import { LOCAL, TURNED } from "./linear.ts";
import type { Schema2D, Transforms2DOptions } from "./transform-2d.ts";

/** The fields of a row, in order. */
const rowFields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"] as const;

// One bit for each.
const X = 1;
const Y = 2;
const ROTATION = 4;
const SCALE_X = 8;
const SCALE_Y = 16;
const SKEW = 32;
const ALL = 63;

export class Locals2D extends Flow2D implements BatchHost {
  private readonly store: Store;
  /** The number of each field of a row in the component. */
  private readonly fieldIds: readonly number[];
  /**
   * What a setter was given. V8 makes an object of each number that is passed on to a function it does not take in; what
   * passes through an array stays a number.
   */
  private readonly given = new Float32Array(6);

  constructor(tree: Hierarchy, options: Transforms2DOptions) {
    super(tree, options);
    this.store = stateOf(tree.world).store(this.component);
    this.fieldIds = rowFields.map((name) => this.store.names.indexOf(name));
  }

  /** The component with a position, for `spawn` and `add`: `world.spawn(space.at(100, 20))`. */
  at(x: number, y: number, rotation = 0): Init<Schema2D> {
    this.requireFinite(undefined, "x", x);
    this.requireFinite(undefined, "y", y);
    this.requireFinite(undefined, "rotation", rotation);
    return this.component({ x, y, rotation });
  }

  /** The local transform; the identity where the entity has none. */
  localOf(entity: Entity): Local2D {
    const { local } = this.records;
    const l = this.rowOf(entity);
    return {
      x: local[l],
      y: local[l + 1],
      rotation: local[l + 2],
      scaleX: local[l + 3],
      scaleY: local[l + 4],
      skew: local[l + 5],
    };
  }

  /** Writes some local fields; an entity without transform gets one. */
  setLocal(entity: Entity, values: InputOf<Schema2D>): void {
    const index = this.nodeOf(entity, "set the transform");
    for (const key of Object.keys(values) as (keyof Schema2D)[]) {
      const value = values[key];
      if (value !== undefined) this.requireFinite(entity, key, value);
    }
    if (this.hasTransform(index)) this.tree.world.set(entity, this.component, values);
    else this.tree.world.add(entity, this.component(values));
  }

  /**
   * Writes all local fields in one call: the fastest way to place one entity. What is left out becomes what it is in a new
   * transform; `scaleY` becomes `scaleX`.
   */
  setTransform(
    entity: Entity,
    x: number,
    y: number,
    rotation = 0,
    scaleX = 1,
    scaleY: number = scaleX,
    skew = 0,
  ): void {
    const { given } = this;
    if (!isNumbers(x, y) || !isNumbers(rotation, skew) || !isNumbers(scaleX, scaleY))
      this.refuse(entity, { x, y, rotation, scaleX, scaleY, skew });
    given[0] = x;
    given[1] = y;
    given[2] = rotation;
    given[3] = scaleX;
    given[4] = scaleY;
    given[5] = skew;
    this.writeGiven(entity, ALL);
  }

  setPosition(entity: Entity, x: number, y: number): void {
    if (!isNumbers(x, y)) this.refuse(entity, { x, y });
    this.given[0] = x;
    this.given[1] = y;
    this.writeGiven(entity, X | Y);
  }

  /** In radians, positive from +x towards +y. */
  setRotation(entity: Entity, rotation: number): void {
    if (!isNumbers(rotation, 0)) this.refuse(entity, { rotation });
    this.given[2] = rotation;
    this.writeGiven(entity, ROTATION);
  }

  /** @param scaleY As `scaleX` if left out. */
  setScale(entity: Entity, scaleX: number, scaleY: number = scaleX): void {
    if (!isNumbers(scaleX, scaleY)) this.refuse(entity, { scaleX, scaleY });
    this.given[3] = scaleX;
    this.given[4] = scaleY;
    this.writeGiven(entity, SCALE_X | SCALE_Y);
  }

  /** The tangent of the angle by which +y leans towards +x. */
  setSkew(entity: Entity, skew: number): void {
    if (!isNumbers(skew, 0)) this.refuse(entity, { skew });
    this.given[5] = skew;
    this.writeGiven(entity, SKEW);
  }

  /**
   * Writes those of the given values whose fields are asked for. So long that V8 leaves it where it is, and takes the short
   * setters into their callers instead.
   */
  private writeGiven(entity: Entity, fields: number): void {
    const { given } = this;
    const x = given[0];
    const y = given[1];
    const rotation = given[2];
    const scaleX = given[3];
    const scaleY = given[4];
    const skew = given[5];
    // Whoever listens hears of it from the world.
    const slot = this.store.heard ? -1 : this.heldSlot(entity);
    // Multiplying by 0 finds NaN and the infinities.
    if (slot < 0 || x * 0 + y * 0 + (rotation * 0 + skew * 0) + (scaleX * 0 + scaleY * 0) !== 0) {
      const values = fieldsOf(given, fields);
      // Whatever is refused now must not be found again by those who do not write it.
      given.fill(0);
      this.setLocal(entity, values);
      return;
    }
    const { local } = this.records;
    const l = slot * LOCAL;
    if (this.store.recorded) this.recordFields(entity, l, fields, given);
    let marks = 0;
    if (fields & X && local[l] !== x) {
      local[l] = x;
      marks |= WRITTEN;
    }
    if (fields & Y && local[l + 1] !== y) {
      local[l + 1] = y;
      marks |= WRITTEN;
    }
    if (fields & ROTATION && local[l + 2] !== rotation) {
      local[l + 2] = rotation;
      marks |= WRITTEN | TURNED;
    }
    if (fields & SCALE_X && local[l + 3] !== scaleX) {
      local[l + 3] = scaleX;
      marks |= WRITTEN | TURNED;
    }
    if (fields & SCALE_Y && local[l + 4] !== scaleY) {
      local[l + 4] = scaleY;
      marks |= WRITTEN | TURNED;
    }
    if (fields & SKEW && local[l + 5] !== skew) {
      local[l + 5] = skew;
      marks |= WRITTEN | TURNED;
    }
    if (marks !== 0) this.mark(slot, marks);
  }

  /** Records those of the given fields that are about to change. */
  private recordFields(entity: Entity, l: number, fields: number, given: Float32Array): void {
    const { local } = this.records;
    const { records } = stateOf(this.tree.world);
    for (let f = 0; f < rowFields.length; f++) {
      if (fields & (1 << f) && local[l + f] !== given[f])
        records.writing(entity, this.store, this.fieldIds[f], local[l + f]);
    }
  }

  /** Moves by an offset in the parent's axes. */
  translate(entity: Entity, x: number, y: number): void {
    const { local } = this.records;
    const l = this.rowOf(entity);
    this.setPosition(entity, local[l] + x, local[l + 1] + y);
  }

  /** Turns by an angle. */
  rotate(entity: Entity, angle: number): void {
    this.setRotation(entity, this.records.local[this.rowOf(entity) + 2] + angle);
  }

  // Many at once -----------------------------------------------------------------------------------------------------------

  /**
   * A list of entities with transforms, to write all of them in one call. Make it once and use it every frame.
   *
   * @example
   * ```ts
   * const space = createTransforms2D(tree);
   * const crates = [world.spawn(space.at(0, 0)), world.spawn(space.at(5, 0))];
   * const batch = space.batch(crates);
   * batch.write(Float32Array.of(1, 2, 6, 2));
   * space.localOf(crates[1]!).x; // → 6
   * ```
   */
  batch(entities: readonly Entity[]): Batch2D {
    return new Batch2D(this, entities);
  }

  /** @internal */
  get batchVersion(): number {
    return this.order.version + this.tree.world.version;
  }

  /** @internal */
  batchSlot(entity: Entity): number {
    const index = this.nodeOf(entity, "write transforms");
    if (this.hasTransform(index)) return this.order.slotOf[index];
    throw new InvalidSpaceError(
      `Cannot write transforms together: ${this.tree.label(entity)} has no ${this.component.name}. Add one, or leave it out.`,
      [entity],
    );
  }

  /** @internal */
  writeBatch(entities: readonly Entity[], slots: Int32Array, rows: Float32Array): void {
    const width = rows.length / slots.length;
    if (slots.length === 0 && rows.length === 0) return;
    if (width !== 2 && width !== 3 && width !== 5 && width !== 6) {
      throw new InvalidSpaceError(
        `Cannot write ${slots.length} transforms from ${rows.length} floats. Give 2, 3, 5 or 6 for each entity.`,
      );
    }
    if (this.store.heard) {
      this.writeEach(entities, rows, width);
      return;
    }
    if (this.store.recorded) this.recordRows(entities, slots, rows, width);
    if (this.records.writeRows(slots, rows, width, this.order.tail)) this.markAll(slots);
    else this.refuseRow(entities, rows, width);
  }

  private recordRows(
    entities: readonly Entity[],
    slots: Int32Array,
    rows: Float32Array,
    width: number,
  ): void {
    this.refuseRow(entities, rows, width);
    const { local } = this.records;
    const { records } = stateOf(this.tree.world);
    for (let k = 0, r = 0; k < slots.length; k++) {
      const l = slots[k] * LOCAL;
      for (let f = 0; f < width; f++, r++) {
        if (!Object.is(local[l + f], rows[r]))
          records.writing(entities[k], this.store, this.fieldIds[f], local[l + f]);
      }
    }
  }

  /** One by one, so that whoever listens hears of each. */
  private writeEach(entities: readonly Entity[], rows: Float32Array, width: number): void {
    this.refuseRow(entities, rows, width);
    entities.forEach((entity, k) => {
      // An observer of an earlier one may have destroyed it.
      if (this.tree.world.isAlive(entity))
        this.setLocal(entity, fieldsOf(rows.subarray(k * width), (1 << width) - 1));
    });
  }

  /** Throws if a number is not finite. */
  private refuseRow(entities: readonly Entity[], rows: Float32Array, width: number): void {
    for (let k = 0; k < rows.length; k++) {
      if (!Number.isFinite(rows[k]))
        this.requireFinite(entities[Math.floor(k / width)], rowFields[k % width], rows[k]);
    }
  }

  // What is inherited ----------------------------------------------------------------------------------------------------

  /** What the entity takes over from its parent's transform. Stays when it gets another parent. */
  setInherit(entity: Entity, mask: InheritMask): void {
    setMask(this.tree.world, entity, maskBits(mask, this.tree.world.checks));
  }

  /** A top-level entity ignores its parent's transform and keeps its lifetime. */
  setTopLevel(entity: Entity, topLevel: boolean): void {
    setTopLevel(this.tree.world, entity, topLevel, this.spaceFlags);
  }

  // Raw --------------------------------------------------------------------------------------------------------------------

  /**
   * The local records, for loops over everything: `locals[rowOf(entity)]` and the five floats behind it are x, y,
   * rotation, scaleX, scaleY, skew. What follows in a record is the space's own. After writing call `touchAll()`, or
   * `touch(entity)` for each. Nothing is checked, nobody who listens to the component is told by `touchAll`. The array is
   * replaced when the world grows and rows change with the tree: fetch both each time.
   */
  get locals(): Float32Array {
    return this.records.local;
  }

  /** The floats per row of `locals`: a slot's row is its number times this. */
  get localWidth(): number {
    return LOCAL;
  }

  /** Where the record of an entity begins in `locals`. */
  rowOf(entity: Entity): number {
    return this.order.slotOf[this.nodeOf(entity, "read the transform")] * LOCAL;
  }

  /** Says that the entity's record was written through `locals`. */
  override touch(entity: Entity): void {
    const index = this.nodeOf(entity, "touch a transform");
    this.localWritten(this.order.slotOf[index]);
    if (this.store.watched && this.hasTransform(index))
      announce(stateOf(this.tree.world), entity, this.component);
  }

  /**
   * Says that records were written through `locals`: the next pass computes all. With `{ only: "position" }` no rotation,
   * scale or skew was, which saves computing them anew.
   */
  override touchAll(options: { readonly only?: "position" } = {}): void {
    super.touchAll();
    if (options.only !== "position") this.records.composeAll(this.order.tail);
  }

  // The names other engines use ------------------------------------------------------------------------------------------

  getLocalPosition(entity: Entity): Point {
    const { x, y } = this.localOf(entity);
    return { x, y };
  }

  setLocalPosition(entity: Entity, x: number, y: number): void {
    this.setPosition(entity, x, y);
  }

  /** Throws for what is no number: arrays of numbers would take texts and `null` for some. */
  private refuse(entity: Entity, values: { readonly [field: string]: unknown }): void {
    this.nodeOf(entity, "set the transform");
    for (const field of Object.keys(values)) this.requireFinite(entity, field, values[field]);
  }

  protected requireFinite(entity: Entity | undefined, field: string, value: unknown): void {
    if (typeof value === "number" && Number.isFinite(Math.fround(value))) return;
    const of = entity === undefined ? "" : ` of ${this.tree.label(entity)}`;
    throw new InvalidTransformError(
      field,
      `Cannot set ${this.component.name}.${field}${of} to ${String(value)}: a transform holds finite numbers of 32 bits. Check the computation that gave it.`,
      entity === undefined ? [] : [entity],
    );
  }
}

function isNumbers(a: unknown, b: unknown): boolean {
  return typeof a === "number" && typeof b === "number";
}

/** Some fields of a row, by name. */
function fieldsOf(row: Float32Array, fields: number): InputOf<Schema2D> {
  const values: { [field: string]: number } = {};
  rowFields.forEach((name, f) => {
    if (fields & (1 << f)) values[name] = row[f];
  });
  return values;
}
