import { transformPoint } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { dragChange, gizmoFrame, handleAt, screenAxes } from "../src/viewport/gizmo.ts";
import { ViewportCamera } from "../src/viewport/viewport-camera.ts";
import { at, open } from "./open.ts";

const free = { grid: 0, angle: 0 };
const frame = { x: 10, y: 20, angle: 0 };
const turned = { x: 0, y: 0, angle: Math.PI / 2 };

describe("a gizmo", () => {
  it("is at the origin of the last entity or in the middle of all, rotated as configured", () => {
    const document = open();
    const house = at(document, "house");
    const options = { orientation: "local", pivot: "origin" } as const;
    const position = document.space.worldPosition(house);
    expect(gizmoFrame(document, [house], options)).toMatchObject(position);
    expect(gizmoFrame(document, [house], options)?.angle).toBeCloseTo(document.space.worldRotation(house));
    expect(gizmoFrame(document, [house], { ...options, orientation: "world" })?.angle).toBe(0);
    expect(gizmoFrame(document, [], options)).toBeUndefined();
  });

  it("finds its handles on the screen, also with y turned over", () => {
    for (const yUp of [false, true]) {
      const camera = new ViewportCamera();
      camera.resize(400, 400);
      camera.yUp = yUp;
      const axes = screenAxes({ x: 0, y: 0, angle: 0 }, camera.view.matrix);
      expect(axes.origin).toEqual({ x: 200, y: 200 });
      expect(handleAt("move", axes, 250, 200)).toBe("x");
      expect(handleAt("move", axes, 200, yUp ? 150 : 250)).toBe("y");
      expect(handleAt("move", axes, 203, 198)).toBe("xy");
      expect(handleAt("rotate", axes, 258, 200)).toBe("ring");
      expect(handleAt("select", axes, 200, 200)).toBeUndefined();
      expect(handleAt("move", axes, 300, 300)).toBeUndefined();
    }
  });

  it("moves along one axis, or freely, in the direction of its frame", () => {
    const [from, to] = [
      { x: 0, y: 0 },
      { x: 5, y: 3 },
    ];
    expect(dragChange("move", "x", frame, from, to, free)).toMatchObject({ x: 5, y: 0 });
    expect(dragChange("move", "xy", frame, from, to, free)).toMatchObject({ x: 5, y: 3 });
    const along = dragChange("move", "x", turned, from, to, free);
    expect([along.x, along.y].map((n) => Math.round(n * 1e6) / 1e6)).toEqual([0, 3]);
  });

  it("snaps its origin to the grid", () => {
    const change = dragChange("move", "xy", frame, { x: 0, y: 0 }, { x: 5, y: 3 }, { grid: 8, angle: 0 });
    expect([frame.x + change.x, frame.y + change.y]).toEqual([16, 24]);
  });

  it("rotates around its position, in steps on request", () => {
    const [from, to] = [
      { x: 20, y: 20 },
      { x: 10, y: 31 },
    ];
    const change = dragChange("rotate", "ring", frame, from, to, free);
    expect(transformPoint(change, 20, 20)).toEqual({ x: expect.closeTo(10), y: expect.closeTo(30) });
    const near = dragChange("rotate", "ring", frame, from, { x: 11, y: 30 }, { grid: 0, angle: 45 });
    expect(transformPoint(near, 20, 20)).toEqual({ x: expect.closeTo(10), y: expect.closeTo(30) });
  });

  it("scales and skews around its position, and never to nothing", () => {
    const change = dragChange("scale", "x", frame, { x: 20, y: 20 }, { x: 30, y: 20 }, free);
    expect(transformPoint(change, 15, 25)).toEqual({ x: 20, y: 25 });
    const flat = dragChange("scale", "x", frame, { x: 20, y: 20 }, { x: 10, y: 20 }, free);
    expect(flat.a * flat.d - flat.b * flat.c).not.toBe(0);
    const leaning = dragChange("skew", "y", frame, { x: 10, y: 30 }, { x: 15, y: 30 }, free);
    expect(transformPoint(leaning, 10, 40)).toEqual({ x: 20, y: 40 });
    expect(transformPoint(leaning, 10, 20)).toEqual({ x: 10, y: 20 });
  });
});

describe("the middle of the scale gizmo", () => {
  it("doubles the size with the same way on the screen, at every zoom and however its axes are turned", () => {
    for (const pixel of [0.01, 1, 10]) {
      for (const turn of [0, Math.PI / 2, Math.PI]) {
        const from = { x: frame.x, y: frame.y };
        const to = { x: frame.x + 100 * pixel, y: frame.y };
        const change = dragChange("scale", "xy", { ...frame, angle: turn }, from, to, { ...free, pixel });
        expect([change.a, change.d]).toEqual([expect.closeTo(2), expect.closeTo(2)]);
      }
    }
  });
});

describe("the camera of the viewport", () => {
  it("pans with the pointer and zooms around it", () => {
    const camera = new ViewportCamera();
    camera.resize(200, 100);
    const before = transformPoint(camera.view.inverse, 30, 40);
    camera.zoomAt(30, 40, 3);
    expect(transformPoint(camera.view.inverse, 30, 40)).toEqual({
      x: expect.closeTo(before.x),
      y: expect.closeTo(before.y),
    });
    camera.pan(12, -5);
    expect(transformPoint(camera.view.inverse, 42, 35)).toEqual({
      x: expect.closeTo(before.x),
      y: expect.closeTo(before.y),
    });
  });

  it("fits a rectangle into the screen", () => {
    const camera = new ViewportCamera();
    camera.resize(400, 300);
    camera.fit({ left: 100, top: 100, right: 500, bottom: 200 });
    expect([camera.x, camera.y]).toEqual([300, 150]);
    const { visible } = camera.view;
    expect([visible.minX <= 100, visible.maxX >= 500]).toEqual([true, true]);
  });
});
