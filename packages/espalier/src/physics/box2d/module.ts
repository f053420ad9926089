/**
 * The types of box2d3-wasm that this folder uses. Objects of it live in the engine's memory: those made by `new` or
 * returned by value are freed by `delete()`, those read from a field of another (`def.position`) are part of it and must not be.
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
