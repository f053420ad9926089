import { createGame, sceneFiles } from "espalier/game";
import { expect, it } from "vitest";
import { parts } from "../src/parts.ts";
import { scenes } from "../src/scenes.ts";

it("drives into the crates, and the cabin comes along", async () => {
  // The game without a screen: the same scenes, behaviours, actions and physics.
  const game = createGame({ ...parts, scenes: sceneFiles(scenes), errors: "throw" });
  const scene = await game.load("main");
  const car = game.entity(scene.entity("car"));
  const cabin = game.entity(scene.entity("cabin"));
  const crate = game.entity(scene.entity("crate-1"));
  const before = { car: car.x, crate: crate.x };

  game.input.feed({ type: "key", code: "KeyD", down: true });
  game.step(240);
  expect(car.x).toBeGreaterThan(before.car + 100);
  expect(crate.x).toBeGreaterThan(before.crate + 1);
  const { x, y } = cabin.absolutePosition;
  expect(Math.hypot(x - car.x, y - car.y)).toBeCloseTo(Math.hypot(15, 30), 2);
  game.stop();
});
