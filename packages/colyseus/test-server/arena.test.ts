/** The example without a screen: a server and bots. */

import { Shape } from "espalier/render";
import { expect, test } from "vitest";
import { createArena, Drive, spawnTank, Tank } from "../../../examples/arena/arena.ts";
import { addBot } from "../../../examples/arena/bots.ts";
import { serve } from "../../../examples/arena/server.ts";
import { until } from "./testing.ts";

test("one player drives and fires in the arena without a server", async () => {
  const game = await createArena();
  const tank = spawnTank(game, 0);
  const other = spawnTank(game, 1);
  tank.setPosition(0, 0);
  other.setPosition(150, 0);
  tank.set(Drive, { throttle: 1, fire: true });
  game.step(10);
  expect(tank.x).toBeCloseTo(30);
  const shapes = [...game.world.query(Shape)].length;
  expect(shapes).toBe(5);
  game.step(20);
  expect(tank.get(Tank).score).toBe(1);
  expect(other.x).not.toBe(150);
  game.stop();
});

test("bots drive and fire in the arena, and each sees the others", async () => {
  const port = 20_000 + ((process.pid + 977) % 12_000);
  const server = await serve(port);
  try {
    const bots: Awaited<ReturnType<typeof addBot>>[] = [];
    for (let k = 0; k < 6; k++) bots.push(await addBot(`http://127.0.0.1:${port}`, k / 10));
    for (const { game, view } of bots) {
      await until(() => view.owned.size === 1, "each has a tank");
      await until(() => [...game.world.query(Tank)].length > 1, "others are in sight");
      // What the prefabs look like comes from the server, too.
      await until(() => [...game.world.query(Shape)].length >= 5, "hulls, guns and shells have looks");
    }
    const [{ game, view }] = bots as [(typeof bots)[0]];
    const [own] = view.owned;
    const before = { ...game.space.localOf(own!) };
    await until(
      () => Math.hypot(game.space.localOf(own!).x - before.x, game.space.localOf(own!).y - before.y) > 20,
      "it drives",
    );
    await Promise.all(bots.map(({ leave }) => leave()));
    expect(view.status).toBe("closed");
  } finally {
    await server.gracefullyShutdown(false);
  }
});
