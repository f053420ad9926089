/**
 * Shapes in the engine, and the entities they belong to. The owner of a shape is kept by the shape's id until the events of the
 * step after its destruction are read, because these still refer to it.
 */
import type { EngineGeometry, EngineMaterial } from "../engine.ts";
import type { BodyId, ChainId, Module, ShapeId, ShapeProxy } from "./module.ts";
import { type Polygons, pairs } from "./polygons.ts";
import type { Scratch } from "./scratch.ts";

/** Box2D merges points closer than this, in metres. */
const TOLERANCE = 0.005;

interface Shape {
  readonly body: number;
  readonly ids: readonly ShapeId[];
  readonly chain: ChainId | undefined;
}

export class Shapes<Owner> {
  private readonly module: Module;
  private readonly scratch: Scratch;
  private readonly shapes = new Map<number, Shape>();
  private readonly owners = new Map<number, Owner>();
  private readonly ofBody = new Map<number, Set<number>>();
  private next = 1;
  private leaving: number[] = [];
  private left: number[] = [];

  constructor(module: Module, scratch: Scratch) {
    this.module = module;
    this.scratch = scratch;
  }

  create(
    body: number,
    bodyId: BodyId,
    geometry: EngineGeometry,
    material: EngineMaterial,
    owner: Owner,
  ): number {
    const { chain, ids } =
      geometry.type === "chain"
        ? this.createChain(bodyId, geometry, material)
        : { chain: undefined, ids: [this.createOne(bodyId, geometry, material)] };
    const shape = this.next++;
    this.shapes.set(shape, { body, ids, chain });
    for (const id of ids) this.owners.set(keyOf(id), owner);
    const siblings = this.ofBody.get(body);
    if (siblings === undefined) this.ofBody.set(body, new Set([shape]));
    else siblings.add(shape);
    return shape;
  }

  destroy(number: number): void {
    const shape = this.shapes.get(number);
    if (shape === undefined) return;
    this.forget(number, shape);
    this.ofBody.get(shape.body)?.delete(number);
    if (shape.chain !== undefined) this.module.b2DestroyChain(shape.chain);
    else for (const id of shape.ids) this.module.b2DestroyShape(id, true);
  }

  /** The engine has destroyed, or is about to destroy, the body with all its shapes. */
  bodyGone(body: number): void {
    for (const number of this.ofBody.get(body) ?? []) this.forget(number, this.shapes.get(number) as Shape);
    this.ofBody.delete(body);
  }

  ownerOf(id: ShapeId): Owner | undefined {
    return this.owners.get(keyOf(id));
  }

  /** Call before each step. */
  age(): void {
    for (const key of this.left) this.owners.delete(key);
    this.left = this.leaving;
    this.leaving = [];
  }

  private forget(number: number, shape: Shape): void {
    this.shapes.delete(number);
    for (const id of shape.ids) this.leaving.push(keyOf(id));
  }

  private createOne(
    body: BodyId,
    geometry: Exclude<EngineGeometry, { type: "chain" }>,
    material: EngineMaterial,
  ): ShapeId {
    const { shape } = this.scratch;
    const { def } = shape;
    def.density = material.density;
    shape.material.friction = material.friction;
    shape.material.restitution = material.restitution;
    def.isSensor = material.sensor;
    def.enableSensorEvents = true;
    def.enableContactEvents = !material.sensor;
    def.enableHitEvents = !material.sensor;
    // Layers are passed as strings, and most shapes have the same ones.
    const { layers } = shape;
    if (layers.category !== material.category) shape.filter.setCategoryBits64(material.category.toString());
    if (layers.mask !== material.mask) shape.filter.setMaskBits64(material.mask.toString());
    layers.category = material.category;
    layers.mask = material.mask;
    shape.filter.groupIndex = material.group;
    const form = makeForm(this.module, this.scratch.polygons, geometry);
    const id = form.create(body, def);
    form.free();
    return id;
  }

  private createChain(
    body: BodyId,
    geometry: EngineGeometry & { type: "chain" },
    material: EngineMaterial,
  ): { chain: ChainId; ids: ShapeId[] } {
    const { module } = this;
    const def = module.b2DefaultChainDef();
    fillFilter(def.filter, material);
    def.isLoop = geometry.loop;
    def.enableSensorEvents = true;
    const points = pairs(geometry.loop ? geometry.points : withGhosts(geometry.points));
    def.SetPoints(points);
    const chain = module.b2CreateChain(body, def);
    def.delete();
    const ids: ShapeId[] = module.b2Chain_GetSegments(chain, module.b2Chain_GetSegmentCount(chain));
    // The definition has no option for these, and its materials are not applied.
    for (const segment of ids) {
      module.b2Shape_SetFriction(segment, material.friction);
      module.b2Shape_SetRestitution(segment, material.restitution);
      module.b2Shape_EnableContactEvents(segment, true);
      module.b2Shape_EnableHitEvents(segment, true);
    }
    return { chain, ids };
  }
}

/** Why Box2D cannot use this form; `undefined` if it can. */
export function geometryProblem(polygons: Polygons, geometry: EngineGeometry): string | undefined {
  if (geometry.type === "circle" || geometry.type === "capsule") return undefined;
  const { points } = geometry;
  if (geometry.type === "polygon") {
    const { count } = polygons.hullOf(points);
    return count >= 3 ? undefined : `it is smaller than ${TOLERANCE * 1000} mm, or a line`;
  }
  for (let k = 2; k < points.length; k += 2) {
    const length = Math.hypot(at(points, k) - at(points, k - 2), at(points, k + 1) - at(points, k - 1));
    if (!(length > TOLERANCE))
      return `points ${k / 2 - 1} and ${k / 2} are closer than ${TOLERANCE * 1000} mm`;
  }
  return undefined;
}

/** A form for queries. Free it with `delete()`. */
export function makeProxy(module: Module, geometry: Exclude<EngineGeometry, { type: "chain" }>): ShapeProxy {
  const points = geometry.type === "circle" ? [geometry.x, geometry.y] : geometry.points;
  const point = new module.b2Vec2(at(points, 0), at(points, 1));
  const proxy = module.b2MakeProxy(point, 1, geometry.radius);
  proxy.count = points.length / 2;
  for (let k = 2; k < points.length; k += 2) {
    point.Set(at(points, k), at(points, k + 1));
    proxy.setPoint(k / 2, point);
  }
  point.delete();
  return proxy;
}

interface Form {
  create(body: BodyId, def: ReturnType<Module["b2DefaultShapeDef"]>): ShapeId;
  free(): void;
}

function makeForm(
  module: Module,
  polygons: Polygons,
  geometry: Exclude<EngineGeometry, { type: "chain" }>,
): Form {
  if (geometry.type === "circle") {
    const circle = new module.b2Circle();
    circle.center.Set(geometry.x, geometry.y);
    circle.radius = geometry.radius;
    return {
      create: (body, def) => module.b2CreateCircleShape(body, def, circle),
      free: () => circle.delete(),
    };
  }
  const { points } = geometry;
  if (geometry.type === "capsule") {
    const capsule = new module.b2Capsule();
    capsule.center1.Set(at(points, 0), at(points, 1));
    capsule.center2.Set(at(points, 2), at(points, 3));
    capsule.radius = geometry.radius;
    return {
      create: (body, def) => module.b2CreateCapsuleShape(body, def, capsule),
      free: () => capsule.delete(),
    };
  }
  if (geometry.type === "segment") {
    const segment = new module.b2Segment();
    segment.point1.Set(at(points, 0), at(points, 1));
    segment.point2.Set(at(points, 2), at(points, 3));
    return {
      create: (body, def) => module.b2CreateSegmentShape(body, def, segment),
      free: () => segment.delete(),
    };
  }
  const polygon = module.b2MakePolygon(polygons.hullOf(points), geometry.radius);
  return {
    create: (body, def) => module.b2CreatePolygonShape(body, def, polygon),
    free: () => polygon.delete(),
  };
}

function fillFilter(
  filter: ReturnType<Module["b2DefaultShapeDef"]>["filter"],
  { category, mask, group }: EngineMaterial,
): void {
  filter.setCategoryBits64(category.toString());
  filter.setMaskBits64(mask.toString());
  filter.groupIndex = group;
}

/** The first and last point of an open chain only control its ends; these continue straight. */
function withGhosts(points: readonly number[]): number[] {
  const last = points.length - 2;
  return [
    2 * at(points, 0) - at(points, 2),
    2 * at(points, 1) - at(points, 3),
    ...points,
    2 * at(points, last) - at(points, last - 2),
    2 * at(points, last + 1) - at(points, last - 1),
  ];
}

function at(points: readonly number[], index: number): number {
  return points[index];
}

function keyOf(id: ShapeId): number {
  return id.index1 * 65536 + id.generation;
}
