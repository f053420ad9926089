export * from "./ecs/index.ts";
