/**
 * Several cameras on one screen: split screen, a map in a corner. Each has a part of the screen.
 */
import { describeValue, type EntityLike } from "../../ecs/index.ts";
import { invert2D } from "../../transform/index.ts";
import { InvalidRenderOptionError } from "../errors.ts";
import { type CameraView, isInArea, type Rectangle, type Size } from "./camera-view.ts";

/** A part of the screen and the camera that is shown there. 0 is left or top, 1 right or bottom. */
export interface Viewport {
  /** The camera; with `null`, one unit is one pixel. */
  readonly camera: EntityLike | null;
  /** 0 if left out. */
  readonly x?: number;
  /** The upper edge, as a fraction of the screen. 0 if left out. */
  readonly y?: number;
  /** 1 if left out. */
  readonly width?: number;
  /** The height, as a fraction of the screen. 1 if left out. */
  readonly height?: number;
}

/** The viewports of a renderer: a fixed list, or a function called in every frame. Later ones are above earlier ones. */
export type Viewports = readonly Viewport[] | (() => readonly Viewport[]);

/** The rectangle of a viewport in pixels; `undefined` if it has none. */
export function rectangleOf(viewport: Viewport, screen: Size): Rectangle | undefined {
  const { x = 0, y = 0, width = 1, height = 1 } = viewport;
  const rectangle = {
    x: x * screen.width,
    y: y * screen.height,
    width: width * screen.width,
    height: height * screen.height,
  };
  return rectangle.width > 0 && rectangle.height > 0 && Number.isFinite(x + y + width + height)
    ? rectangle
    : undefined;
}

/** Moves a view that was made for a screen as large as `part` to that part of the whole screen. */
export function moveView(view: CameraView, part: Rectangle, screen: Size): CameraView {
  const { matrix: m, area } = view;
  const matrix = { ...m, x: m.x + part.x, y: m.y + part.y };
  return {
    ...view,
    matrix,
    inverse: invert2D(matrix) ?? view.inverse,
    screen: { width: screen.width, height: screen.height },
    area: { ...area, x: area.x + part.x, y: area.y + part.y },
  };
}

/** The topmost view at a point of the screen; the first one if there is none. */
export function viewAt(views: readonly CameraView[], x: number, y: number): CameraView {
  for (let k = views.length - 1; k > 0; k--) if (isInArea(views[k], x, y)) return views[k];
  return views[0];
}

function isViewport(viewport: unknown): boolean {
  if (typeof viewport !== "object" || viewport === null) return false;
  const { x = 0, y = 0, width = 1, height = 1 } = viewport as Viewport;
  if (![x, y, width, height].every(Number.isFinite)) return false;
  return rectangleOf(viewport as Viewport, { width: 1, height: 1 }) !== undefined;
}

/** @throws InvalidRenderOptionError for one that does not fit on a screen. */
export function requireViewports(viewports: Viewports | undefined): void {
  if (viewports === undefined || typeof viewports === "function") return;
  if (!Array.isArray(viewports)) {
    throw new InvalidRenderOptionError(
      `Cannot draw with the viewports ${describeValue(viewports)}: give an array of them, or a function that gives one.`,
      { option: "viewports", value: viewports },
    );
  }
  const bad = viewports.findIndex((each) => !isViewport(each));
  if (bad < 0) return;
  throw new InvalidRenderOptionError(
    `Cannot draw with viewports[${bad}] (${describeValue(viewports[bad])}): x, y, width and height are finite parts of the screen, and both sizes are above 0. Give it a part such as { x: 0.5, width: 0.5 }.`,
    { option: "viewports", value: viewports[bad] },
  );
}
