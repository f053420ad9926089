/**
 * Updates the shapes of the engine from colliders: those of an entity with a body, and those below it without one,
 * which are shapes of the same body and move with edits of the tree.
 */
import type { Entity } from "../../ecs/index.ts";
import { Ghost } from "../../hierarchy/index.ts";
import { type Affine2D, compose2D, multiply2D } from "../../transform/index.ts";
import { Collider, DYNAMIC, RigidBody } from "../components.ts";
import { bodyAtOrAbove, type Context, isActive, type ShapeOwner } from "../context.ts";
import type { EngineGeometry } from "../engine.ts";
import { BodyWithoutShapesError, InvalidShapeError, UnknownLayerError } from "../errors.ts";
import { shapesProblem } from "../rules/check-shape.ts";
import type { ColliderShape } from "../shapes/shape.ts";
import { geometryOf } from "../shapes/shape-geometry.ts";
import type { BodyRecord, BodyRecords } from "./body-records.ts";
import type { BodySync } from "./body-sync.ts";

/** One shape in the engine. */
export interface ShapeRecord {
  readonly number: number;
  readonly geometry: EngineGeometry;
  readonly sensor: boolean;
}

interface ColliderRecord {
  readonly home: BodyRecord;
  readonly matrix: Affine2D;
  readonly shapes: readonly ShapeRecord[];
}

type Form =
  | { readonly geometry: EngineGeometry; readonly problem: undefined }
  | { readonly geometry?: undefined; readonly problem: string };

const unscaled: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };

/** Relative tolerance; a follower's scale is read from its world matrix, which has rounding errors. */
const SAME = 1e-4;

export class ColliderSync {
  /** Entities with a collider and without a body of their own. */
  readonly loose = new Set<Entity>();
  private readonly context: Context;
  private readonly bodies: BodyRecords;
  private readonly bodySync: BodySync;
  private readonly colliders = new Map<Entity, ColliderRecord>();

  constructor(context: Context, bodies: BodyRecords, bodySync: BodySync) {
    this.context = context;
    this.bodies = bodies;
    this.bodySync = bodySync;
  }

  /** Records whether an entity has a collider and no body. */
  sort(entity: Entity): void {
    const { world } = this.context;
    const isLoose = world.isAlive(entity) && world.has(entity, Collider) && !world.has(entity, RigidBody);
    if (isLoose) this.loose.add(entity);
    else this.loose.delete(entity);
  }

  /** Throws when the shapes of an entity are invalid. */
  check(entity: Entity): void {
    const { world, tree, layers, space } = this.context;
    if (!world.isAlive(entity) || !world.has(entity, Collider)) return;
    const shapes = this.shapesOf(entity);
    const why = shapesProblem(shapes);
    if (why !== undefined) {
      throw new InvalidShapeError(
        `Cannot simulate ${tree.label(entity)}: Collider.shapes ${why}. Set other shapes.`,
        { entities: [entity] },
      );
    }
    const unknown = layers.problemIn(shapes);
    if (unknown !== undefined)
      throw new UnknownLayerError(`Cannot simulate ${tree.label(entity)}: ${unknown}`, {
        entities: [entity],
      });
    shapes.forEach((shape, k) => {
      // A shape that vanishes only because of its scale is left out until it grows again: entities may grow from and shrink to nothing.
      const small = this.formOf(shape, unscaled).problem;
      if (small === undefined) return;
      if (this.formOf(shape, compose2D(space.localOf(entity))).problem === undefined) return;
      throw new InvalidShapeError(
        `Cannot simulate ${tree.label(entity)}: shapes[${k}] vanishes in ${this.context.engineName}, because ${small}. Make it larger, or lower unitsPerMetre (${this.context.unitsPerMetre}).`,
        { entities: [entity] },
      );
    });
  }

  /** Throws when one of these bodies is dynamic and would have no shape at all. */
  checkHaveShapes(bodies: ReadonlySet<Entity>): void {
    const { world, tree } = this.context;
    let homes: Set<Entity | null> | undefined;
    for (const entity of bodies) {
      if (!world.isAlive(entity) || world.get(entity, RigidBody)?.type !== DYNAMIC) continue;
      if (world.has(entity, Collider) && this.shapesOf(entity).length > 0) continue;
      homes ??= this.looseHomes();
      if (homes.has(entity)) continue;
      throw new BodyWithoutShapesError(
        `Cannot simulate ${tree.label(entity)}: it has a dynamic RigidBody and no shape, so it would have no mass and touch nothing. Add a Collider with a shape, to it or below it, or make the body STATIC or KINEMATIC.`,
        { entities: [entity] },
      );
    }
  }

  /** The bodies that loose colliders give shapes to. */
  private looseHomes(): Set<Entity | null> {
    const homes = new Set<Entity | null>();
    for (const loose of this.loose) {
      if (this.context.world.isAlive(loose) && this.shapesOf(loose).length > 0)
        homes.add(bodyAtOrAbove(this.context, loose));
    }
    return homes;
  }

  /** The body that has the shapes of an entity in the engine now. */
  bodyOf(entity: Entity): BodyRecord | undefined {
    return this.colliders.get(entity)?.home;
  }

  /**
   * Updates the shapes of one entity.
   * @param force Even when neither the body nor the position on it changed.
   */
  update(entity: Entity, force: boolean): void {
    const home = this.homeOf(entity);
    const record = this.colliders.get(entity);
    if (home === undefined) {
      if (record !== undefined) this.remove(entity);
      return;
    }
    const matrix = this.matrixOn(entity, home);
    if (record !== undefined && !force && record.home === home && isSame(record.matrix, matrix)) return;
    if (record !== undefined) this.remove(entity);
    const shapes: ShapeRecord[] = [];
    this.shapesOf(entity).forEach((shape, k) => {
      const { geometry, problem } = this.formOf(shape, matrix);
      if (problem !== undefined) return;
      const sensor = shape.sensor ?? false;
      const owner = { body: home.entity, collider: entity, shape: k, sensor };
      shapes.push({ number: this.create(home, shape, geometry, owner), geometry, sensor });
    });
    this.colliders.set(entity, { home, matrix, shapes });
    home.colliders.add(entity);
  }

  /** Updates the shapes that depend on the structure of the tree. */
  updateLoose(): void {
    for (const entity of this.loose) this.update(entity, false);
    for (const { colliders } of this.bodies.followers)
      for (const entity of colliders) this.update(entity, false);
  }

  /** The shapes of an entity in the engine. */
  recordsOf(entity: Entity): readonly ShapeRecord[] {
    return this.colliders.get(entity)?.shapes ?? [];
  }

  /** The engine has released a body with all its shapes. Returns the entities that had shapes on it. */
  bodyGone(body: BodyRecord): readonly Entity[] {
    const orphans = [...body.colliders];
    for (const entity of orphans) this.colliders.delete(entity);
    body.colliders.clear();
    return orphans;
  }

  private remove(entity: Entity): void {
    const record = this.colliders.get(entity) as ColliderRecord;
    for (const { number } of record.shapes) this.context.engine.destroyShape(number);
    record.home.colliders.delete(entity);
    this.colliders.delete(entity);
  }

  private create(
    home: BodyRecord,
    shape: ColliderShape,
    geometry: EngineGeometry,
    owner: ShapeOwner,
  ): number {
    const { engine, layers } = this.context;
    const { density = 1, friction = 0.6, restitution = 0, group = 0 } = shape;
    const category = layers.category(shape);
    const mask = layers.mask(shape.collidesWith);
    return engine.createShape(
      home.number,
      geometry,
      { density, friction, restitution, sensor: owner.sensor, category, mask, group },
      owner,
    );
  }

  /** The body to which the shapes of an entity belong; `undefined` if it is dead, inactive, or has no body above it. */
  private homeOf(entity: Entity): BodyRecord | undefined {
    const { context } = this;
    if (!context.world.isAlive(entity) || !context.world.has(entity, Collider)) return undefined;
    const body = bodyAtOrAbove(context, entity);
    const home = body === null ? undefined : this.bodies.of(body);
    // A disabled body keeps its shapes; only an inactive part is left out.
    if (home === undefined || (body !== entity && home.enabled && !isActive(context, entity)))
      return undefined;
    return home;
  }

  /**
   * From the space of the collider to that of the body. Composed from the local transforms between them, so that it does
   * not change, not even by rounding, when the body moves.
   */
  private matrixOn(entity: Entity, home: BodyRecord): Affine2D {
    const { space, tree, world } = this.context;
    let matrix = unscaled;
    for (let e = entity; e !== home.entity; e = tree.parentOf(e) as Entity) {
      if (!world.has(e, Ghost)) matrix = multiply2D(compose2D(space.localOf(e)), matrix);
    }
    return multiply2D(compose2D(this.bodySync.scaleOf(home)), matrix);
  }

  /** The form of a shape in the engine, or why the engine cannot use it. */
  private formOf(shape: ColliderShape, matrix: Affine2D): Form {
    const geometry = geometryOf(shape, matrix, 1 / this.context.unitsPerMetre);
    if (geometry === undefined) return { problem: "it has no area" };
    const problem = this.context.engine.geometryProblem(geometry);
    return problem === undefined ? { geometry, problem } : { problem };
  }

  private shapesOf(entity: Entity): readonly ColliderShape[] {
    return this.context.world.get(entity, Collider)?.shapes ?? [];
  }
}

function isSame(m: Affine2D, n: Affine2D): boolean {
  const size = Math.max(
    Math.abs(m.a),
    Math.abs(m.b),
    Math.abs(m.c),
    Math.abs(m.d),
    Math.abs(m.x),
    Math.abs(m.y),
  );
  for (const key of ["a", "b", "c", "d", "x", "y"] as const) {
    if (Math.abs(m[key] - n[key]) > size * SAME) return false;
  }
  return true;
}
