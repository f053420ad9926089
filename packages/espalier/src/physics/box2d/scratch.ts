/**
 * Objects of the engine that are made once for a world: making one costs more than most of the calls that take it.
 */
import type { Module, Vec2 } from "./module.ts";
import { Polygons } from "./polygons.ts";

/** Objects that calls are filled into, so that none is made per call. */
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

/** What a new body is described with. Every field that is ever set is set for each body; the parts live in the definition. */
function bodyDefinition(module: Module) {
  const def = module.b2DefaultBodyDef();
  const { position, rotation, linearVelocity, motionLocks } = def;
  return { def, position, rotation, linearVelocity, motionLocks };
}

/** What a new shape is described with, with the layers that its filter was last filled with. */
function shapeDefinition(module: Module) {
  const def = module.b2DefaultShapeDef();
  const { material, filter } = def;
  const layers: { category?: bigint; mask?: bigint } = {};
  return { def, material, filter, layers };
}
