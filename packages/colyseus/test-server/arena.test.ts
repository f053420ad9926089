/** The example without a screen: a server and bots. */
import { expect, test } from "vitest";
import { Tank } from "../../../examples/arena/arena.ts";
import { addBot } from "../../../examples/arena/bots.ts";
import { serve } from "../../../examples/arena/server.ts";
import { until } from "./testing.ts";

test("bots drive and fire in the arena, and each sees the others", async () => {
  const port = 20_000 + ((process.pid + 977) % 12_000);
  const server = await serve(port);
  try {
    const bots: Awaited<ReturnType<typeof addBot>>[] = [];
    for (let k = 0; k < 6; k++) bots.push(await addBot(`http://127.0.0.1:${port}`, k / 10));
    for (const { game, view } of bots) {
      await until(() => view.owned.size === 1, "each has a tank");
      await until(() => [...game.world.query(Tank)].length > 1, "others are in sight");
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
