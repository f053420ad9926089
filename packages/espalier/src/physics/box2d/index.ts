/**
 * Box2D (version 3, as WebAssembly) as the engine of `espalier/physics`. The only folder that imports it.
 *
 * @packageDocumentation
 */

export { type Box2DOptions, loadBox2D } from "./load.ts";
