/**
 * The render suite: 10,000 sprites in a real browser, some of which move in every frame, compared with bare Pixi that moves the
 * same sprites. A run is `frames` frames in the page, so that the call into it does not count.
 */
import { expectEqual } from "../harness/expect.mjs";

export const subjects = {
  espalier: { file: "sprites.mjs", role: "own" },
  // As people use Pixi alone: the sprites directly on the stage.
  pixi: { file: "sprites.mjs", role: "limit" },
};

const size = 10_000;
const frames = 60;
const effort = { warmRuns: 5, warmMs: 2000, budgetMs: 30_000 };

const sprites = (parameters, quick) => ({
  effort,
  size,
  unitCount: frames,
  unit: "frame",
  builder: "sprites",
  parameters: { frames, ...parameters },
  verify,
  ...(quick === undefined ? {} : { quick }),
});

export const cases = {
  "sprites/1pct": sprites({ moving: 0.01, turning: false }),
  "sprites/1pct_turning": sprites({ moving: 0.01, turning: true }, false),
  "sprites/10pct": sprites({ moving: 0.1, turning: false }, false),
  "sprites/idle": sprites({ moving: 0, turning: false }, false),
};

/** Every sprite stands where it should after one more run, and the picture shows them. */
async function verify(it, definition) {
  const { frames, moving } = definition.parameters;
  const before = await it.frame();
  await it.run();
  await it.draw();
  expectEqual(await it.frame(), before + frames + 1, "frames drawn");
  const places = await it.places();
  expectEqual(places.length, size, "number of sprites");
  const now = before + frames + 1;
  for (let k = 0; k < size; k += 37) {
    const moved = k < size * moving;
    expectEqual(places[k].x, (k % 300) + (moved ? now % 7 : 0), `x of sprite ${k}`);
  }
  expectEqual((await it.pixels()) > 1000, true, "pixels drawn");
}
