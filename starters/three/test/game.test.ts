import { createGame, sceneFiles } from "espalier/game";
import { expect, it } from "vitest";
import { parts } from "../src/parts.ts";
import { scenes } from "../src/scenes.ts";

it("drives forward, and turret and barrel come along", async () => {
  // The game without a screen: the same scenes, behaviours and actions.
  const game = createGame({ ...parts, scenes: sceneFiles(scenes), errors: "throw" });
  const scene = await game.load("main");
  const player = game.entity(scene.entity("player"));
  const barrel = game.entity(scene.entity("player/barrel"));
  const before = { tank: player.x, barrel: barrel.absolutePosition.x };

  game.input.feed({ type: "key", code: "KeyW", down: true });
  game.step(60);
  expect(player.x).toBeGreaterThan(before.tank + 100);
  expect(barrel.absolutePosition.x - before.barrel).toBeCloseTo(player.x - before.tank, 3);
});
