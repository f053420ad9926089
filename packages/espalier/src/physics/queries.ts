/**
 * Spatial queries of a physics: rays, shapes and points, in the units of the transforms.
 */
import {
  checkOptions,
  describeValue,
  type Entity,
  type EntityHolder,
  type EntityLike,
  expectArguments,
  handleOf,
} from "../ecs/index.ts";
import type { Context, ShapeOwner } from "./context.ts";
import type { EngineGeometry } from "./engine.ts";
import { InvalidPhysicsNumberError, InvalidShapeError, UnknownLayerError } from "./errors.ts";
import { shapeProblem } from "./rules/check-shape.ts";
import type { ColliderShape } from "./shapes/shape.ts";
import { geometryOf } from "./shapes/shape-geometry.ts";

/** Options of a query of the physics. */
export interface QueryOptions {
  /** Only shapes on these layers; all if left out. */
  readonly layers?: readonly string[];
  /** Ignores the shapes of these bodies. */
  readonly ignore?: readonly EntityLike[];
  /** Whether to find sensors too. Off if left out. */
  readonly sensors?: boolean;
}

/** The entity that was found. */
export interface Found {
  /** The entity with the body. */
  readonly entity: Entity;
  /** The entity with the collider: the same, or one below it. */
  readonly collider: Entity;
  /** The index in its `Collider.shapes`. */
  readonly shape: number;
}

/** A shape that a ray or a moving shape hit. */
export interface CastHit extends Found {
  /** The x of the point of the hit. */
  readonly x: number;
  /** The y of the point of the hit. */
  readonly y: number;
  /** The x of the outward normal of the surface. */
  readonly normalX: number;
  /** The y of the outward normal of the surface. */
  readonly normalY: number;
  /** How far along the ray or movement, from 0 to 1. */
  readonly fraction: number;
}

/** The position and rotation of a shape in a query. */
export interface Pose {
  /** The x in the world. 0 if left out. */
  readonly x?: number;
  /** The y in the world. 0 if left out. */
  readonly y?: number;
  /** The rotation in radians. 0 if left out. */
  readonly rotation?: number;
}

/** All shapes that a ray from one point to another hits, nearest first. */
export function castRay(
  context: Context,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  options: QueryOptions,
): CastHit[] {
  requireFinite("cast a ray", { fromX, fromY, toX, toY });
  const mask = maskOf(context, options);
  const metres = 1 / context.unitsPerMetre;
  const hits: CastHit[] = [];
  context.engine.castRay(
    fromX * metres,
    fromY * metres,
    (toX - fromX) * metres,
    (toY - fromY) * metres,
    mask,
    collector(context, options, hits),
  );
  return hits.sort(nearestFirst);
}

/** All shapes that a moving shape hits, nearest first. */
export function castShape(
  context: Context,
  shape: ColliderShape,
  from: Pose,
  dx: number,
  dy: number,
  options: QueryOptions,
): CastHit[] {
  requireFinite("cast a shape", { dx, dy });
  const geometry = geometryFor(context, "cast a shape", shape, from);
  const mask = maskOf(context, options);
  const metres = 1 / context.unitsPerMetre;
  const hits: CastHit[] = [];
  context.engine.castShape(geometry, dx * metres, dy * metres, mask, collector(context, options, hits));
  return hits.sort(nearestFirst);
}

/** All entities whose shapes overlap the given one. */
export function overlapShape(
  context: Context,
  shape: ColliderShape,
  at: Pose,
  options: QueryOptions,
): Found[] {
  const geometry = geometryFor(context, "look for overlaps", shape, at);
  const mask = maskOf(context, options);
  const found: Found[] = [];
  context.engine.overlapShape(geometry, mask, (owner) => add(found, owner, options));
  return found;
}

/** All entities whose shapes contain a point. */
export function overlapPoint(context: Context, x: number, y: number, options: QueryOptions): Found[] {
  requireFinite("look at a point", { x, y });
  const mask = maskOf(context, options);
  const metres = 1 / context.unitsPerMetre;
  const found: Found[] = [];
  context.engine.overlapPoint(x * metres, y * metres, mask, (owner) => add(found, owner, options));
  return found;
}

/** Whether the engine, which computes with 32 bits, can hold it. */
export function isFinite32(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(Math.fround(value));
}

/** @throws InvalidPhysicsNumberError when one of the numbers is not finite. */
export function requireFinite(doing: string, numbers: { readonly [name: string]: number }): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (isFinite32(value)) continue;
    throw new InvalidPhysicsNumberError(
      `Cannot ${doing}: ${name} is ${describeValue(value)} and must be a finite number. Check the computation that gave it.`,
      { option: name, value },
    );
  }
}

function collector({ unitsPerMetre: units }: Context, options: QueryOptions, hits: CastHit[]) {
  return (
    owner: ShapeOwner,
    x: number,
    y: number,
    normalX: number,
    normalY: number,
    fraction: number,
  ): void => {
    if (!isWanted(owner, options)) return;
    hits.push({ ...toFound(owner), x: x * units, y: y * units, normalX, normalY, fraction });
  };
}

function add(found: Found[], owner: ShapeOwner, options: QueryOptions): void {
  if (isWanted(owner, options)) found.push(toFound(owner));
}

/** The engine finds sensors like any other shape. */
function isWanted({ body, sensor }: ShapeOwner, { ignore, sensors }: QueryOptions): boolean {
  return (
    (!sensor || sensors === true) &&
    !ignore?.some((each) => each === body || (Object(each) as Partial<EntityHolder>).id === body)
  );
}

function toFound({ body, collider, shape }: ShapeOwner): Found {
  return { entity: body, collider, shape };
}

function nearestFirst(a: CastHit, b: CastHit): number {
  return a.fraction - b.fraction || a.entity - b.entity || a.collider - b.collider || a.shape - b.shape;
}

const queryOptions = { layers: "anything", ignore: "anything", sensors: "boolean" } as const;

function maskOf({ layers, world }: Context, options: QueryOptions): bigint {
  checkOptions(world.checks, "ask the physics", options, queryOptions);
  if (options.layers !== undefined) expectArguments("ask the physics", ["layers", options.layers, "list"]);
  if (options.ignore !== undefined) {
    expectArguments("ask the physics", ["ignore", options.ignore, "list"]);
    // Objects of another world are refused.
    for (const each of options.ignore) handleOf(world, each);
  }
  const unknown = layers.unknown(options.layers ?? []);
  if (unknown === undefined) return layers.mask(options.layers);
  throw new UnknownLayerError(
    `Cannot query the layer ${describeValue(unknown)}: there are ${layers.names.join(", ")}. Add it to the layers of createPhysics.`,
    { value: unknown },
  );
}

function geometryFor(context: Context, doing: string, shape: ColliderShape, at: Pose): EngineGeometry {
  expectArguments(doing, ["its position", at, "object"]);
  const { x = 0, y = 0, rotation = 0 } = at;
  requireFinite(doing, { x, y, rotation });
  const why = shape?.type === "chain" ? "a chain has no inside to query with" : shapeProblem(shape);
  if (why !== undefined) throw new InvalidShapeError(`Cannot ${doing}: ${why}. Give another shape.`);
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  const matrix = { a: cos, b: sin, c: -sin, d: cos, x, y };
  return geometryOf(shape, matrix, 1 / context.unitsPerMetre) as EngineGeometry;
}
