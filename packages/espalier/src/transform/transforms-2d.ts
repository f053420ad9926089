/**
 * Transforms in the plane: what users call.
 *
 * World values are never stale: every read is right at once after any write or attach, in any order. `propagate()` once
 * a frame makes all reads cheap.
 */
import type { Component, ComputedTerm, EntityLike, Init } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { requireTree } from "../inherit/internal.ts";
import { areNumbers, outError } from "./checks/arguments.ts";
import { requireFinite } from "./checks/check-numbers.ts";
import {
  type Affine2D,
  affineFields,
  compose2D,
  decompose2D,
  identity2D,
  type Local2D,
  mapDirection2D,
  mapPoint2D,
  type Point,
  pointError,
  rotation2D,
} from "./maths/affine2d.ts";
import { SCALE_X, SCALE_Y, TAKEN, TURN, writeTaken } from "./maths/compose-2d.ts";
import { createGeometry2D } from "./maths/geometry-2d.ts";
import {
  inverseWorld2D,
  localFor2D,
  positionFor2D,
  rotationFor2D,
  takenRotation2D,
  worldOf2D,
} from "./maths/place-2d.ts";
import { createSpaceState } from "./spaces/create-space-state.ts";
import { EVERYTHING } from "./spaces/inherit-mask.ts";
import { localRow, SPACE } from "./spaces/space-key.ts";
import type { SpaceState } from "./spaces/space-state.ts";
import { TransformSpace } from "./spaces/transform-space.ts";
import { refuse, writeGiven, writeLocal } from "./spaces/write-local.ts";
import {
  checkTransforms2DOptions,
  type Schema2D,
  Transform2D,
  type Transforms2DOptions,
} from "./transform-2d.ts";
import { findWorld, readNumber } from "./world-terms/read-world.ts";
import { createWorldTerm2D, type WorldView2D } from "./world-terms/world-term-2d.ts";

/**
 * Gives the entities of a hierarchy transforms in the plane. Create it before the first entity that has a `Transform2D`.
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
  checkTransforms2DOptions(requireTree(tree).world.checks, options);
  const { component = Transform2D, inherit, name } = options;
  const isDouble = options.precision === "f64";
  const geometry = createGeometry2D(isDouble, options.compose === "separable");
  // 64-bit records have no WebAssembly kernel: two at a time instead of four gains little.
  const kernel = isDouble ? "javascript" : options.kernel;
  const parts = { tree, component, kind: "f32", geometry, kernel, inherit, name, localToKeep } as const;
  return new Transforms2D(createSpaceState(parts), component);
}

function localToKeep(s: SpaceState, entity: EntityLike, parent: EntityLike | null): Local2D {
  return localFor2D(s, entity, worldOf2D(s, entity, identity2D()), parent);
}

/** Local and world transforms in the plane. */
export class Transforms2D extends TransformSpace<Schema2D> {
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
  private readonly isSeparable: boolean;
  private readonly shared: Affine2D = identity2D();

  /** @internal Use `createTransforms2D`. */
  constructor(state: SpaceState, component: Component<Schema2D>) {
    super(state, component);
    this.isSeparable = state.geometry.isSpecial;
    this.world = createWorldTerm2D(state, () => this.propagate());
  }

  // Local ----------------------------------------------------------------------------------------------------------------

  /** The component with a position, for `spawn` and `add`: `world.spawn(space.at(100, 20))`. */
  at(x: number, y: number, rotation = 0): Init<Schema2D> {
    requireFinite(this[SPACE], undefined, "x", x);
    requireFinite(this[SPACE], undefined, "y", y);
    requireFinite(this[SPACE], undefined, "rotation", rotation);
    return this.component({ x, y, rotation });
  }

  /** The local transform; the identity where the entity has none. */
  localOf(entity: EntityLike): Local2D {
    const { local } = this[SPACE];
    const l = localRow(this[SPACE], entity);
    return {
      x: local[l],
      y: local[l + 1],
      rotation: local[l + 2],
      scaleX: local[l + 3],
      scaleY: local[l + 4],
      skew: local[l + 5],
    };
  }

  /**
   * Writes all local fields in one call: the fastest way to place one entity. What is left out becomes what it is in a new
   * transform; `scaleY` becomes `scaleX`.
   */
  setTransform(
    entity: EntityLike,
    x: number,
    y: number,
    rotation = 0,
    scaleX = 1,
    scaleY: number = scaleX,
    skew = 0,
  ): void {
    const { given } = this[SPACE];
    if (!areNumbers(x, y) || !areNumbers(rotation, skew) || !areNumbers(scaleX, scaleY))
      refuse(this[SPACE], entity, { x, y, rotation, scaleX, scaleY, skew });
    given[0] = x;
    given[1] = y;
    given[2] = rotation;
    given[3] = scaleX;
    given[4] = scaleY;
    given[5] = skew;
    writeGiven(this[SPACE], entity, 0, 6);
  }

  /**
   * Sets the local position; other fields stay. Gives an entity without a transform one.
   *
   * @example
   * ```ts
   * const space = createTransforms2D(tree);
   * const tank = world.spawn(space.at(0, 0));
   * const turret = tree.attachNew(tank, space.at(0, 20));
   * space.setPosition(tank, 300, 100);
   * space.worldPosition(turret); // → { x: 300, y: 120 }
   * ```
   */
  setPosition(entity: EntityLike, x: number, y: number): void {
    if (!areNumbers(x, y)) refuse(this[SPACE], entity, { x, y });
    const { given } = this[SPACE];
    given[0] = x;
    given[1] = y;
    writeGiven(this[SPACE], entity, 0, 2);
  }

  /** In radians, positive from +x towards +y. */
  setRotation(entity: EntityLike, rotation: number): void {
    if (!areNumbers(rotation, 0)) refuse(this[SPACE], entity, { rotation });
    this[SPACE].given[2] = rotation;
    writeGiven(this[SPACE], entity, 2, 3);
  }

  /** @param scaleY As `scaleX` if left out. */
  /** Sets the local scale, the same on both axes if `scaleY` is left out. */
  setScale(entity: EntityLike, scaleX: number, scaleY: number = scaleX): void {
    if (!areNumbers(scaleX, scaleY)) refuse(this[SPACE], entity, { scaleX, scaleY });
    const { given } = this[SPACE];
    given[3] = scaleX;
    given[4] = scaleY;
    writeGiven(this[SPACE], entity, 3, 5);
  }

  /** Moves by an offset in the parent's axes. */
  translate(entity: EntityLike, x: number, y: number): void {
    if (!areNumbers(x, y)) refuse(this[SPACE], entity, { x, y });
    const { local, given } = this[SPACE];
    const l = localRow(this[SPACE], entity);
    given[0] = local[l] + x;
    given[1] = local[l + 1] + y;
    writeGiven(this[SPACE], entity, 0, 2);
  }

  /** Turns by an angle. */
  rotate(entity: EntityLike, angle: number): void {
    if (!areNumbers(angle, 0)) refuse(this[SPACE], entity, { angle });
    this.setRotation(entity, this[SPACE].local[localRow(this[SPACE], entity) + 2] + angle);
  }

  // World ----------------------------------------------------------------------------------------------------------------

  /** The world matrix, right at once after any change. Pass `out` to have no object made. */
  worldOf(entity: EntityLike, out: Affine2D = identity2D()): Affine2D {
    try {
      return worldOf2D(this[SPACE], entity, out);
    } catch (error) {
      throw outError(out, affineFields, "read the world transform", error);
    }
  }

  /** The x of the entity in the world. */
  worldX(entity: EntityLike): number {
    return readNumber(this[SPACE], entity, 4);
  }

  /** The y of the entity in the world. */
  worldY(entity: EntityLike): number {
    return readNumber(this[SPACE], entity, 5);
  }

  /** Where the entity is in the world. Written into `out` if given. */
  worldPosition(entity: EntityLike, out: Point = { x: 0, y: 0 }): Point {
    const w = findWorld(this[SPACE], entity);
    const from = this[SPACE].flow.found;
    try {
      out.x = from[w + 4];
      out.y = from[w + 5];
    } catch (error) {
      throw pointError(out, error);
    }
    return out;
  }

  /** The rotation in the world, from `-Math.PI` to `Math.PI`; without shear the sum of the rotations. */
  worldRotation(entity: EntityLike): number {
    if (this.isSeparable) return readNumber(this[SPACE], entity, TURN);
    return rotation2D(worldOf2D(this[SPACE], entity, this.shared));
  }

  /**
   * The scale in the world; `x` is negative for a mirrored entity. Lossy: scale and rotation give the matrix back
   * only where `skew` is 0.
   */
  lossyScale(entity: EntityLike): { x: number; y: number; skew: number } {
    if (this.isSeparable) {
      const taken = new Float64Array(TAKEN);
      const at = findWorld(this[SPACE], entity);
      writeTaken(this[SPACE].flow.found, at, EVERYTHING, true, taken);
      return { x: taken[SCALE_X], y: taken[SCALE_Y], skew: 0 };
    }
    const { scaleX, scaleY, skew } = decompose2D(worldOf2D(this[SPACE], entity, this.shared));
    return { x: scaleX, y: scaleY, skew };
  }

  /** A point of the entity's own space in the world. */
  localToWorld(entity: EntityLike, x: number, y: number, out?: Point): Point {
    return mapPoint2D(worldOf2D(this[SPACE], entity, this.shared), x, y, out);
  }

  /**
   * A point of the world in the entity's own space.
   * @throws SingularTransformError when the entity's world scale is 0.
   */
  worldToLocal(entity: EntityLike, x: number, y: number, out?: Point): Point {
    return mapPoint2D(this.inverseWorld(entity), x, y, out);
  }

  /** A direction: turned and scaled, not moved. */
  localToWorldDirection(entity: EntityLike, x: number, y: number, out?: Point): Point {
    return mapDirection2D(worldOf2D(this[SPACE], entity, this.shared), x, y, out);
  }

  /** A direction of the world as seen from the entity: turned and scaled, not moved. */
  worldToLocalDirection(entity: EntityLike, x: number, y: number, out?: Point): Point {
    return mapDirection2D(this.inverseWorld(entity), x, y, out);
  }

  /**
   * Makes the world matrix what is given, exactly, whatever the parents do. An entity without transform gets one.
   * @throws SingularTransformError when a parent has no inverse, UnrepresentableTransformError when the local fields
   * cannot express it. Nothing has changed then.
   */
  setWorld(entity: EntityLike, wanted: Affine2D): void {
    writeLocal(this[SPACE], entity, localFor2D(this[SPACE], entity, wanted));
  }

  /**
   * Moves the entity to a position in the world; its rotation and scale stay.
   *
   * @example
   * ```ts
   * const space = createTransforms2D(tree);
   * const tank = world.spawn(space.at(100, 0));
   * const turret = tree.attachNew(tank, space.at(0, 0));
   * space.setWorldPosition(turret, 130, 40);
   * space.localOf(turret).x; // → 30
   * ```
   */
  setWorldPosition(entity: EntityLike, x: number, y: number): void {
    requireFinite(this[SPACE], entity, "x", x);
    requireFinite(this[SPACE], entity, "y", y);
    const position = positionFor2D(this[SPACE], entity, x, y);
    this.setPosition(entity, position.x, position.y);
  }

  /** Turns the entity, so that `worldRotation` is this; its position and its own scale and skew stay. */
  setWorldRotation(entity: EntityLike, rotation: number): void {
    requireFinite(this[SPACE], entity, "rotation", rotation);
    if (this.isSeparable) {
      this.setRotation(entity, rotation - takenRotation2D(this[SPACE], entity));
      return;
    }
    const { a, b, c, d } = worldOf2D(this[SPACE], entity, this.shared);
    this.turnAxis(entity, a * d - b * c < 0 ? rotation + Math.PI : rotation);
  }

  /**
   * Scales the entity, so that `lossyScale` is this; position, rotation and skew in the world stay. What is mirrored in y
   * reads as mirrored in x and turned by half a turn.
   */
  setWorldScale(entity: EntityLike, x: number, y: number = x): void {
    requireFinite(this[SPACE], entity, "scaleX", x);
    requireFinite(this[SPACE], entity, "scaleY", y);
    const now = decompose2D(worldOf2D(this[SPACE], entity, this.shared));
    const rotation = this.worldRotation(entity);
    this.setWorld(entity, compose2D({ ...now, rotation, scaleX: x, scaleY: y }));
  }

  /** Turns the entity so that its x axis points at a position in the world. Nothing happens when it is there already. */
  lookAt(entity: EntityLike, x: number, y: number): void {
    requireFinite(this[SPACE], entity, "x", x);
    requireFinite(this[SPACE], entity, "y", y);
    const now = worldOf2D(this[SPACE], entity, this.shared);
    if (now.x === x && now.y === y) return;
    this.turnAxis(entity, Math.atan2(y - now.y, x - now.x));
  }

  // ----------------------------------------------------------------------------------------------------------------------

  private inverseWorld(entity: EntityLike): Affine2D {
    return inverseWorld2D(this[SPACE], entity, worldOf2D(this[SPACE], entity, this.shared));
  }

  private turnAxis(entity: EntityLike, angle: number): void {
    const scaleX = this[SPACE].local[localRow(this[SPACE], entity) + 3];
    this.setRotation(entity, rotationFor2D(this[SPACE], entity, angle, scaleX));
  }
}
