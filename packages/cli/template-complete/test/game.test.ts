import { expect, it } from "vitest";
import { Bat, Hero } from "../src/content.ts";
import { createCave } from "../src/game.ts";

it("starts, takes a coin, pauses by the same key that resumes, and is lost to a bat", async () => {
  // The game without a screen and without loudspeakers: the same map, behaviours and actions.
  const { game, load, hero, now } = createCave();
  await load();
  const key = (code: string, down: boolean) => game.input.feed({ type: "key", code, down });
  const tap = (code: string) => {
    key(code, true);
    game.step();
    key(code, false);
    game.step();
  };
  expect(now()).toBe("menu");
  tap("Enter");
  expect(now()).toBe("playing");

  key("KeyS", true);
  key("KeyD", true);
  game.step(35);
  tap("KeyP");
  const { x, y } = hero();
  game.step(20);
  expect([now(), hero().x, hero().y]).toEqual(["paused", x, y]);
  tap("KeyP");
  game.step(30);
  expect(hero().get(Hero).score).toBe(1);

  key("KeyS", false);
  key("KeyD", false);
  const bat = hero().parent!.children.find((each) => each.has(Bat))!;
  hero().setPosition(bat.x, bat.y);
  game.step(2);
  expect(now()).toBe("over");
  tap("Enter");
  expect([now(), hero().x, hero().get(Hero).score]).toEqual(["playing", 24, 0]);
});
