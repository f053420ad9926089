/**
 * The types of box2d3-wasm that this folder uses. Objects of it live in the engine's memory: those made by `new` or
 * returned by value are freed by `delete()`, those read from a field of another (`def.position`) are part of it and must not.
 */
import type Box2D from "box2d3-wasm";

export type Module = Awaited<ReturnType<typeof Box2D>>;
export type WorldId = ReturnType<Module["b2CreateWorld"]>;
export type BodyId = ReturnType<Module["b2CreateBody"]>;
export type ShapeId = ReturnType<Module["b2CreateCircleShape"]>;
export type ChainId = ReturnType<Module["b2CreateChain"]>;
export type JointId = ReturnType<Module["b2CreateRevoluteJoint"]>;
export type Vec2 = InstanceType<Module["b2Vec2"]>;
export type ShapeProxy = InstanceType<Module["b2ShapeProxy"]>;

/** Objects that calls are filled into, so that none is made per call. */
export class Scratch {
  readonly point: Vec2;
  readonly vector: Vec2;
  readonly rotation: InstanceType<Module["b2Rot"]>;
  readonly transform: InstanceType<Module["b2Transform"]>;
  readonly locks: InstanceType<Module["b2MotionLocks"]>;
  readonly filter: ReturnType<Module["b2DefaultQueryFilter"]>;

  constructor(module: Module) {
    this.point = new module.b2Vec2();
    this.vector = new module.b2Vec2();
    this.rotation = new module.b2Rot();
    this.transform = new module.b2Transform();
    this.locks = new module.b2MotionLocks();
    this.filter = module.b2DefaultQueryFilter();
  }

  dispose(): void {
    for (const held of [this.point, this.vector, this.rotation, this.transform, this.locks, this.filter])
      held.delete();
  }
}
