/**
 * Everything most programs need: the ECS. Trees, transforms and the rest have sub-paths of their own.
 *
 * @packageDocumentation
 */

export * from "./ecs/index.ts";
