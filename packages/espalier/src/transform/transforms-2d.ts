/**
 * Transforms in the plane: what users call.
 *
 * World values are never stale: every read is right at once after any write or attach, in any order. `propagate()` once
 * a frame makes all reads cheap.
 */
import { type Entity, INDEX_MASK, type Init, type InputOf, type Store } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import {
  type Affine2D,
  decompose2D,
  identity2D,
  invert2D,
  type Local2D,
  multiply2D,
  type Point,
  transformDirection,
  transformPoint,
} from "./affine2d.ts";
import { composeRecord, maskMatrix } from "./compose-record.ts";
import { InvalidTransformError, SingularTransformError, UnrepresentableTransformError } from "./errors.ts";
import { Flow2D, type Schema2D, type Transforms2DOptions } from "./flow-2d.ts";
import {
  EVERYTHING,
  type InheritMask,
  InheritTransform,
  maskBits,
  POSITION,
  ROTATION,
  SCALE,
} from "./inherit-mask.ts";
import { writeCosSin } from "./sincos.ts";

/**
 * Gives the entities of a hierarchy places in the plane. Create it before the first entity that has a `Transform2D`.
 * From then on `tree.attach(child, parent, { keep: "world" })` keeps the child where it is.
 */
export function createTransforms2D(tree: Hierarchy, options: Transforms2DOptions = {}): Transforms2D {
  return new Transforms2D(tree, options);
}

export class Transforms2D extends Flow2D {
  private readonly store: Store;
  private readonly way: number[] = [];
  private readonly scratch = new Float32Array(16);
  private readonly masked = new Float64Array(6);
  private warned = false;
  private checkedVersion = -1;
  private checksLeft = 8;
  private readonly warn: (message: string) => void;

  constructor(tree: Hierarchy, options: Transforms2DOptions) {
    super(tree, options);
    this.store = tree.world.store(this.component);
    this.warn = options.onWarn ?? ((message) => console.warn(message));
    tree.addKeeper("world", (child, parent) => this.keepWorld(child, parent));
  }

  // Local --------------------------------------------------------------------------------------------------------------

  /** The component with a position, for `spawn` and `add`: `world.spawn(space.at(100, 20))`. */
  at(x: number, y: number, rotation = 0): Init<Schema2D> {
    return this.component({ x, y, rotation });
  }

  /** The local transform; the identity where the entity has none. */
  localOf(entity: Entity): Local2D {
    const { local } = this.records;
    const l = this.order.slotOf[this.nodeOf(entity, "read the transform")] << 3;
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

  setPosition(entity: Entity, x: number, y: number): void {
    const index = this.nodeOf(entity, "set the position");
    // Subtracting finds NaN and the infinities in one step.
    if (!(x - x === 0)) this.requireFinite(entity, "x", x);
    if (!(y - y === 0)) this.requireFinite(entity, "y", y);
    if (!this.hasTransform(index)) {
      this.setLocal(entity, { x, y });
      return;
    }
    const slot = this.order.slotOf[index];
    const { local } = this.records;
    const l = slot << 3;
    if (local[l] === Math.fround(x) && local[l + 1] === Math.fround(y)) return;
    if (this.store.watched) {
      this.tree.world.set(entity, this.component, { x, y });
      return;
    }
    local[l] = x;
    local[l + 1] = y;
    this.mark(slot);
  }

  setRotation(entity: Entity, rotation: number): void {
    const index = this.nodeOf(entity, "set the rotation");
    if (!(rotation - rotation === 0)) this.requireFinite(entity, "rotation", rotation);
    if (this.store.watched || !this.hasTransform(index)) {
      this.setLocal(entity, { rotation });
      return;
    }
    const slot = this.order.slotOf[index];
    const { local } = this.records;
    const l = slot << 3;
    if (local[l + 2] === Math.fround(rotation)) return;
    local[l + 2] = rotation;
    writeCosSin(local[l + 2], local, l + 6);
    this.mark(slot);
  }

  setScale(entity: Entity, scaleX: number, scaleY: number = scaleX): void {
    this.setLocal(entity, { scaleX, scaleY });
  }

  setSkew(entity: Entity, skew: number): void {
    this.setLocal(entity, { skew });
  }

  /** Moves by an offset in the parent's axes. */
  translate(entity: Entity, x: number, y: number): void {
    const local = this.localOf(entity);
    this.setPosition(entity, local.x + x, local.y + y);
  }

  /** Turns by an angle. */
  rotate(entity: Entity, angle: number): void {
    this.setRotation(entity, this.localOf(entity).rotation + angle);
  }

  /** What the entity takes over from its parent's transform. Stays when it gets another parent. */
  setInherit(entity: Entity, mask: InheritMask): void {
    const bits = maskBits(mask);
    const values = {
      position: (bits & POSITION) !== 0,
      rotation: (bits & ROTATION) !== 0,
      scale: (bits & SCALE) !== 0,
    };
    const topLevel = this.tree.world.get(entity, InheritTransform)?.topLevel ?? false;
    this.tree.world.add(entity, InheritTransform({ ...values, topLevel }));
  }

  /** A top-level entity ignores its parent's transform and keeps its lifetime. */
  setTopLevel(entity: Entity, topLevel: boolean): void {
    const { world } = this.tree;
    if (world.has(entity, InheritTransform)) world.set(entity, InheritTransform, { topLevel });
    else if (topLevel) world.add(entity, InheritTransform({ topLevel }));
  }

  /**
   * The local records, for loops over everything: eight floats per slot (x, y, rotation, scaleX, scaleY, skew, cos, sin),
   * at `slotOf(entity) * 8`. After writing, call `touchAll()`, or `touch(entity)` for each; cos and sin are computed
   * then. The array is replaced when the world grows and slots change with the tree: fetch both each time.
   */
  get locals(): Float32Array {
    return this.records.local;
  }

  /** The world records as of the last `propagate()`: a, b, c, d, x, y and two spare. */
  get worlds(): Float32Array {
    return this.records.world;
  }

  /** The slot of an entity in `locals` and `worlds`. */
  slotOf(entity: Entity): number {
    return this.order.slotOf[this.nodeOf(entity, "read the slot")];
  }

  override touch(entity: Entity): void {
    this.localWritten(this.slotOf(entity));
  }

  /** Everything was written through `locals`. With `rotations: false` none of the rotations, which saves computing them. */
  override touchAll(options: { readonly rotations?: boolean } = {}): void {
    super.touchAll();
    if (options.rotations === false) return;
    const { local } = this.records;
    for (let at = 8; at < this.order.tail << 3; at += 8) writeCosSin(local[at + 2], local, at + 6);
  }

  // World --------------------------------------------------------------------------------------------------------------

  /** The world matrix, right at once after any change. Pass `out` to have no object made. */
  worldOf(entity: Entity, out: Affine2D = identity2D()): Affine2D {
    return this.readWorld(this.nodeOf(entity, "read the world transform"), out);
  }

  worldX(entity: Entity): number {
    return this.worldOf(entity, this.shared).x;
  }

  worldY(entity: Entity): number {
    return this.worldOf(entity, this.shared).y;
  }

  worldPosition(entity: Entity, out: Point = { x: 0, y: 0 }): Point {
    const { x, y } = this.worldOf(entity, this.shared);
    out.x = x;
    out.y = y;
    return out;
  }

  /** The angle of the world's x axis. */
  worldRotation(entity: Entity): number {
    const { a, b } = this.worldOf(entity, this.shared);
    return Math.atan2(b, a);
  }

  /**
   * The lengths of the world's axes; `y` is negative for a mirrored entity. Lossy: together with the rotation it says
   * everything only where `skew` is 0.
   */
  lossyScale(entity: Entity): { x: number; y: number; skew: number } {
    const { scaleX, scaleY, skew } = decompose2D(this.worldOf(entity, this.shared));
    return { x: scaleX, y: scaleY, skew };
  }

  /** Makes the world matrix what is given, exactly, whatever the parents do. */
  setWorld(entity: Entity, wanted: Affine2D): void {
    this.setLocal(entity, this.localFor(entity, wanted, this.tree.parentOf(entity)));
  }

  setWorldPosition(entity: Entity, x: number, y: number): void {
    this.requireFinite(entity, "x", x);
    this.requireFinite(entity, "y", y);
    const inverse = this.inverseParent(entity, this.tree.parentOf(entity));
    const point = transformPoint(inverse, x, y);
    this.setPosition(entity, point.x, point.y);
  }

  setWorldRotation(entity: Entity, rotation: number): void {
    this.requireFinite(entity, "rotation", rotation);
    const now = this.worldOf(entity);
    const turn = rotation - Math.atan2(now.b, now.a);
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    this.setWorld(entity, {
      a: cos * now.a - sin * now.b,
      b: sin * now.a + cos * now.b,
      c: cos * now.c - sin * now.d,
      d: sin * now.c + cos * now.d,
      x: now.x,
      y: now.y,
    });
  }

  /** Turns the entity so that its x axis points at a place in the world. Nothing happens when it is there already. */
  lookAt(entity: Entity, x: number, y: number): void {
    const now = this.worldPosition(entity);
    if (now.x === x && now.y === y) return;
    this.setWorldRotation(entity, Math.atan2(y - now.y, x - now.x));
  }

  /** A point of the entity's own space in the world. */
  localToWorld(entity: Entity, x: number, y: number, out?: Point): Point {
    return transformPoint(this.worldOf(entity, this.shared), x, y, out);
  }

  /** A point of the world in the entity's own space. */
  worldToLocal(entity: Entity, x: number, y: number, out?: Point): Point {
    return transformPoint(this.inverseWorld(entity), x, y, out);
  }

  /** A direction: turned and scaled, not moved. */
  localToWorldDirection(entity: Entity, x: number, y: number, out?: Point): Point {
    return transformDirection(this.worldOf(entity, this.shared), x, y, out);
  }

  worldToLocalDirection(entity: Entity, x: number, y: number, out?: Point): Point {
    return transformDirection(this.inverseWorld(entity), x, y, out);
  }

  // The names other engines use -----------------------------------------------------------------------------------------

  getLocalPosition(entity: Entity): Point {
    const { x, y } = this.localOf(entity);
    return { x, y };
  }

  setLocalPosition(entity: Entity, x: number, y: number): void {
    this.setPosition(entity, x, y);
  }

  getWorldPosition(entity: Entity): Point {
    return this.worldPosition(entity);
  }

  getWorldTransform(entity: Entity): Affine2D {
    return this.worldOf(entity);
  }

  override propagate(): number {
    if (this.tree.world.checks && !this.warned && this.checkedVersion !== this.tree.version)
      this.warnIfUnrooted();
    return super.propagate();
  }

  // ---------------------------------------------------------------------------------------------------------------------

  private readonly shared: Affine2D = identity2D();

  private hasTransform(index: number): boolean {
    return this.tree.world.archetypeAt(index)?.has[this.store.id] === 1;
  }

  private readWorld(node: number, out: Affine2D): Affine2D {
    const { world, local } = this.records;
    const length = this.staleWay(node, this.way);
    let from: Float32Array = world;
    let at = this.order.slotOf[node] << 3;
    if (length > 0) {
      at = this.parentSlotNow(this.way[length - 1]) << 3;
      for (let k = length - 1; k >= 0; k--) {
        const slot = this.way[k];
        const to = k & 1 ? 8 : 0;
        composeRecord(local, slot << 3, from, at, this.scratch, to, this.flags[slot], this.separable);
        from = this.scratch;
        at = to;
      }
    }
    out.a = from[at];
    out.b = from[at + 1];
    out.c = from[at + 2];
    out.d = from[at + 3];
    out.x = from[at + 4];
    out.y = from[at + 5];
    return out;
  }

  private inverseWorld(entity: Entity): Affine2D {
    const inverse = invert2D(this.worldOf(entity, this.shared));
    if (inverse !== undefined) return inverse;
    throw new SingularTransformError(
      `Cannot go from the world into ${this.tree.label(entity)}: its world scale is 0, so many places there are one here. Give it and its parents a scale that is not 0.`,
      [entity],
    );
  }

  /** The inverse of what `entity` takes over from `parent`. */
  private inverseParent(entity: Entity, parent: Entity | null): Affine2D {
    const flags = this.flags[this.slotOf(entity)];
    const above = parent === null ? identity2D() : this.worldOf(parent);
    if (flags !== EVERYTHING) {
      const m = this.masked;
      maskMatrix(above.a, above.b, above.c, above.d, above.x, above.y, flags, m);
      [above.a, above.b, above.c, above.d, above.x, above.y] = m;
      // Without inheriting the position, the own one is the world's, untouched by anything above.
      if ((flags & POSITION) === 0) return identity2D();
    }
    const inverse = invert2D(above);
    if (inverse !== undefined) return inverse;
    throw new SingularTransformError(
      `Cannot place ${this.tree.label(entity)} under ${parent === null ? "the top" : this.tree.label(parent)}: the world scale of the parent is 0, so it cannot be anywhere else. Give the parent a scale that is not 0, or pick another.`,
      parent === null ? [entity] : [entity, parent],
    );
  }

  /** The local values that give `entity` the wanted world matrix under `parent`. */
  private localFor(entity: Entity, wanted: Affine2D, parent: Entity | null): Local2D {
    for (const key of ["a", "b", "c", "d", "x", "y"] as const) this.requireFinite(entity, key, wanted[key]);
    const flags = this.flags[this.slotOf(entity)];
    const inverse = this.inverseParent(entity, parent);
    let local = multiply2D(inverse, wanted);
    if ((flags & POSITION) === 0) {
      const above = parent === null ? identity2D() : this.worldOf(parent);
      maskMatrix(above.a, above.b, above.c, above.d, 0, 0, flags, this.masked);
      const [a, b, c, d] = this.masked;
      const linear = invert2D({ a, b, c, d, x: 0, y: 0 }) ?? identity2D();
      local = { ...multiply2D(linear, { ...wanted, x: 0, y: 0 }), x: wanted.x, y: wanted.y };
    }
    const { residue, ...values } = decompose2D(local);
    const lean = this.separable ? Math.abs(values.skew * values.scaleY) : 0;
    if (residue > 0 || lean > 1e-6 * (Math.abs(values.scaleX) + Math.abs(values.scaleY))) {
      throw new UnrepresentableTransformError(
        `Cannot write the wanted place of ${this.tree.label(entity)}: ${residue > 0 ? "it squashes the plane onto a line that no rotation and scale give" : "it leans, and this space composes without skew"} (off by ${Math.max(residue, lean)}). Use compose: "affine", or another place.`,
        [entity],
        Math.max(residue, lean),
      );
    }
    return this.separable ? { ...values, skew: 0 } : values;
  }

  private keepWorld(child: Entity, parent: Entity | null): () => void {
    const values = this.localFor(child, this.worldOf(child), parent);
    return () => this.setLocal(child, values);
  }

  private requireFinite(entity: Entity, field: string, value: unknown): void {
    if (typeof value === "number" && Number.isFinite(value)) return;
    throw new InvalidTransformError(
      field,
      `Cannot set ${this.component.name}.${field} of ${this.tree.label(entity)} to ${String(value)}: a transform holds finite numbers only. Check the computation that gave it.`,
      [entity],
    );
  }

  /** Development help: a transform whose ancestors all have none usually hangs on the wrong entity. */
  private warnIfUnrooted(): void {
    this.checkedVersion = this.tree.version;
    // Looks at every transform: help while a scene takes shape, not a tax on every frame that changes it.
    if (this.checksLeft-- <= 0) this.warned = true;
    const { links } = this.tree;
    for (const entity of this.tree.world.query(this.component)) {
      let up = links.parent(entity & INDEX_MASK);
      if (up === 0) continue;
      while (up > 0 && !this.hasTransform(up)) up = links.parent(up);
      if (up > 0) continue;
      this.warned = true;
      this.warn(
        `${this.tree.label(entity)} has a ${this.component.name}, but none of its ancestors has: it will not follow them. Give ${this.tree.label(this.tree.parentOf(entity) as Entity)} one if it shall.`,
      );
      return;
    }
  }
}
