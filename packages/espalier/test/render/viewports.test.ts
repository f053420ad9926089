import { createWorld, type Entity } from "espalier";
import { createCanvasRenderer, createRecordingContext } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { Camera, circle, createRecordingRenderer, type Viewport } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const size = { width: 200, height: 100 };

function stage() {
  const world = createWorld();
  const space = createTransforms2D(createHierarchy(world));
  const left = world.spawn(space.at(0, 0), Camera);
  const right = world.spawn(space.at(1000, 0), Camera({ zoom: 2 }));
  const split: Viewport[] = [
    { camera: left, width: 0.5 },
    { camera: right, x: 0.5, width: 0.5 },
  ];
  return { world, space, left, right, split };
}

describe("viewports", () => {
  it("let each camera see its part of the world on its part of the screen", () => {
    const { world, space, split } = stage();
    const renderer = createRecordingRenderer(space, { ...size, viewports: split });
    const near = world.spawn(space.at(10, 0), circle(5));
    const far = world.spawn(space.at(1010, 0), circle(5));
    const between = world.spawn(space.at(500, 0), circle(5));
    renderer.render();
    const views = renderer.calls.flatMap((call) => (call.type === "draw" ? [call.view] : []));
    expect(views.map(({ area }) => area)).toEqual([
      { x: 0, y: 0, width: 100, height: 100 },
      { x: 100, y: 0, width: 100, height: 100 },
    ]);
    expect(renderer.cameraViews()).toEqual(views);
    expect(renderer.cameraView()).toEqual(views[0]);
    expect(renderer.toScreen(10, 0)).toEqual({ x: 60, y: 50 });
    expect(renderer.toScreen(1010, 0, views[1])).toEqual({ x: 170, y: 50 });
    // What no camera sees is left out, also when it lies between what two of them see.
    expect(renderer.drawn().map(({ entity }) => entity)).toEqual([near, far]);
    space.setPosition(between, 1020, 0);
    space.setPosition(near, 300, 0);
    renderer.render();
    expect(renderer.drawn().map(({ entity }) => entity)).toEqual([far, between]);
  });

  it("convert points of the screen through the topmost one there", () => {
    const { space, left, right } = stage();
    const viewports = [{ camera: left }, { camera: right, x: 0.75, y: 0, width: 0.25, height: 0.5 }];
    const renderer = createRecordingRenderer(space, { ...size, viewports });
    expect(renderer.toWorld(100, 50)).toEqual({ x: 0, y: 0 });
    expect(renderer.toWorld(175, 25)).toEqual({ x: 1000, y: 0 });
    expect(renderer.toWorld(185, 25)).toEqual({ x: 1005, y: 0 });
    expect(renderer.toWorld(175, 75)).toEqual({ x: 75, y: -25 });
  });

  it("draw again when one of the cameras moves, and only then", () => {
    const { space, right, split } = stage();
    const renderer = createRecordingRenderer(space, { ...size, viewports: split });
    const draws = () => {
      renderer.calls.length = 0;
      renderer.render();
      return renderer.calls.length;
    };
    expect([draws(), draws()]).toEqual([2, 0]);
    space.setPosition(right, 1001, 0);
    expect([draws(), draws()]).toEqual([2, 0]);
  });

  it("may be computed in every frame; invalid ones are left out, and without any the active camera is used", () => {
    const { world, space, left, right } = stage();
    let viewports: readonly Viewport[] = [];
    const renderer = createRecordingRenderer(space, { ...size, viewports: () => viewports });
    const areas = () => renderer.cameraViews().map(({ area }) => area.width);
    expect(areas()).toEqual([200]);
    viewports = [
      { camera: left, width: 0.5 },
      { camera: right, width: Number.NaN },
      { camera: right, height: 0 },
      { camera: null, x: 0.5, width: 0.25 },
    ];
    expect(areas()).toEqual([100, 50]);
    world.destroy(left);
    expect(areas()).toEqual([50]);
    renderer.render();
  });

  it("are refused when they do not fit on a screen", () => {
    const { space, left } = stage();
    const make = (viewport: Partial<Viewport>) => () =>
      createRecordingRenderer(space, { viewports: [{ camera: left, ...viewport }] });
    expect(make({ width: 0 })).toThrow("Cannot draw with viewports[0]");
    expect(make({ x: Number.POSITIVE_INFINITY })).toThrow("finite parts of the screen");
  });

  it("are drawn on a canvas one after the other, each inside its own part", () => {
    const { world, space, left, right } = stage();
    const ball = (x: number): Entity => world.spawn(space.at(x, 0), circle(5, { fill: 0xff0000 }));
    ball(0);
    ball(1000);
    world.set(right, Camera, { background: 0x0000ff, backgroundAlpha: 1 });
    const context = createRecordingContext();
    const viewports = [{ camera: left }, { camera: right, x: 0.75, y: 0.5, width: 0.25, height: 0.5 }];
    createCanvasRenderer(space, { ...size, context, viewports }).render();
    const calls = context.calls.filter(([name]) =>
      ["clearRect", "rect", "clip", "fillRect"].includes(name as string),
    );
    expect(calls).toEqual([
      ["clearRect", 0, 0, 200, 100],
      ["rect", 150, 50, 50, 50],
      ["clip"],
      ["fillRect", 150, 50, 50, 50],
    ]);
    const translations = context.calls
      .filter(([name]) => name === "setTransform")
      .map(([, ...m]) => m.slice(4));
    expect(translations).toContainEqual([100, 50]);
    expect(translations).toContainEqual([175, 75]);
  });

  it("draw on a canvas what each camera sees, not what another one does", () => {
    const { world, space, split } = stage();
    const near = world.spawn(space.at(0, 0), circle(5));
    for (let k = 0; k < 3; k++) world.spawn(space.at(1000 + k, 0), circle(5));
    const context = createRecordingContext();
    const renderer = createCanvasRenderer(space, { ...size, context, viewports: split });
    const draws = () => {
      context.calls.length = 0;
      renderer.render();
      return context.calls.filter(([name]) => name === "arc").length;
    };
    expect(draws()).toBe(4);
    space.setPosition(near, 1000, 0);
    expect(draws()).toBe(4);
    space.setPosition(near, 500, 0);
    expect(draws()).toBe(3);
    renderer.dispose();
    // Without culling everything is drawn for both.
    const all = createCanvasRenderer(space, { ...size, context, viewports: split, cull: false });
    context.calls.length = 0;
    all.render();
    expect(context.calls.filter(([name]) => name === "arc").length).toBe(8);
  });
});
