import { loadBox2D } from "espalier/physics/box2d";
import { describe, expect, it } from "vitest";
import { expected } from "./determinism-expected.ts";
import { runScene } from "./determinism-scene.ts";
import { engine } from "./set-up.ts";

describe("the same scene and the same steps", () => {
  it("give the same bits twice, in separate engines, and the same bits on every machine", async () => {
    const first = runScene(engine);
    expect(runScene(engine)).toEqual(first);
    expect(runScene(await loadBox2D())).toEqual(first);
    // The browser tests compare with the same numbers.
    expect(first).toEqual(expected);
  });
});
