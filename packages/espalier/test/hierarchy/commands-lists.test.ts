import { createCommands, createWorld } from "espalier";
import { createHierarchy, hierarchyCommands } from "espalier/hierarchy";
import { expect, it } from "vitest";

it("a recorded edit does not follow lists that contain themselves", () => {
  const world = createWorld();
  const tree = createHierarchy(world);
  const commands = createCommands(world);
  const circle: unknown[] = [];
  circle.push(circle);
  const edits = hierarchyCommands(tree, commands);
  expect(() => edits.attachMany(circle as never, null)).toThrow("ecs/invalid-entity");
  expect(() => edits.attachAll([circle] as never)).toThrow("ecs/invalid-entity");
});
