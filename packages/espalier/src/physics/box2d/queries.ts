/**
 * Rays, shapes and points against the shapes of a world.
 */
import type { EngineGeometry, EngineHit } from "../engine.ts";
import type { BodyId, Module, ShapeId, WorldId } from "./module.ts";
import type { Scratch } from "./scratch.ts";
import { makeProxy } from "./shapes.ts";

export interface QueryHost<Owner> {
  readonly module: Module;
  readonly world: WorldId;
  readonly scratch: Scratch;
  readonly ownerOf: (id: ShapeId) => Owner | undefined;
}

type Solid = Exclude<EngineGeometry, { type: "chain" }>;
type Met = InstanceType<Module["b2RayCallbackResult"]>;

export function castRay<Owner>(
  host: QueryHost<Owner>,
  x: number,
  y: number,
  dx: number,
  dy: number,
  mask: bigint,
  hit: EngineHit<Owner>,
): void {
  const { module, world, scratch } = host;
  scratch.point.Set(x, y);
  scratch.vector.Set(dx, dy);
  module.b2World_CastRay(world, scratch.point, scratch.vector, filterFor(scratch, mask), meet(host, hit));
}

export function castShape<Owner>(
  host: QueryHost<Owner>,
  geometry: EngineGeometry,
  dx: number,
  dy: number,
  mask: bigint,
  hit: EngineHit<Owner>,
): void {
  const { module, world, scratch } = host;
  const proxy = makeProxy(module, geometry as Solid);
  scratch.vector.Set(dx, dy);
  module.b2World_CastShape(world, proxy, scratch.vector, filterFor(scratch, mask), meet(host, hit));
  proxy.delete();
}

export function overlapShape<Owner>(
  host: QueryHost<Owner>,
  geometry: EngineGeometry,
  mask: bigint,
  found: (owner: Owner) => void,
): void {
  const { module, world, scratch } = host;
  const proxy = makeProxy(module, geometry as Solid);
  module.b2World_OverlapShape(world, proxy, filterFor(scratch, mask), ({ shapeId }: { shapeId: ShapeId }) => {
    tell(host, shapeId, found);
    return true;
  });
  proxy.delete();
}

export function overlapPoint<Owner>(
  host: QueryHost<Owner>,
  x: number,
  y: number,
  mask: bigint,
  found: (owner: Owner) => void,
): void {
  const { module, world, scratch } = host;
  const box = new module.b2AABB();
  box.lowerBound.Set(x, y);
  box.upperBound.Set(x, y);
  const near: ShapeId[] = [];
  module.b2World_OverlapAABB(world, box, filterFor(scratch, mask), ({ shapeId }: { shapeId: ShapeId }) => {
    near.push(shapeId);
    return true;
  });
  box.delete();
  scratch.point.Set(x, y);
  for (const id of near) if (module.b2Shape_TestPoint(id, scratch.point)) tell(host, id, found);
}

export function contactPoints(
  module: Module,
  body: BodyId,
  visit: (x: number, y: number, normalX: number, normalY: number) => void,
): void {
  const contacts = module.b2Body_GetContactData(
    body,
    module.b2Body_GetContactCapacity(body),
  ) as ContactData[];
  for (const contact of contacts) {
    const { manifold } = contact;
    const { x: normalX, y: normalY } = manifold.normal;
    for (let k = 0; k < manifold.pointCount; k++) {
      const met = manifold.GetPoint(k);
      visit(met.point.x, met.point.y, normalX, normalY);
      met.delete();
    }
    contact.delete();
  }
}

interface ContactData {
  readonly manifold: InstanceType<Module["b2Manifold"]>;
  delete(): void;
}

function meet<Owner>({ ownerOf }: QueryHost<Owner>, hit: EngineHit<Owner>) {
  return (met: Met): number => {
    const owner = ownerOf(met.shapeId);
    if (owner !== undefined) hit(owner, met.point.x, met.point.y, met.normal.x, met.normal.y, met.fraction);
    met.delete();
    // Continue along the whole ray.
    return 1;
  };
}

function tell<Owner>({ ownerOf }: QueryHost<Owner>, id: ShapeId, found: (owner: Owner) => void): void {
  const owner = ownerOf(id);
  if (owner !== undefined) found(owner);
}

function filterFor(scratch: Scratch, mask: bigint): Scratch["filter"] {
  scratch.filter.setMaskBits64(mask.toString());
  return scratch.filter;
}
