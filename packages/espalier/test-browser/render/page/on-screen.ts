/** A world with things on the screen, drawn by either renderer. */
import { createWorld } from "espalier";
import { createCanvasRenderer } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { ZIndex } from "espalier/inherit";
import { openPixiRenderer } from "espalier/pixi";
import { Camera, OnScreen, rect, type Viewport, type WorldRenderer, type YAxis } from "espalier/render";
import { createRectTransforms, createTransforms2D, RectTransform } from "espalier/transform";

export interface Situation {
  readonly renderer: "canvas" | "pixi";
  readonly yAxis: YAxis;
  /** One camera for all of the screen, one that leaves bars at both sides, or two beside each other. */
  readonly cameras: "whole" | "bars" | "two";
  readonly resolution: number;
}

let opened: WorldRenderer | undefined;

/** Opens a screen of 160 by 120 and makes it 320 by 240. Gives what is on the screen at points of it. */
export async function openOnScreen(
  { renderer: kind, yAxis, cameras, resolution }: Situation,
  points: readonly (readonly [number, number])[],
): Promise<string[][]> {
  opened?.dispose();
  document.body.replaceChildren();
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const square = cameras === "bars" ? { width: 240, height: 240 } : {};
  const background = { background: 0x203040, backgroundAlpha: 1 };
  const left = world.spawn(space.at(1000, 500), Camera({ ...square, ...background, zoom: 2 }));
  const right = world.spawn(space.at(1000, 500), Camera({ ...background, priority: -1 }));
  const viewports: Viewport[] = [
    { camera: left, width: 0.5 },
    { camera: right, x: 0.5, width: 0.5 },
  ];
  const options = {
    width: 160,
    height: 120,
    yAxis,
    layout: createRectTransforms,
    ...(cameras === "two" ? { viewports } : {}),
  };
  if (kind === "pixi") {
    opened = await openPixiRenderer(space, {
      ...options,
      pixi: { preserveDrawingBuffer: true, antialias: false, resolution, autoDensity: true },
    });
  } else {
    const canvas = document.createElement("canvas");
    opened = createCanvasRenderer(space, { ...options, canvas, resolution });
  }
  document.body.append(opened.view!);
  world.spawn(space.at(1000, 500), rect(4000, 20, { fill: 0x00ff00 }));
  // Seen from above in either direction of y: what is 20 below the top edge.
  const down = (y: number) => (yAxis === "up" ? -y : y);
  const top = yAxis === "up" ? 1 : 0;
  const hud = world.spawn(OnScreen({ anchorX: 1, anchorY: top }), space.at(0, 0));
  tree.setName(hud, "hud");
  const red = tree.attachNew(hud, space.at(-30, down(20)), rect(40, 20, { fill: 0xff0000 }));
  const blue = tree.attachNew(
    hud,
    space.at(-20, down(20)),
    ZIndex({ z: -1 }),
    rect(30, 30, { fill: 0x0000ff }),
  );
  const inFirst = world.spawn(
    OnScreen({ anchorY: top, viewport: 0 }),
    space.at(10, down(10)),
    rect(20, 20, { fill: 0xffff00 }),
  );
  const strip = tree.attachNew(
    hud,
    RectTransform({ anchorMinY: 1, anchorMaxX: 1, anchorMaxY: 1, pivotY: 1, height: 12 }),
    rect(0, 0, { fill: 0xff00ff }),
  );
  const names = new Map([
    [red, "red"],
    [blue, "blue"],
    [inFirst, "yellow"],
    [strip, "magenta"],
  ]);
  opened.render();
  opened.resize(320, 240);
  opened.render();
  return points.map(([x, y]) => opened!.onScreenAt(x, y).map((entity) => names.get(entity) ?? "?"));
}
