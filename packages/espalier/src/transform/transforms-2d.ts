/**
 * Transforms in the plane: what users call.
 *
 * World values are never stale: every read is right at once after any write or attach, in any order. `propagate()` once
 * a frame makes all reads cheap.
 */
import type { ComputedTerm, Entity } from "../ecs/index.ts";
import { INDEX_MASK } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import {
  type Affine2D,
  compose2D,
  decompose2D,
  identity2D,
  invert2D,
  type Local2D,
  type Point,
  rotation2D,
  transformDirection,
  transformPoint,
} from "./affine2d.ts";
import { composeRecord } from "./compose-record.ts";
import { SingularTransformError, UnrepresentableTransformError } from "./errors.ts";
import { EVERYTHING } from "./inherit-mask.ts";
import { keepPlaces, requireSolid } from "./keep-places.ts";
import { LOCAL } from "./linear.ts";
import { Locals2D } from "./locals-2d.ts";
import { Taken2D } from "./taken-2d.ts";
import type { Transforms2DOptions } from "./transform-2d.ts";
import { UnrootedWarning } from "./unrooted.ts";
import { createWorldTerm, type WorldView2D } from "./world-term-2d.ts";

/**
 * Gives the entities of a hierarchy places in the plane. Create it before the first entity that has a `Transform2D`.
 * From then on `tree.attach(child, parent, { keep: "world" })` keeps the child where it is.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const tank = world.spawn(space.at(100, 100));
 * const turret = tree.attachNew(tank, space.at(0, 20));
 * space.setRotation(tank, Math.PI / 2);
 * space.worldPosition(turret); // ≈ { x: 80.0, y: 100.0 }
 * ```
 */
export function createTransforms2D(tree: Hierarchy, options: Transforms2DOptions = {}): Transforms2D {
  return new Transforms2D(tree, options);
}

/** Transforms in the plane along one tree. Made by `createTransforms2D`. */
export class Transforms2D extends Locals2D {
  /**
   * The world transform as a query term: a read-only view for the callback, right at the start of each pass. It does not
   * narrow the query.
   *
   * @example
   * ```ts
   * const space = createTransforms2D(tree);
   * const Sprite = component("Sprite", { image: string() });
   * const tank = world.spawn(space.at(100, 0));
   * tree.attachNew(tank, space.at(0, 20), Sprite({ image: "turret" }));
   * world.query(Sprite, space.world).each((e, sprite, at) => {
   *   console.log(sprite.image, at.x, at.y);
   * });
   * // → turret 100 20
   * ```
   */
  readonly world: ComputedTerm<WorldView2D>;
  private readonly way: number[] = [];
  private readonly scratch = new Float32Array(16);
  private readonly shared: Affine2D = identity2D();
  private readonly unrooted: UnrootedWarning;

  constructor(tree: Hierarchy, options: Transforms2DOptions) {
    super(tree, options);
    this.unrooted = new UnrootedWarning(tree, this.component, options.onWarn);
    this.world = createWorldTerm({
      name: `${this.component.name} in the world`,
      propagate: () => this.propagate(),
      records: this.records,
      order: this.order,
    });
    tree.addKeeper(options.name ?? "world", (child, parent) =>
      keepPlaces(
        tree,
        child,
        (entity) => this.localFor(entity, this.worldOf(entity), parent),
        (entity, local) => this.setLocal(entity, local),
        (local) => this.component(local),
      ),
    );
  }

  override propagate(): number {
    this.unrooted.check();
    return super.propagate();
  }

  // Reading ----------------------------------------------------------------------------------------------------------------

  /** The world matrix, right at once after any change. Pass `out` to have no object made. */
  worldOf(entity: Entity, out: Affine2D = identity2D()): Affine2D {
    const node = this.nodeOf(entity, "read the world transform");
    const at = this.findRecord(node);
    const from = at < 0 ? this.scratch : this.records.world;
    const w = Math.max(at, 0);
    out.a = from[w];
    out.b = from[w + 1];
    out.c = from[w + 2];
    out.d = from[w + 3];
    out.x = from[w + 4];
    out.y = from[w + 5];
    return out;
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

  /** The rotation in the world, from `-Math.PI` to `Math.PI`; without shear the sum of the rotations. */
  worldRotation(entity: Entity): number {
    if (this.separable) return this.recordOf(entity)[6];
    return rotation2D(this.worldOf(entity, this.shared));
  }

  /**
   * The scale in the world; `x` is negative for a mirrored entity. Lossy: together with the rotation it says everything
   * only where `skew` is 0.
   */
  lossyScale(entity: Entity): { x: number; y: number; skew: number } {
    if (this.separable) {
      const { scaleX, scaleY } = new Taken2D(this.recordOf(entity), EVERYTHING, true);
      return { x: scaleX, y: scaleY, skew: 0 };
    }
    const { scaleX, scaleY, skew } = decompose2D(this.worldOf(entity, this.shared));
    return { x: scaleX, y: scaleY, skew };
  }

  /** A point of the entity's own space in the world. */
  localToWorld(entity: Entity, x: number, y: number, out?: Point): Point {
    return transformPoint(this.worldOf(entity, this.shared), x, y, out);
  }

  /**
   * A point of the world in the entity's own space.
   * @throws SingularTransformError when the entity's world scale is 0.
   */
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

  /** The world records as of the last `propagate()`: a, b, c, d, x, y and two spare, at `worlds[worldRowOf(entity)]`. */
  get worlds(): Float32Array {
    return this.records.world;
  }

  /** Where the record of an entity begins in `worlds`. */
  worldRowOf(entity: Entity): number {
    return this.order.slotOf[this.nodeOf(entity, "read the world transform")] << 3;
  }

  // Writing ----------------------------------------------------------------------------------------------------------------

  /**
   * Makes the world matrix what is given, exactly, whatever the parents do. An entity without transform gets one.
   * @throws SingularTransformError when a parent squashes the plane, UnrepresentableTransformError when the local fields
   * cannot say it. Nothing has changed then.
   */
  setWorld(entity: Entity, wanted: Affine2D): void {
    this.setLocal(entity, this.localFor(entity, wanted, this.tree.parentOf(entity)));
  }

  /** Moves the entity to a place in the world; its rotation and scale stay. */
  setWorldPosition(entity: Entity, x: number, y: number): void {
    this.requireFinite(entity, "x", x);
    this.requireFinite(entity, "y", y);
    const parent = this.tree.parentOf(entity);
    const position = this.takenBy(entity, parent).position(x, y) ?? this.refuseSingular(entity, parent);
    this.setPosition(entity, position.x, position.y);
  }

  /** Turns the entity, so that `worldRotation` is this; its place and its own scale and skew stay. */
  setWorldRotation(entity: Entity, rotation: number): void {
    this.requireFinite(entity, "rotation", rotation);
    if (this.separable) {
      const taken = this.takenBy(entity, this.tree.parentOf(entity));
      this.setRotation(entity, rotation - taken.turn);
      return;
    }
    const { a, b, c, d } = this.worldOf(entity, this.shared);
    this.turnAxis(entity, a * d - b * c < 0 ? rotation + Math.PI : rotation);
  }

  /**
   * Scales the entity, so that `lossyScale` is this; place, rotation and skew in the world stay. What is mirrored in y
   * reads as mirrored in x and turned round.
   */
  setWorldScale(entity: Entity, x: number, y: number = x): void {
    this.requireFinite(entity, "scaleX", x);
    this.requireFinite(entity, "scaleY", y);
    const now = decompose2D(this.worldOf(entity, this.shared));
    const rotation = this.worldRotation(entity);
    this.setWorld(entity, compose2D({ ...now, rotation, scaleX: x, scaleY: y }));
  }

  /** Turns the entity so that its x axis points at a place in the world. Nothing happens when it is there already. */
  lookAt(entity: Entity, x: number, y: number): void {
    this.requireFinite(entity, "x", x);
    this.requireFinite(entity, "y", y);
    const now = this.worldOf(entity, this.shared);
    if (now.x === x && now.y === y) return;
    this.turnAxis(entity, Math.atan2(y - now.y, x - now.x));
  }

  // The names other engines use --------------------------------------------------------------------------------------------

  getWorldPosition(entity: Entity): Point {
    return this.worldPosition(entity);
  }

  getWorldTransform(entity: Entity): Affine2D {
    return this.worldOf(entity);
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** Where the world record of a node is in `worlds`, or -1 when it had to be computed, into `scratch`. */
  private findRecord(node: number): number {
    const { world, local } = this.records;
    const length = this.staleWay(node, this.way);
    if (length === 0) return this.order.slotOf[node] << 3;
    let from: Float32Array = world;
    let at = this.parentSlotNow(this.way[length - 1]) << 3;
    for (let k = length - 1; k >= 0; k--) {
      const slot = this.way[k];
      const to = k & 1 ? 8 : 0;
      this.straighten(slot);
      composeRecord(local, slot * LOCAL, from, at, this.scratch, to, this.takenFlags(slot), this.separable);
      from = this.scratch;
      at = to;
    }
    return -1;
  }

  /** A copy of the world record; that of the identity above all roots for nobody. */
  private recordOf(entity: Entity | null): Float32Array {
    const at = entity === null ? 0 : this.findRecord(this.nodeOf(entity, "read the world transform"));
    return at < 0 ? this.scratch.slice(0, 8) : this.records.world.slice(at, at + 8);
  }

  private takenBy(entity: Entity, parent: Entity | null): Taken2D {
    requireSolid(this.tree, entity);
    const flags = this.flagsFor(entity & INDEX_MASK, true);
    return new Taken2D(this.recordOf(parent), flags, this.separable);
  }

  private inverseWorld(entity: Entity): Affine2D {
    const inverse = invert2D(this.worldOf(entity, this.shared));
    if (inverse !== undefined) return inverse;
    throw new SingularTransformError(
      `Cannot go from the world into ${this.tree.label(entity)}: its world scale is 0, so many places there are one here. Give it and its parents a scale that is not 0.`,
      [entity],
    );
  }

  private turnAxis(entity: Entity, angle: number): void {
    const parent = this.tree.parentOf(entity);
    const { scaleX } = this.localOf(entity);
    const rotation = this.takenBy(entity, parent).rotation(angle, scaleX);
    this.setRotation(entity, rotation ?? this.refuseSingular(entity, parent));
  }

  /** The local values that give `entity` the wanted world matrix under `parent`. */
  private localFor(entity: Entity, wanted: Affine2D, parent: Entity | null): Local2D {
    for (const key of ["a", "b", "c", "d", "x", "y"] as const) this.requireFinite(entity, key, wanted[key]);
    const taken = this.takenBy(entity, parent);
    const { residue, ...local } = taken.local(wanted) ?? this.refuseSingular(entity, parent);
    for (const key of Object.keys(local) as (keyof Local2D)[]) this.requireFinite(entity, key, local[key]);
    if (residue === 0) return local;
    const why = this.separable
      ? "it leans, and this space composes without skew"
      : "it squashes the plane onto a line that no rotation and scale give";
    throw new UnrepresentableTransformError(
      `Cannot write the wanted place of ${this.tree.label(entity)}: ${why} (off by ${residue}). ${this.separable ? 'Use compose: "affine"' : "Keep the local values"}, or pick another place.`,
      [entity],
      residue,
    );
  }

  private refuseSingular(entity: Entity, parent: Entity | null): never {
    throw new SingularTransformError(
      `Cannot place ${this.tree.label(entity)} under ${parent === null ? "the top" : this.tree.label(parent)}: the world scale of the parent is 0, so it cannot be anywhere else. Give the parent a scale that is not 0, or pick another.`,
      parent === null ? [entity] : [entity, parent],
    );
  }
}
