/**
 * Objects of the engine that are created once per world: creating one costs more than most of the calls that take it.
 */
import type { Module, Vec2 } from "./module.ts";
import { Polygons } from "./polygons.ts";

/** Reusable argument objects, so that none is created per call. */
export class Scratch {
  readonly point: Vec2;
  readonly vector: Vec2;
  readonly rotation: InstanceType<Module["b2Rot"]>;
  readonly transform: InstanceType<Module["b2Transform"]>;
  readonly locks: InstanceType<Module["b2MotionLocks"]>;
  readonly filter: ReturnType<Module["b2DefaultQueryFilter"]>;
  readonly polygons: Polygons;
  readonly body: ReturnType<typeof bodyDefinition>;
  readonly shape: ReturnType<typeof shapeDefinition>;

  constructor(module: Module) {
    this.point = new module.b2Vec2();
    this.vector = new module.b2Vec2();
    this.rotation = new module.b2Rot();
    this.transform = new module.b2Transform();
    this.locks = new module.b2MotionLocks();
    this.filter = module.b2DefaultQueryFilter();
    this.polygons = new Polygons(module);
    this.body = bodyDefinition(module);
    this.shape = shapeDefinition(module);
  }

  dispose(): void {
    const { point, vector, rotation, transform, locks, filter, body, shape } = this;
    for (const held of [point, vector, rotation, transform, locks, filter, body.def, shape.def])
      held.delete();
    this.polygons.dispose();
  }
}

/** The definition of new bodies. Every field that is ever set is set for each body; nested objects are part of the definition. */
function bodyDefinition(module: Module) {
  const def = module.b2DefaultBodyDef();
  const { position, rotation, linearVelocity, motionLocks } = def;
  return { def, position, rotation, linearVelocity, motionLocks };
}

/** The definition of new shapes, and the layers that its filter was last set to. */
function shapeDefinition(module: Module) {
  const def = module.b2DefaultShapeDef();
  const { material, filter } = def;
  const layers: { category?: bigint; mask?: bigint } = {};
  return { def, material, filter, layers };
}
