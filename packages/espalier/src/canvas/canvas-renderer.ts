/**
 * Drawing a world on a 2D canvas: no dependencies, any browser, and in Node through the recording context.
 */
import {
  checkOptions,
  type Entity,
  type EntityLike,
  expectArguments,
  type OptionKinds,
} from "../ecs/index.ts";
import {
  type CameraView,
  cameraView,
  createRenderer,
  cssColor,
  type Drawing,
  emptyBounds,
  frameBounds,
  frameSize,
  InvalidRenderOptionError,
  measureDrawing,
  type RenderBackend,
  type RendererOptions,
  type RenderHost,
  rendererOptions,
  type Size,
  setBounds,
  spriteAnchor,
  transformBounds,
  type WorldRenderer,
  type YAxis,
} from "../render/index.ts";
import {
  type Affine2D,
  invert2D,
  multiply2D,
  requireSpace2D,
  type Transforms2D,
} from "../transform/index.ts";
import {
  type AnyCanvas,
  aCanvas,
  aContext,
  aResolution,
  type Context2D,
  contextOf,
  type MakeCanvas,
  makeCanvas as makeOwnCanvas,
} from "./context.ts";
import { drawNineSlice, drawParticles, drawPlaceholder, drawSprite } from "./draw-picture.ts";
import { drawShape } from "./draw-shape.ts";
import { drawText, measureText } from "./draw-text.ts";
import { createTileCache, drawTilemap, type TileCache, updateTileCache } from "./draw-tilemap.ts";
import { findPicture, frameOf } from "./find-picture.ts";
import { type CanvasTextures, createCanvasTextures, someTextures } from "./textures.ts";
import { createTintedImages } from "./tinted-images.ts";

/** A canvas renderer's record of one drawing. */
export interface CanvasNode {
  /** The drawing as last reported. */
  drawing: Drawing;
  /** From the drawing to the world. */
  readonly matrix: Affine2D;
  /** Whether it is drawn. */
  visible: boolean;
  /** Whether it is drawn in pixels of the screen. */
  onScreen: boolean;
  /** @internal */
  gone: boolean;
  /** @internal */
  tiles: TileCache | undefined;
}

/** Options of `createCanvasRenderer`. */
export interface CanvasRendererOptions extends RendererOptions {
  /** The canvas to draw on; its size becomes `width` by `height` times `resolution`. */
  readonly canvas?: AnyCanvas;
  /** A context instead, for example a recording one. One of the two is required. */
  readonly context?: Context2D;
  /** The images to draw with. Empty if left out. */
  readonly textures?: CanvasTextures;
  /** Pixels of the canvas per pixel of the screen, such as `devicePixelRatio`. 1 if left out. */
  readonly resolution?: number;
  /** Font family of texts that name none: `sans-serif` if left out. */
  readonly font?: string;
  /** Whether images are smoothed when scaled: `true` if left out. */
  readonly smooth?: boolean;
  /**
   * Creates additional canvases, for tinted images and tiles. Those of the browser if left out; without any, images keep their colours.
   * In Node, a package with canvases provides it.
   */
  readonly makeCanvas?: MakeCanvas;
}

/** Draws a world on a canvas. Made by `createCanvasRenderer`. */
export interface CanvasRenderer extends WorldRenderer<CanvasNode> {
  /** The images it draws with, by name. */
  readonly textures: CanvasTextures;
  /** Draws an entity and everything below it, as large as fits, on another canvas. */
  drawThumbnail(
    entity: EntityLike,
    target: { readonly context: Context2D; readonly width: number; readonly height: number },
  ): void;
}

/**
 * Creates a renderer for a 2D canvas.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const context = createRecordingContext();
 * const renderer = createCanvasRenderer(space, { context, width: 320, height: 200 });
 * world.spawn(space.at(10, 20), rect(4, 2, { fill: 0xff0000 }));
 * renderer.render();
 * context.calls.filter(([name]) => name === "rect" || name === "fill"); // → [["rect", -2, -1, 4, 2], ["fill"]]
 * ```
 *
 * @throws InvalidRenderOptionError without a canvas and a context, and for a canvas that has another kind of context.
 */
export function createCanvasRenderer(space: Transforms2D, options: CanvasRendererOptions): CanvasRenderer {
  requireSpace2D(space, "make a canvas renderer");
  requireCanvasOptions(space.tree.world.checks, options);
  const context = requireContext(options);
  const {
    canvas,
    resolution = 1,
    font = "sans-serif",
    smooth = true,
    yAxis = "up",
    makeCanvas = makeOwnCanvas,
  } = options;
  const textures = options.textures ?? createCanvasTextures();
  const tinted = createTintedImages(makeCanvas);
  let host: RenderHost | undefined;
  let nodes: CanvasNode[] = [];

  function fitCanvas(width: number, height: number): void {
    if (canvas === undefined) return;
    canvas.width = Math.round(width * resolution);
    canvas.height = Math.round(height * resolution);
    if ("style" in canvas) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
  }

  function drawNode(
    into: Context2D,
    node: CanvasNode,
    toScreen: Affine2D,
    scale: number,
    view: CameraView,
  ): void {
    const { drawing } = node;
    if (!(drawing.alpha > 0)) return;
    const m = multiply2D(toScreen, node.matrix);
    if (m.a * m.d - m.b * m.c === 0) return;
    into.setTransform(m.a, m.b, m.c, m.d, m.x, m.y);
    into.globalAlpha = Math.min(drawing.alpha, 1);
    const pixels = { width: view.screen.width * scale, height: view.screen.height * scale };
    drawContent(into, node, m, pixels, { textures, tinted, host: host!, font, yAxis, makeCanvas });
  }

  /** @param clears Whether it is the first of its picture. */
  function drawAll(
    into: Context2D,
    shown: readonly CanvasNode[],
    view: CameraView,
    scale: number,
    clears: boolean,
  ): void {
    const { screen, area } = view;
    into.setTransform(scale, 0, 0, scale, 0, 0);
    into.globalAlpha = 1;
    if (clears) into.clearRect(0, 0, screen.width, screen.height);
    into.save();
    if (area.width < screen.width || area.height < screen.height) {
      into.beginPath();
      into.rect(area.x, area.y, area.width, area.height);
      into.clip();
    }
    if (view.backgroundAlpha > 0) {
      into.fillStyle = cssColor(view.background, view.backgroundAlpha);
      into.fillRect(area.x, area.y, area.width, area.height);
    }
    into.imageSmoothingEnabled = smooth;
    const toScreen = multiply2D({ a: scale, b: 0, c: 0, d: scale, x: 0, y: 0 }, view.matrix);
    for (const node of shown) {
      try {
        drawNode(into, node, toScreen, scale, view);
      } catch (error) {
        const { entity } = node.drawing;
        host!.report("failed-draw", entity, String(entity), `it cannot be drawn: ${String(error)}`);
      }
    }
    into.restore();
  }

  function drawOnScreen(view: CameraView | undefined): void {
    if (view === undefined) return;
    const shown = nodes.filter((node) => node.visible && node.onScreen && !node.gone);
    drawAll(context, shown, view, resolution, false);
  }

  const backend: RenderBackend<CanvasNode> = {
    view: canvas !== undefined && "style" in canvas ? canvas : undefined,
    isNode: (node): node is CanvasNode => typeof Object(Object(node).matrix).a === "number",
    create(drawing) {
      const matrix = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
      const tiles = drawing.kind === "tilemap" ? createTileCache() : undefined;
      return { drawing, matrix, visible: true, onScreen: false, gone: false, tiles };
    },
    setStyle(node, drawing) {
      node.drawing = drawing;
      if (drawing.kind === "tilemap") updateTileCache(node.tiles!, drawing.value);
    },
    setMatrix: (node, matrix) => void Object.assign(node.matrix, matrix),
    setVisible(node, visible) {
      node.visible = visible;
    },
    setOnScreen(node, onScreen) {
      node.onScreen = onScreen;
    },
    reorder(all) {
      nodes = all.slice();
    },
    destroy(node) {
      node.gone = true;
    },
    measureTexture(name, frame) {
      const texture = textures.find(name);
      const part = texture === undefined ? undefined : frameOf(texture, frame);
      return part === undefined ? undefined : frameSize(part);
    },
    measureText: (text) => measureText(context, text, font),
    draw(view, screen) {
      nodes = nodes.filter((node) => !node.gone);
      const shown = nodes.filter((node) => node.visible && !node.onScreen);
      drawAll(context, shown, view, resolution, true);
      drawOnScreen(screen);
    },
    drawViews(views, nodesOf, screen) {
      for (const [k, view] of views.entries()) drawAll(context, nodesOf(k), view, resolution, k === 0);
      drawOnScreen(screen);
    },
    resize: fitCanvas,
    dispose() {
      stopListening();
      tinted.clear();
      nodes = [];
    },
  };

  const stopListening = textures.onChange((name) => {
    host?.forget("missing-texture", name);
    tinted.clear();
    renderer.refresh(name);
  });
  const renderer = createRenderer<CanvasNode>(
    space,
    (given) => {
      host = given;
      return backend;
    },
    options,
  );
  fitCanvas(options.width ?? 800, options.height ?? 600);

  return Object.assign(renderer, {
    textures,
    drawThumbnail(
      entity: EntityLike,
      target: { readonly context: Context2D; readonly width: number; readonly height: number },
    ) {
      expectArguments("draw a thumbnail", ["the target", target, ["width", "height"]]);
      expectArguments("draw a thumbnail", ["the context of the target", target.context, aContext]);
      const bounds = renderer.boundsOf(entity, { subtree: true });
      const { x, y, zoom } = frameBounds(bounds, target);
      const view = cameraView({ zoom }, { x, y, rotation: 0 }, target, yAxis);
      const wanted = new Set<Entity>(space.tree.descendants(entity, { includeSelf: true }));
      const shown = nodes.filter((node) => !node.gone && wanted.has(node.drawing.entity));
      drawAll(target.context, shown, view, 1, true);
    },
  });
}

const canvasOptions: OptionKinds = {
  ...rendererOptions,
  canvas: "anything",
  context: "anything",
  textures: "anything",
  resolution: "anything",
  font: "anything",
  smooth: "boolean",
  makeCanvas: "function",
};

/** Missing options get the same error as options without a canvas. */
function requireCanvasOptions(checks: boolean, options: CanvasRendererOptions = {}): void {
  const doing = "make a canvas renderer";
  checkOptions(checks, doing, options, canvasOptions);
  const { canvas, context, textures, resolution = 1, font = "" } = options;
  if (canvas !== undefined) expectArguments(doing, ["the canvas", canvas, aCanvas]);
  if (context !== undefined) expectArguments(doing, ["the context", context, aContext]);
  if (textures !== undefined) expectArguments(doing, ["textures", textures, someTextures]);
  expectArguments(doing, ["the resolution", resolution, aResolution], ["the font", font, "text"]);
}

interface Tools {
  readonly textures: CanvasTextures;
  readonly tinted: ReturnType<typeof createTintedImages>;
  readonly host: RenderHost;
  readonly font: string;
  readonly yAxis: YAxis;
  readonly makeCanvas: MakeCanvas;
}

/** Draws one node; the context's transform is `matrix`, from the node's own coordinates to the pixels of the canvas. */
function drawContent(
  context: Context2D,
  node: CanvasNode,
  matrix: Affine2D,
  pixels: Size,
  { textures, tinted, host, font, yAxis, makeCanvas }: Tools,
): void {
  const { drawing } = node;
  const { entity, tint } = drawing;
  const find = (names: { texture: string; frame?: string }, color = tint) =>
    findPicture(textures, tinted, host, entity, names, color);
  switch (drawing.kind) {
    case "shape":
      drawShape(context, drawing.value, tint, yAxis);
      break;
    case "text":
      drawText(context, drawing.value, tint, font);
      break;
    case "sprite": {
      const picture = find(drawing.value);
      if (picture === "missing") drawMissing(context, drawing);
      else if (picture !== "loading") drawSprite(context, picture, spriteAnchor(drawing.value));
      break;
    }
    case "nineSlice": {
      const picture = find(drawing.value);
      if (picture === "missing") drawMissing(context, drawing);
      else if (picture !== "loading") drawNineSlice(context, picture, drawing.value);
      break;
    }
    case "tilemap": {
      if (drawing.value.texture === "") return;
      const picture = find({ texture: drawing.value.texture });
      if (picture === "missing") drawMissing(context, drawing);
      else if (picture !== "loading") {
        const inverse = invert2D(matrix);
        if (inverse === undefined) return;
        const onCanvas = setBounds(emptyBounds(), 0, 0, pixels.width, pixels.height);
        const visible = transformBounds(inverse, onCanvas, emptyBounds());
        drawTilemap(context, node.tiles!, picture.image, picture.frame.width, visible, makeCanvas);
      }
      break;
    }
    case "particles": {
      if (drawing.pool === null) return;
      const { value, pool, alpha } = drawing;
      const pictureOf = (color: number) => {
        const picture = value.texture === "" ? "missing" : find(value, color);
        return typeof picture === "string" ? undefined : picture;
      };
      drawParticles(context, value, pool, matrix, alpha, tint, pictureOf, yAxis === "up");
      break;
    }
    default:
  }
}

function drawMissing(context: Context2D, drawing: Drawing): void {
  const nothing = { measureTexture: () => undefined, measureText: () => ({ width: 0, height: 0 }) };
  const { minX, minY, maxX, maxY } = measureDrawing(drawing, nothing, emptyBounds());
  drawPlaceholder(context, minX, minY, maxX - minX, maxY - minY);
}

function requireContext({ canvas, context }: CanvasRendererOptions = {}): Context2D {
  if (context !== undefined) return context;
  if (canvas === undefined) {
    throw new InvalidRenderOptionError(
      "Cannot make a canvas renderer: it has nothing to draw on. Give it a canvas or a context.",
    );
  }
  const found = contextOf(canvas);
  if (found !== null) return found;
  throw new InvalidRenderOptionError(
    "Cannot make a canvas renderer: the canvas has a context of another kind already. Give it a canvas of its own.",
  );
}
