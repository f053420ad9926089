import { DEVELOPMENT, EspalierError } from "espalier";
import { describe, expect, it } from "vitest";
import { describeBadCalls } from "./describe.ts";

// Pixi asks for the browser when it is loaded.
if (!("navigator" in globalThis)) Object.assign(globalThis, { navigator: { userAgent: "" } });
const pixi = await import("espalier/pixi");
const { pixiStage } = await import("./pixi-stage.ts");

describeBadCalls("pixi", { pixi }, pixiStage);

describe("openPixiRenderer", () => {
  const open = async (options: object) => {
    const stage = pixiStage();
    const error: unknown = await pixi
      .openPixiRenderer(stage.right.Transforms2D as never, options)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EspalierError);
    return (error as EspalierError).code;
  };

  it.each([
    { canvas: null },
    { canvas: {} },
    { canvas: "#game" },
    { pixi: 5 },
    { pixi: null },
    { stage: {} },
    { stage: null },
    { load: 1 },
    { findTexture: {} },
    { font: 5 },
    { width: 0 },
    { height: Number.NaN },
    { yAxis: "left" },
    { camera: "main" },
    { viewports: [null] },
    { look: 1 },
    { interpolation: {} },
    { particles: {} },
    { onProblem: "log" },
    ...(DEVELOPMENT ? [{ cull: "no" }, { renderer: {} }, { nonsense: 1 }] : []),
  ])("refuses %j before it needs a browser", async (options) => {
    expect(await open(options)).not.toBe("render/unavailable");
  });

  it("says that there is no screen when the options are right", async () => {
    expect(await open({ width: 10, height: 10, font: "serif", pixi: { antialias: false } })).toBe(
      "render/unavailable",
    );
  });
});
