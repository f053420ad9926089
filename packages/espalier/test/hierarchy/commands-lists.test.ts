import { checkWorld, component, createCommands, createWorld, EspalierError, f32 } from "espalier";
import { constrain, createHierarchy, forbidOnChildren, hierarchyCommands } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";

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

describe("a creation that is refused while it is recorded", () => {
  const Health = component("Health", { hp: f32(100) });
  const bad = Health({ hp: "full" as never });
  const elsewhere = createWorld();
  const stranger = { id: elsewhere.spawn(), world: elsewhere };

  it.each<readonly [string, (edits: ReturnType<typeof hierarchyCommands>) => unknown]>([
    ["attachNew with a parent that is not an entity", (edits) => edits.attachNew("top" as never, Health)],
    ["attachNew with a parent of another world", (edits) => edits.attachNew(stranger, Health)],
    ["attachNew with a bad value", (edits) => edits.attachNew(null, Health, bad)],
    [
      "attachNewAt with a sibling that is not an entity",
      (edits) => edits.attachNewAt(null, { before: "a" as never }),
    ],
    [
      "attachNewMany with a parent that is not an entity",
      (edits) => edits.attachNewMany("top" as never, 3, Health),
    ],
    [
      "spawnTree with a parent that is not an entity",
      (edits) => edits.spawnTree({ children: [{}] }, "top" as never),
    ],
    [
      "spawnTree with a bad value below",
      (edits) => edits.spawnTree({ name: "a", children: [{ with: [bad] }] }),
    ],
  ])("leaves nothing in the buffer: %s", (_, create) => {
    for (const isConstrained of [false, true]) {
      const world = strictWorld();
      const tree = createHierarchy(world);
      if (isConstrained) constrain(tree, forbidOnChildren(world, Health));
      const commands = createCommands(world);
      const edits = hierarchyCommands(tree, commands);
      const kept = commands.spawn();
      expect(() => create(edits)).toThrow(EspalierError);
      expect(commands.pending).toBe(1);
      expect(checkWorld(world)).toEqual([]);
      commands.flush();
      expect([...world.entities()]).toEqual([kept]);
    }
  });
});
