import { createWorld, type Entity } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import {
  activeCamera,
  Camera,
  cameraFits,
  cameraView,
  frameBounds,
  isInArea,
  screenToWorld,
  screenView,
  viewOfCamera,
  worldToScreen,
  zoomAround,
} from "espalier/render";
import { createTransforms2D, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const screen = { width: 400, height: 200 };
const still = { x: 0, y: 0, rotation: 0 };

describe("a camera view", () => {
  it("has y upwards and looks at the middle of the screen", () => {
    const view = cameraView({}, { x: 10, y: 5, rotation: 0 }, screen);
    expect(worldToScreen(view, 10, 5)).toEqual({ x: 200, y: 100 });
    expect(worldToScreen(view, 11, 15)).toEqual({ x: 201, y: 90 });
    expect(view.visible).toEqual({ minX: -190, minY: -95, maxX: 210, maxY: 105 });
  });

  it("has y downwards on request", () => {
    const view = cameraView({}, still, screen, "down");
    expect(worldToScreen(view, 1, 10)).toEqual({ x: 201, y: 110 });
  });

  it("zooms about what it looks at", () => {
    const view = cameraView({ zoom: 4 }, { x: 3, y: 3, rotation: 0 }, screen);
    expect(worldToScreen(view, 4, 3)).toEqual({ x: 204, y: 100 });
    expect(worldToScreen(view, 3, 3)).toEqual({ x: 200, y: 100 });
  });

  it("turns the world the other way", () => {
    // A camera turned a quarter from +x towards +y sees +x of the world pointing down.
    const view = cameraView({}, { x: 0, y: 0, rotation: Math.PI / 2 }, screen);
    const { x, y } = worldToScreen(view, 10, 0);
    expect(x).toBeCloseTo(200, 10);
    expect(y).toBeCloseTo(110, 10);
  });

  it("leaves bars at the sides or above when the aspect ratio differs", () => {
    const wide = cameraView({ width: 100, height: 100 }, still, screen);
    expect(wide.area).toEqual({ x: 100, y: 0, width: 200, height: 200 });
    expect(wide.visible).toEqual({ minX: -50, minY: -50, maxX: 50, maxY: 50 });
    expect([isInArea(wide, 50, 100), isInArea(wide, 150, 100)]).toEqual([false, true]);
    const high = cameraView({ width: 400, height: 50 }, still, screen);
    expect(high.area).toEqual({ x: 0, y: 75, width: 400, height: 50 });
  });

  it("covers the screen, or stretches to it", () => {
    const cover = cameraView({ width: 100, height: 100, fit: cameraFits.cover }, still, screen);
    expect(cover.area).toEqual({ x: 0, y: 0, ...screen });
    expect(cover.matrix.a).toBe(4);
    const stretch = cameraView({ width: 100, height: 100, fit: cameraFits.stretch }, still, screen);
    expect([stretch.matrix.a, stretch.matrix.d]).toEqual([4, -2]);
  });

  it("takes one side of the size alone", () => {
    expect(cameraView({ height: 100 }, still, screen).matrix.a).toBe(2);
    expect(cameraView({ width: 100 }, still, screen).matrix.d).toBe(-4);
  });

  it("maps the screen back to the world, whatever the camera", () => {
    const number = fc.double({ min: -1000, max: 1000, noNaN: true });
    const camera = fc.record({
      zoom: fc.double({ min: 0.01, max: 100, noNaN: true }),
      width: fc.constantFrom(0, 50, 320),
      height: fc.constantFrom(0, 70, 200),
      fit: fc.constantFrom(0, 1, 2),
    });
    const pose = fc.record({ x: number, y: number, rotation: number });
    property(
      fc.record({ camera, pose, x: number, y: number, yAxis: fc.constantFrom("up", "down") }),
      (given) => {
        const view = cameraView(given.camera, given.pose, screen, given.yAxis as "up" | "down");
        const there = worldToScreen(view, given.x, given.y);
        const back = screenToWorld(view, there.x, there.y);
        expect(back.x).toBeCloseTo(given.x, 4);
        expect(back.y).toBeCloseTo(given.y, 4);
      },
    );
  });

  it.each([0, -1, Number.NaN])("survives a zoom of %d", (zoom) => {
    const view = cameraView({ zoom }, still, screen);
    expect(Object.values(view.matrix).every(Number.isFinite)).toBe(true);
    expect(Object.values(screenToWorld(view, 1, 1)).every(Number.isFinite)).toBe(true);
  });

  it("without a camera has its origin at the bottom left, or at the top left", () => {
    expect(worldToScreen(screenView(screen), 10, 20)).toEqual({ x: 10, y: 180 });
    expect(worldToScreen(screenView(screen, "down"), 10, 20)).toEqual({ x: 10, y: 20 });
  });
});

describe("zooming and framing", () => {
  it("keeps the point under the pointer where it is", () => {
    const pose = { x: 7, y: -3, rotation: 0.5 };
    const before = cameraView({ zoom: 2 }, pose, screen);
    const point = screenToWorld(before, 30, 40);
    const moved = zoomAround(before, pose, 30, 40, 1.5);
    const after = cameraView({ zoom: 3 }, { ...moved, rotation: 0.5 }, screen);
    const there = worldToScreen(after, point.x, point.y);
    expect(there.x).toBeCloseTo(30, 8);
    expect(there.y).toBeCloseTo(40, 8);
  });

  it("fits everything that is to be shown", () => {
    const bounds = { minX: 10, minY: 0, maxX: 30, maxY: 40 };
    const { zoom, ...center } = frameBounds(bounds, screen, 20);
    expect({ zoom, ...center }).toEqual({ x: 20, y: 20, zoom: 4 });
    const empty = { minX: 1, minY: 1, maxX: 0, maxY: 0 };
    expect(frameBounds(empty, screen)).toEqual({ x: 0, y: 0, zoom: 1 });
  });
});

describe("Camera", () => {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);

  it("is chosen by priority, then by age, and only when it is on", () => {
    expect(activeCamera(world)).toBeNull();
    const first = world.spawn(Camera);
    const second = world.spawn(Camera);
    expect(activeCamera(world)).toBe(first);
    world.set(second, Camera, { priority: 1 });
    expect(activeCamera(world)).toBe(second);
    world.set(second, Camera, { on: false });
    expect(activeCamera(world)).toBe(first);
    world.destroy(first);
    world.destroy(second);
  });

  it("follows its parent, and is not mirrored with it", () => {
    const tank = world.spawn(space.at(100, 50));
    const camera = tree.attachNew(tank, space.at(0, 10), Camera({ zoom: 2 }));
    space.setScale(tank, -1, 1);
    const view = viewOfCamera(space, camera, screen);
    expect(worldToScreen(view, 100, 60)).toEqual({ x: 200, y: 100 });
    expect(view.matrix).toMatchObject({ a: 2, d: -2 });
  });

  it.each([
    [-1, 1],
    [1, -1],
    [-2, 0.5],
    [0.5, -2],
  ])("is turned as its parent and itself are, below one that is scaled by %d and %d", (scaleX, scaleY) => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    property(fc.tuple(angle, angle), ([turn, own]) => {
      const ship = world.spawn(Transform2D({ rotation: turn, scaleX, scaleY }));
      const ghost = tree.attachNew(ship, Transform2D({ scaleX: -1 }), Ghost);
      const camera = tree.attachNew(ghost, Camera);
      expectTurn(camera, turn);
      if (Math.abs(scaleX) === 1) {
        space.setRotation(camera, own);
        // Turning within a mirrored parent turns the other way in the world.
        expectTurn(camera, turn - own);
      }
      tree.attach(camera, null);
      space.setScale(camera, scaleX, scaleY);
      space.setRotation(camera, turn);
      expectTurn(camera, turn);
      world.destroy(ship);
      world.destroy(camera);
    });
  });

  function expectTurn(camera: Entity, turn: number): void {
    const { matrix } = viewOfCamera(space, camera, screen);
    const wanted = cameraView({}, { x: 0, y: 0, rotation: turn }, screen).matrix;
    for (const key of ["a", "b", "c", "d"] as const) expect(matrix[key]).toBeCloseTo(wanted[key], 4);
  }
});
