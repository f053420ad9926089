/**
 * Drawing a world with PixiJS. The tree stays ours: Pixi gets one flat list of containers with world matrices, which was
 * measured cheapest, and a container around it that carries the camera.
 */
import {
  type AutoDetectOptions,
  autoDetectRenderer,
  Container,
  FillGradient,
  Graphics,
  Matrix,
  type Renderer,
} from "pixi.js";
import {
  type ArgumentTest,
  checkOptions,
  type EntityLike,
  expectArguments,
  type OptionKinds,
} from "../ecs/index.ts";
import {
  type CameraView,
  createRenderer,
  type Drawing,
  emptyBounds,
  type RenderBackend,
  type RendererOptions,
  RendererUnavailableError,
  type RenderHost,
  rendererOptions,
  requireRendererOptions,
  setBounds,
  transformBounds,
  type WorldRenderer,
} from "../render/index.ts";
import { invert2D, requireSpace2D, type Transforms2D } from "../transform/index.ts";
import { uploadPartially } from "./partial-uploads.ts";
import { createParticlesNode } from "./particles-node.ts";
import { createNode, type PixiNode, placeNode } from "./pixi-node.ts";
import { createPixiTextures, type FindTexture, type PixiTextures } from "./pixi-textures.ts";
import { createShapeNode } from "./shape-node.ts";
import { createNineSliceNode, createSpriteNode } from "./sprite-node.ts";
import { createTextNode, measurePixiText } from "./text-node.ts";
import { createTilemapNode } from "./tilemap-node.ts";

/** Options of `createPixiRenderer`. */
export interface PixiRendererOptions extends RendererOptions {
  /** Pixi's renderer, made by `autoDetectRenderer` or by an `Application`. It stays yours: `dispose` does not destroy it. */
  readonly renderer: Renderer;
  /** The stage for the world. If left out, the world is drawn alone; otherwise draw the stage yourself or pass it here. */
  readonly stage?: Container;
  /** Whether textures that `Assets` does not have are loaded by their name: `true` if left out. */
  readonly load?: boolean;
  /**
   * Finds textures in place of `Assets`, for programs with a collection of their own. After a change of it, call
   * `refresh(name)`.
   */
  readonly findTexture?: FindTexture;
  /** Font family of texts that name none: `sans-serif` if left out. */
  readonly font?: string;
}

/** Draws a world with PixiJS. Made by `createPixiRenderer`. */
export interface PixiRenderer extends WorldRenderer<PixiNode> {
  /** Pixi's own renderer. */
  readonly pixi: Renderer;
  /** The root of everything that is drawn. */
  readonly stage: Container;
  /** The textures it draws with, by name. */
  readonly textures: PixiTextures;
  /**
   * Makes any Pixi object follow an entity: position, visibility, order, tint and alpha. It is destroyed together with the
   * entity, or only removed from the stage with `keep`. Returns the function that removes it.
   */
  attachContainer(
    entity: EntityLike,
    container: Container,
    options?: { readonly keep?: boolean },
  ): () => void;
}

const commonOptions: OptionKinds = {
  ...rendererOptions,
  stage: "anything",
  load: "boolean",
  findTexture: "function",
  font: "string",
};

const pixiOptions: OptionKinds = { ...commonOptions, renderer: "anything" };

const openOptions: OptionKinds = { ...commonOptions, canvas: "anything", pixi: "anything" };

const aPixiRenderer: ArgumentTest = {
  expected: "a renderer of Pixi. Pass what autoDetectRenderer() returned",
  fits: (value) => typeof (Object(value) as Partial<Renderer>).render === "function",
};

const aContainer: ArgumentTest = {
  expected: "a Container of Pixi",
  fits: (value) => typeof (Object(value) as Partial<Container>).addChild === "function",
};

const aCanvas: ArgumentTest = {
  expected: "a canvas. Pass an element or an OffscreenCanvas, or leave it out",
  fits: (value) => typeof (Object(value) as Partial<HTMLCanvasElement>).getContext === "function",
};

/** The options of both calls. */
function expectCommonOptions(doing: string, options: Partial<PixiRendererOptions>): void {
  const { stage, findTexture, load = true, font = "" } = options;
  expectArguments(doing, ["the font", font, "text"], ["load", load, "boolean"]);
  if (stage !== undefined) expectArguments(doing, ["the stage", stage, aContainer]);
  if (findTexture !== undefined) expectArguments(doing, ["findTexture", findTexture, "function"]);
}

/** The newest feature used here, gradients that can be freed, came with 8.8. */
function requireRecentPixi(doing: string): void {
  if (typeof FillGradient.prototype.destroy === "function") return;
  throw new RendererUnavailableError(
    `Cannot ${doing}: this version of PixiJS is too old. Update it: npm install pixi.js@8. It must be 8.8 or later.`,
    { subject: "pixi.js" },
  );
}

/**
 * Creates a renderer on an existing Pixi renderer, such as `await autoDetectRenderer({ width: 800, height: 600 })`.
 *
 * @throws RendererUnavailableError with a PixiJS before 8.8.
 */
export function createPixiRenderer(space: Transforms2D, options: PixiRendererOptions): PixiRenderer {
  const doing = "make a Pixi renderer";
  requireSpace2D(space, doing);
  requireRecentPixi(doing);
  checkOptions(space.tree.world.checks, doing, options, pixiOptions);
  expectArguments(doing, ["the renderer", options?.renderer, aPixiRenderer]);
  expectCommonOptions(doing, options);
  const { renderer: pixi, yAxis = "up", font = "sans-serif", load = true } = options;
  const stage = options.stage ?? new Container();
  const world = new Container({ isRenderGroup: true, sortableChildren: true, label: "world" });
  const endUploads = uploadPartially(pixi, world);
  const background = new Graphics({ label: "background" });
  const bars = new Graphics({ label: "area" });
  // The mask is on a container around the world, because Pixi draws nothing of a render group with a mask outside of it.
  const clip = new Container({ label: "clip" });
  clip.addChild(world);
  stage.addChild(background, clip);
  const matrix = new Matrix();
  // Above all cameras, in pixels of the screen; on the stage only while it is not empty.
  const overlay = new Container({ isRenderGroup: true, sortableChildren: true, label: "screen" });
  const onScreen = new Set<PixiNode>();
  let lastScreen: CameraView | undefined;
  const maps = new Set<PixiNode>();
  const external = new Set<PixiNode>();
  let lastView: CameraView | undefined;
  let textures: PixiTextures | undefined;
  let host: RenderHost | undefined;

  const canvas = pixi.canvas as HTMLCanvasElement;
  // Pixi uploads everything again automatically; only one more frame is needed.
  const redraw = () => host?.refresh();
  canvas.addEventListener?.("webglcontextrestored", redraw);

  function makeNode({ kind }: Drawing): PixiNode {
    switch (kind) {
      case "sprite":
        return createSpriteNode(textures!);
      case "nineSlice":
        return createNineSliceNode(textures!);
      case "text":
        return createTextNode(font);
      case "tilemap":
        return createTilemapNode(textures!);
      case "particles":
        return createParticlesNode(textures!, yAxis);
      default:
        return createShapeNode(yAxis);
    }
  }

  /** Bars and background. */
  function frameArea(view: CameraView): void {
    const { x, y, width, height } = view.area;
    background.clear();
    // Even an empty one has a cost.
    background.visible = view.backgroundAlpha > 0;
    if (background.visible)
      background.rect(x, y, width, height).fill({ color: view.background, alpha: view.backgroundAlpha });
    const hasBars = width < view.screen.width || height < view.screen.height;
    bars.clear().rect(x, y, width, height).fill(0xffffff);
    if (hasBars) clip.addChild(bars);
    else bars.removeFromParent();
    clip.mask = hasBars ? bars : null;
  }

  /** Applies the view of a camera. The nodes stay as they are: the container around them is moved. */
  function look(view: CameraView): void {
    if (view !== lastView) {
      const m = view.matrix;
      world.setFromMatrix(matrix.set(m.a, m.b, m.c, m.d, m.x, m.y));
      frameArea(view);
      lastView = view;
    }
    for (const node of maps) if (!onScreen.has(node)) lookAtMap(node, view);
  }

  function lookAtMap(node: PixiNode, view: CameraView): void {
    const inverse = invert2D(node.matrix!);
    if (inverse !== undefined) node.look!(transformBounds(inverse, view.visible, emptyBounds()));
  }

  /** Shows the drawings on the screen above everything, or hides their container if there are none. */
  function lookAtScreen(view: CameraView | undefined): void {
    if (view === undefined) {
      overlay.removeFromParent();
      return;
    }
    if (stage.children.at(-1) !== overlay) stage.addChild(overlay);
    if (view !== lastScreen) {
      const m = view.matrix;
      overlay.setFromMatrix(matrix.set(m.a, m.b, m.c, m.d, m.x, m.y));
      lastScreen = view;
    }
    for (const node of maps) if (onScreen.has(node)) lookAtMap(node, view);
  }

  const backend: RenderBackend<PixiNode> = {
    view: canvas,
    isNode: (node): node is PixiNode => aContainer.fits((Object(node) as Partial<PixiNode>).container),
    create(drawing) {
      const node = makeNode(drawing);
      if (node.look !== undefined) maps.add(node);
      world.addChild(node.container);
      return node;
    },
    setStyle(node, drawing) {
      try {
        node.update(drawing);
      } catch (error) {
        const { entity } = drawing;
        host!.report("failed-draw", entity, String(entity), `it cannot be drawn: ${String(error)}`);
      }
    },
    setMatrix: (node, m) => placeNode(node, m, matrix),
    setVisible(node, visible) {
      node.container.visible = visible;
    },
    setOnScreen(node, isOnScreen) {
      if (isOnScreen) onScreen.add(node);
      else onScreen.delete(node);
      (isOnScreen ? overlay : world).addChild(node.container);
    },
    reorder(nodes) {
      // Numbers that already increase stay, because each change is work for Pixi.
      let last = -1;
      for (const { container } of nodes) {
        if (container.zIndex <= last) container.zIndex = last + 1;
        last = container.zIndex;
      }
    },
    destroy(node) {
      maps.delete(node);
      onScreen.delete(node);
      external.delete(node);
      node.container.removeFromParent();
      node.destroy();
    },
    measureTexture: (name, frame) => textures!.measure(name, frame),
    measureText: (text) => measurePixiText(text, font),
    measureExternal({ container }, out) {
      const { minX, minY, maxX, maxY } = container.getLocalBounds();
      const { x, y } = container.pivot;
      return setBounds(out, minX - x, minY - y, maxX - x, maxY - y);
    },
    needsDraw: () => external.size > 0,
    draw(view, screen) {
      look(view);
      lookAtScreen(screen);
      pixi.render(stage);
    },
    drawViews(views, _, screen) {
      for (const [k, view] of views.entries()) {
        look(view);
        lookAtScreen(k === views.length - 1 ? screen : undefined);
        pixi.render({ container: stage, clear: k === 0 });
      }
    },
    resize: (width, height) => pixi.resize(width, height),
    dispose() {
      canvas.removeEventListener?.("webglcontextrestored", redraw);
      textures?.dispose();
      clip.mask = null;
      for (const part of [world, background, bars, clip, overlay]) part.destroy();
      endUploads();
      if (options.stage === undefined) stage.destroy();
    },
  };

  const size = { width: pixi.width / pixi.resolution, height: pixi.height / pixi.resolution };
  const renderer = createRenderer<PixiNode>(
    space,
    (given) => {
      host = given;
      textures = createPixiTextures(given, load, options.findTexture);
      return backend;
    },
    { ...size, ...options },
  );

  return Object.assign(renderer, {
    pixi,
    stage,
    textures: textures!,
    attachContainer(entity: EntityLike, container: Container, options: { readonly keep?: boolean } = {}) {
      expectArguments("attach a container", ["it", container, aContainer]);
      checkOptions(space.tree.world.checks, "attach a container", options, { keep: "boolean" });
      const { keep = false } = options;
      const node = createNode(
        container,
        ({ tint, alpha }) => {
          container.tint = tint;
          container.alpha = alpha;
        },
        () => {
          if (!keep) container.destroy({ children: true });
        },
      );
      const detach = renderer.attachNode(entity, node);
      external.add(node);
      if (!onScreen.has(node)) world.addChild(container);
      return detach;
    },
  });
}

/** The options of `openPixiRenderer`: those of the renderer, and `pixi` for those of Pixi itself. */
export interface OpenPixiOptions extends Omit<PixiRendererOptions, "renderer"> {
  /** The canvas to draw on; a new one if left out. */
  readonly canvas?: HTMLCanvasElement;
  /** Passed on to `autoDetectRenderer`: background, antialias, resolution, preference and so on. */
  readonly pixi?: Partial<AutoDetectOptions>;
}

/**
 * Creates a Pixi renderer and a renderer on it. Both are freed by `dispose`.
 *
 * @throws RendererUnavailableError if Pixi cannot create its renderer: outside of a browser, or without WebGL.
 */
export async function openPixiRenderer(
  space: Transforms2D,
  options: OpenPixiOptions = {},
): Promise<PixiRenderer> {
  const doing = "open a Pixi renderer";
  requireSpace2D(space, doing);
  checkOptions(space.tree.world.checks, doing, options, openOptions);
  // Names are checked above; Pixi's own options are not passed on.
  const { canvas, pixi = {}, ...others } = options;
  const { width = 800, height = 600 } = options;
  expectArguments(doing, ["pixi", pixi, "object"]);
  if (canvas !== undefined) expectArguments(doing, ["the canvas", canvas, aCanvas]);
  expectCommonOptions(doing, others);
  requireRendererOptions(space, others);
  const own = await makePixi({
    preference: "webgl",
    width,
    height,
    antialias: true,
    ...(canvas === undefined ? {} : { canvas }),
    ...pixi,
  });
  const renderer = createPixiRenderer(space, { ...others, width, height, renderer: own });
  const disposeWorld = renderer.dispose;
  let isDisposed = false;
  return Object.assign(renderer, {
    dispose() {
      disposeWorld();
      if (!isDisposed) own.destroy();
      isDisposed = true;
    },
  });
}

async function makePixi(options: Partial<AutoDetectOptions>): Promise<Renderer> {
  try {
    return await autoDetectRenderer(options);
  } catch (error) {
    throw new RendererUnavailableError(
      `Cannot open a Pixi renderer: Pixi could not make its own (${String(error)}). It needs a browser with WebGL or WebGPU; elsewhere use createCanvasRenderer, and createRecordingRenderer in tests.`,
      { cause: error },
    );
  }
}
