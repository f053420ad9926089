/**
 * From the world to the screen and back: the only code that flips y.
 *
 * Screen coordinates are pixels from the top left of what is drawn on, y downwards. In the world y points up unless
 * `yAxis` says down.
 */
import { type ArgumentTest, type ExpectedArgument, expectArguments, explainThrown } from "../../ecs/index.ts";
import { type Affine2D, invert2D, type Point, transformPoint } from "../../transform/index.ts";
import { asBounds, type Bounds, emptyBounds, isEmptyBounds, transformBounds } from "../bounds/bounds.ts";

/** The direction of y in the world. */
export type YAxis = "up" | "down";

/** How a camera's `width` and `height` are fitted to the screen. The values of `Camera.fit`. */
export const cameraFits = { contain: 0, cover: 1, stretch: 2 } as const;

/** Width and height, in pixels. */
export interface Size {
  /** The extent along x. */
  readonly width: number;
  /** The extent along y. */
  readonly height: number;
}

/** The fields of `Camera` that matter for the view. All may be left out. */
export interface CameraSettings {
  /** The magnification. 1 if left out. */
  readonly zoom?: number;
  /** The width of the world that fits on the screen; 0 uses the screen's pixels. */
  readonly width?: number;
  /** The height of the world that fits on the screen; 0 uses the screen's pixels. */
  readonly height?: number;
  /** One of `cameraFits`. */
  readonly fit?: number;
  /** The colour where nothing is drawn. */
  readonly background?: number;
  /** How opaque the background is, from 0 to 1. */
  readonly backgroundAlpha?: number;
}

/** The pose of a camera: what it looks at, and its rotation. */
export interface CameraPose {
  /** The x of the point it looks at. */
  readonly x: number;
  /** The y of the point it looks at. */
  readonly y: number;
  /** Its rotation in radians. */
  readonly rotation: number;
}

/** A box along the axes, by a corner and its size. */
export interface Rectangle {
  /** The x of the corner. */
  readonly x: number;
  /** The y of the corner. */
  readonly y: number;
  /** The extent along x. */
  readonly width: number;
  /** The extent along y. */
  readonly height: number;
}

/** The view of one camera on one screen. Plain data, recreated when something changes. */
export interface CameraView {
  /** World to screen. */
  readonly matrix: Affine2D;
  /** Screen to world. */
  readonly inverse: Affine2D;
  /** The size of the screen. */
  readonly screen: Size;
  /** The part of the screen that is drawn on; smaller than the screen where `contain` leaves bars. */
  readonly area: Rectangle;
  /** The visible part of the world: bounds of the area in the world. */
  readonly visible: Bounds;
  /** The direction of y in the world. */
  readonly yAxis: YAxis;
  /** The colour of the area where nothing is drawn, and how opaque it is. */
  readonly background: number;
  /** How opaque the background is, from 0 to 1. */
  readonly backgroundAlpha: number;
}

const settings = ["zoom?", "width?", "height?", "fit?", "background?", "backgroundAlpha?"];
const anAxis: ArgumentTest = { expected: '"up" or "down"', fits: (axis) => axis === "up" || axis === "down" };

const asPose = (pose: CameraPose): ExpectedArgument => [
  "the pose of the camera",
  pose,
  ["x", "y", "rotation"],
];
const asScreen = (screen: Size): ExpectedArgument => ["the screen", screen, ["width", "height"]];
const asView = (view: CameraView, what = "the view"): ExpectedArgument => {
  const fits = (value: unknown) => {
    const { matrix, inverse, area, screen } = Object(value) as Partial<CameraView>;
    return [matrix, inverse, area, screen].every((part) => typeof part === "object" && part !== null);
  };
  return [what, view, { expected: "the view of a camera. Pass what cameraView() returned", fits }];
};

/** The smallest zoom: zero or less would have no inverse. */
const SMALLEST = 1e-6;

/**
 * The view of a camera. With `width` and `height` (world units) that much of the world is fitted to the screen: `contain`
 * shows all of it between bars, `cover` fills the screen and cuts off, `stretch` distorts. Without them one unit is
 * one pixel. `zoom` is applied on top.
 *
 * @example
 * ```ts
 * const view = cameraView({ width: 200, height: 100 }, { x: 10, y: 0, rotation: 0 }, { width: 400, height: 400 });
 * view.area; // → { x: 0, y: 100, width: 400, height: 200 }
 * worldToScreen(view, 10, 0); // → { x: 200, y: 200 }
 * screenToWorld(view, 200, 100); // → { x: 10, y: 50 }
 * ```
 */
export function cameraView(
  camera: CameraSettings,
  pose: CameraPose,
  screen: Size,
  yAxis: YAxis = "up",
): CameraView {
  expectArguments(
    "make the view of a camera",
    ["the camera", camera, settings],
    asPose(pose),
    asScreen(screen),
    ["the y axis", yAxis, anAxis],
  );
  const { width = 0, height = 0, fit = cameraFits.contain } = camera;
  let scaleX = width > 0 ? screen.width / width : 0;
  let scaleY = height > 0 ? screen.height / height : 0;
  let area: Rectangle = { x: 0, y: 0, width: screen.width, height: screen.height };
  if (scaleX === 0 && scaleY === 0) scaleX = scaleY = 1;
  else if (scaleX === 0) scaleX = scaleY;
  else if (scaleY === 0) scaleY = scaleX;
  else if (fit === cameraFits.cover) scaleX = scaleY = Math.max(scaleX, scaleY);
  else if (fit !== cameraFits.stretch) {
    scaleX = scaleY = Math.min(scaleX, scaleY);
    area = centred(width * scaleX, height * scaleY, screen);
  }
  const { zoom = 1 } = camera;
  const [zoomX, zoomY] = [aboveZero(scaleX * zoom), aboveZero(scaleY * zoom)];
  return viewOf(matrixOf(pose, zoomX, zoomY, screen, yAxis), screen, area, yAxis, camera);
}

/**
 * The view without a camera: one unit is one pixel, and the origin is the bottom left of the screen, or with
 * `yAxis: "down"` its top left.
 */
export function screenView(screen: Size, yAxis: YAxis = "up"): CameraView {
  expectArguments("make a view", asScreen(screen), ["the y axis", yAxis, anAxis]);
  const up = yAxis === "up";
  const matrix = { a: 1, b: 0, c: 0, d: up ? -1 : 1, x: 0, y: up ? screen.height : 0 };
  return viewOf(matrix, screen, { x: 0, y: 0, width: screen.width, height: screen.height }, yAxis, {});
}

/** The point on the screen of a point of the world. */
export function worldToScreen(view: CameraView, x: number, y: number, out?: Point): Point {
  try {
    return transformPoint(view.matrix, x, y, out);
  } catch (error) {
    throw explainThrown(error, "find a point on the screen", asView(view));
  }
}

/** The point of the world at a point on the screen. */
export function screenToWorld(view: CameraView, x: number, y: number, out?: Point): Point {
  try {
    return transformPoint(view.inverse, x, y, out);
  } catch (error) {
    throw explainThrown(error, "find a point of the world", asView(view));
  }
}

/** Whether a point of the screen is in the area that is drawn on, not on a bar. */
export function isInArea(view: CameraView, x: number, y: number): boolean {
  expectArguments("look for a point on the screen", asView(view), ["x", x, "number"], ["y", y, "number"]);
  const { area } = view;
  return x >= area.x && y >= area.y && x <= area.x + area.width && y <= area.y + area.height;
}

/**
 * Where the camera must move so that the world point under a screen point stays there when the zoom is multiplied by
 * `factor`: zooming at the pointer.
 */
export function zoomAround(view: CameraView, pose: CameraPose, x: number, y: number, factor: number): Point {
  expectArguments("zoom around a point", asView(view), asPose(pose), ["the factor", factor, "number"]);
  const still = screenToWorld(view, x, y);
  return { x: still.x + (pose.x - still.x) / factor, y: still.y + (pose.y - still.y) / factor };
}

/** Centre and zoom with which a camera without a size of its own shows all of `bounds`. Margin in pixels. */
export function frameBounds(
  bounds: Bounds,
  screen: Size,
  margin = 0,
): { x: number; y: number; zoom: number } {
  expectArguments("frame bounds", asBounds(bounds), asScreen(screen), ["the margin", margin, "number"]);
  if (isEmptyBounds(bounds)) return { x: 0, y: 0, zoom: 1 };
  const width = Math.max(bounds.maxX - bounds.minX, SMALLEST);
  const height = Math.max(bounds.maxY - bounds.minY, SMALLEST);
  const zoom = Math.min((screen.width - 2 * margin) / width, (screen.height - 2 * margin) / height);
  return {
    x: (bounds.minX + bounds.maxX) / 2,
    y: (bounds.minY + bounds.maxY) / 2,
    zoom: Math.max(zoom, SMALLEST),
  };
}

/** Whether two views draw the same. */
export function isSameView(a: CameraView, b: CameraView): boolean {
  expectArguments("compare views", asView(a, "the first"), asView(b, "the second"));
  const [m, n] = [a.matrix, b.matrix];
  return (
    m.a === n.a &&
    m.b === n.b &&
    m.c === n.c &&
    m.d === n.d &&
    m.x === n.x &&
    m.y === n.y &&
    a.area.x === b.area.x &&
    a.area.y === b.area.y &&
    a.area.width === b.area.width &&
    a.area.height === b.area.height &&
    a.screen.width === b.screen.width &&
    a.screen.height === b.screen.height &&
    a.background === b.background &&
    a.backgroundAlpha === b.backgroundAlpha
  );
}

function aboveZero(scale: number): number {
  return Number.isNaN(scale) ? SMALLEST : Math.max(scale, SMALLEST);
}

function centred(width: number, height: number, screen: Size): Rectangle {
  return { x: (screen.width - width) / 2, y: (screen.height - height) / 2, width, height };
}

function matrixOf(pose: CameraPose, scaleX: number, scaleY: number, screen: Size, yAxis: YAxis): Affine2D {
  const cos = Math.cos(pose.rotation);
  const sin = Math.sin(pose.rotation);
  const down = yAxis === "up" ? -scaleY : scaleY;
  // Rotated back by the camera's rotation, scaled, and moved to the middle of the screen. Adding 0 turns -0 into 0.
  const [a, b, c, d] = [scaleX * cos, -down * sin + 0, scaleX * sin, down * cos];
  return {
    a,
    b,
    c,
    d,
    x: screen.width / 2 - (a * pose.x + c * pose.y),
    y: screen.height / 2 - (b * pose.x + d * pose.y),
  };
}

function viewOf(
  matrix: Affine2D,
  screen: Size,
  area: Rectangle,
  yAxis: YAxis,
  { background = 0, backgroundAlpha = 0 }: CameraSettings,
): CameraView {
  const inverse = invert2D(matrix) ?? { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  const onScreen = { minX: area.x, minY: area.y, maxX: area.x + area.width, maxY: area.y + area.height };
  const visible = transformBounds(inverse, onScreen, emptyBounds());
  const { width, height } = screen;
  return { matrix, inverse, screen: { width, height }, area, visible, yAxis, background, backgroundAlpha };
}
