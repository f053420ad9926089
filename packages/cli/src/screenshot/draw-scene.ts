/**
 * A picture of a scene file, or of a part of it, drawn by the canvas renderer of the library.
 */
import { type Component, createWorld, type Entity, type Schema } from "espalier";
import type { AnyCanvas, Context2D } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import type { Scene, SceneFormat } from "espalier/scene";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { openSceneDocument, runVerb } from "espalier/verbs";
import type { Config } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import { loadTool } from "../missing-tool.ts";
import { loadImages } from "./scene-images.ts";

/** What to draw of a scene, and how. */
export interface ScreenshotOptions {
  /** The entity that is drawn with all below it; the whole scene if left out. */
  readonly entity?: string;
  /** Pixels; 800 by 600 if left out. */
  readonly width?: number;
  readonly height?: number;
  /** Frame everything, even if the scene has a camera. */
  readonly all?: boolean;
  /** The direction of y; as in the config, or up. */
  readonly yAxis?: "up" | "down";
  /** The colour behind everything, as `#rrggbb`; transparent if left out. */
  readonly background?: string;
  /** The folder outside of which no image is read; that of the config or of the scene if left out. */
  readonly within?: string;
  /** Refuses prefabs that may not be read. */
  readonly mayRead?: (file: string) => void;
}

export interface Screenshot {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** How many drawn entities the scene, or the part, has. */
  readonly drawn: number;
  readonly warnings: readonly string[];
}

type CanvasPackage = typeof import("@napi-rs/canvas");

const largest = 8192;

/**
 * Draws a scene file.
 *
 * @throws Stop for an invalid size, colour or entity, and if the package with canvases is missing: the message says what to
 * install.
 */
export async function drawScene(
  file: string,
  config: Config,
  options: ScreenshotOptions = {},
): Promise<Screenshot> {
  const sides = { width: options.width ?? 800, height: options.height ?? 600 };
  for (const [name, value] of Object.entries(sides)) requireSide(name, value);
  const [canvasRoom, render] = await Promise.all([import("espalier/canvas"), import("espalier/render")]);
  const background = backgroundOf(options.background, render);
  const { format } = config;
  const tree = createHierarchy(createWorld());
  const component = (format.component("Transform2D") ?? Transform2D) as typeof Transform2D;
  const space = createTransforms2D(tree, { component });
  const scene = format.load(tree, readText(file), {
    file: shown(file),
    prefabs: prefabsOnDisk(config.prefabs, options.mayRead),
    unknown: config.file === undefined ? "keep" : "refuse",
  });
  const part = options.entity === undefined ? undefined : entityNamed(format, scene, options.entity);
  const { createCanvas, loadImage } = await loadTool<CanvasPackage>(
    "@napi-rs/canvas",
    "Drawing scenes outside of a browser needs a package with canvases.",
  );
  const canvas = createCanvas(sides.width, sides.height);
  // The package has the API of a browser, with its own types.
  const context = canvas.getContext("2d") as unknown as Context2D;
  const textures = canvasRoom.createCanvasTextures();
  const warnings: string[] = [];
  const missing = await loadImages(
    imageNames(format, scene),
    file,
    options.within ?? config.folder ?? process.cwd(),
    textures,
    async (bytes) => (await loadImage(bytes)) as unknown as ImageBitmap,
  );
  for (const name of missing)
    warnings.push(`There is no image ${JSON.stringify(name)}; a placeholder is drawn.`);
  const yAxis = options.yAxis ?? axisOf(config.play) ?? "up";
  const hasCamera = options.all !== true && render.activeCamera(tree.world) !== null;
  let view = render.screenView(sides, yAxis);
  const renderer = canvasRoom.createCanvasRenderer(space, {
    context,
    ...sides,
    textures,
    yAxis,
    makeCanvas: (width, height) => createCanvas(width, height) as unknown as AnyCanvas,
    onProblem: ({ code, message }) => {
      if (code !== "missing-texture") warnings.push(message);
    },
    ...(hasCamera ? {} : { look: () => view }),
  });
  try {
    renderer.update();
    const tops = part === undefined ? scene.roots() : [part];
    const bounds = render.emptyBounds();
    for (const top of tops) render.unite(bounds, renderer.boundsOf(top, { subtree: true }));
    const { x, y, zoom } = render.frameBounds(bounds, sides);
    view = render.cameraView({ zoom }, { x, y, rotation: 0 }, sides, yAxis);
    renderer.render();
    if (part !== undefined) renderer.drawThumbnail(part, { context, ...sides });
    if (background !== undefined) paintBehind(context, background, sides);
    let drawn = 0;
    for (const top of tops) {
      for (const entity of tree.descendants(top, { includeSelf: true }))
        if (!render.isEmptyBounds(renderer.boundsOf(entity))) drawn++;
    }
    if (drawn === 0) warnings.push(nothingDrawn(config));
    return { png: canvas.toBuffer("image/png"), ...sides, drawn, warnings };
  } finally {
    renderer.dispose();
  }
}

function requireSide(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= largest) return;
  throw new Stop(
    exitCodes.usage,
    `Cannot draw a picture whose ${name} is ${value}: it is an integer from 1 to ${largest}.`,
  );
}

function backgroundOf(
  text: string | undefined,
  { parseColor, cssColor }: typeof import("espalier/render"),
): string | undefined {
  if (text === undefined) return undefined;
  const color = parseColor(text);
  if (color !== undefined) return cssColor(color, 1);
  throw new Stop(
    exitCodes.usage,
    `Cannot use ${JSON.stringify(text)} as the background: write a colour as #rrggbb.`,
  );
}

/** @throws VerbError with the names that are close. */
function entityNamed(format: SceneFormat, scene: Scene, reference: string): Entity {
  const document = openSceneDocument(format, scene);
  const { id } = runVerb(document, "show", { entity: reference }).output as unknown as { id: string };
  return scene.find(id) as Entity;
}

/** The images that the scene names, in any component with a field for one. */
function imageNames(format: SceneFormat, { tree }: Scene): Set<string> {
  const names = new Set<string>();
  for (const component of format.components.map((name) => format.component(name) as Component<Schema>)) {
    if (component.schema.texture === undefined) continue;
    for (const entity of tree.world.query(component)) {
      const { texture } = tree.world.get(entity, component) as { texture: unknown };
      if (typeof texture === "string" && texture !== "") names.add(texture);
    }
  }
  return names;
}

/** The axis setting of the editor's Play, which is that of the game. */
function axisOf(play: object | undefined): "up" | "down" | undefined {
  const { yAxis } = Object(play) as { readonly yAxis?: unknown };
  return yAxis === "up" || yAxis === "down" ? yAxis : undefined;
}

function paintBehind(
  context: Context2D,
  color: string,
  { width, height }: { readonly width: number; readonly height: number },
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 1;
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
}

function nothingDrawn({ file }: Config): string {
  const drawn = "Nothing is drawn: no entity has a Shape, Sprite, TextBlock or Tilemap that shows something.";
  return file === undefined ? drawn : `${drawn} ${file} lists the components that scenes may have.`;
}
