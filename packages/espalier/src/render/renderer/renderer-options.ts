/**
 * What renderers take and give: options, the half that a backend may ask, and the calls for users.
 */
import {
  type ArgumentTest,
  checkOptions,
  describeValue,
  type Entity,
  type EntityLike,
  expectArguments,
  type OptionKinds,
} from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import {
  type Point,
  type RectSchema,
  requireSpace2D,
  type Space,
  type Transforms2D,
} from "../../transform/index.ts";
import type { Bounds } from "../bounds/bounds.ts";
import type { CameraView, Size, YAxis } from "../cameras/camera-view.ts";
import { anInterpolation, type Interpolation } from "../cameras/interpolation.ts";
import { requireViewports, type Viewports } from "../cameras/viewports.ts";
import { InvalidRenderOptionError } from "../errors.ts";
import { type Particles, someParticles } from "../particles/particles.ts";
import type { RenderBackend, Renderer } from "./contract.ts";
import type { RenderProblem, Reports } from "./reports.ts";

/** Rectangles inside rectangles: what `createRectTransforms` makes. */
export type RectLayout = Space<RectSchema>;

/** What all renderers take. */
export interface RendererOptions {
  /** Size of the screen in pixels. 800 by 600 if left out. */
  readonly width?: number;
  /** The height of the screen, in pixels. */
  readonly height?: number;
  /** Which way y grows in the world: `"up"` if left out. */
  readonly yAxis?: YAxis;
  /** The camera to look through. If left out, the active one: the `Camera` with the highest priority. */
  readonly camera?: EntityLike | null;
  /**
   * Looks through several cameras, each on a part of the screen: split screen, a map in a corner. Later ones lie above
   * earlier ones.
   */
  readonly viewports?: Viewports | undefined;
  /** Looks in this way instead of through a camera of the world: for editors and tools. Asked every frame. */
  readonly look?: ((screen: Size) => CameraView) | undefined;
  /**
   * Lays out what is `OnScreen` by rectangles: `createRectTransforms`, or a layout that is there already. Entities with `RectTransform` are
   * placed by it, and the renderer keeps its root as large as the screen.
   */
  readonly layout?: RectLayout | ((tree: Hierarchy, screen: Size) => RectLayout) | undefined;
  /** Draws between the last two steps. */
  readonly interpolation?: Interpolation | undefined;
  /** The particles of the world, stepped by the program. */
  readonly particles?: Particles | undefined;
  /** Whether what the camera does not see is left out: `true` if left out. */
  readonly cull?: boolean;
  /** Gets each problem once (missing texture, unknown frame); the console if left out. */
  readonly onProblem?: (problem: RenderProblem) => void;
}

/** What a backend may ask of the renderer it belongs to. */
export interface RenderHost extends Reports {
  /** Draws again what uses a texture, or everything: something it is drawn with has come or changed. */
  refresh(texture?: string): void;
  /** Lets the next frame draw even if the world does not change. */
  invalidate(): void;
}

/** A renderer of a world. Points are world coordinates unless said otherwise. */
export interface WorldRenderer<Node = unknown> extends Renderer {
  /** The space whose entities are drawn. */
  readonly space: Transforms2D;
  /** What draws; it never looks at the world. */
  readonly backend: RenderBackend<Node>;
  /** How many drawings there are. */
  readonly count: number;
  /** Brings the backend up to date without drawing. `render` does it by itself. */
  update(): void;
  render(alpha?: number): void;
  /** Gives the drawing another size, in pixels. */
  resize(width: number, height: number): void;
  /** How the world is seen now; with viewports, in the first of them. */
  cameraView(): CameraView;
  /** The same for all viewports, first ones first. */
  cameraViews(): readonly CameraView[];
  /** From the screen to the world, through the topmost viewport there. */
  toWorld(x: number, y: number): Point;
  /** From the world to the screen, in the first viewport unless another view is given. */
  toScreen(x: number, y: number, view?: CameraView): Point;
  /** The topmost entity drawn at a point of the world; `null` when there is none. Hidden ones are passed over. */
  hitTest(x: number, y: number): Entity | null;
  /** All of them, topmost first, each once. */
  hitTestAll(x: number, y: number): Entity[];
  /** The entities that are `OnScreen` at a point of the screen, topmost first, each once. They lie above what `hitTest` finds. */
  onScreenAt(x: number, y: number): Entity[];
  /** What lays out rectangles on the screen, if the options name something. */
  readonly layout: RectLayout | undefined;
  /**
   * What the drawings of an entity cover in the world, with `subtree` those of everything below it too. Of what is `OnScreen`, in pixels of the
   * screen, y as in the world.
   */
  boundsOf(entity: EntityLike, options?: { readonly subtree?: boolean }): Bounds;
  /** The entities that are in an area of the world, in tree order, each once. */
  entitiesIn(area: Bounds): Entity[];
  /** Lets a node of the user's own follow an entity; it goes with the entity, or by calling the function returned. */
  attachNode(entity: EntityLike, node: Node): () => void;
  /** Draws again what uses a texture, or everything: something it is drawn with has come or changed. */
  refresh(texture?: string): void;
  /** Lets the next frame draw even if the world does not change. */
  invalidate(): void;
}

const aLayout: ArgumentTest = {
  expected: "one. Pass createRectTransforms, or what it returned",
  fits: (value) => typeof (Object(value) as Partial<RectLayout>).setRoot === "function",
};

/** @throws InvalidRenderOptionError for a screen without a size. */
export function requireSize({ width, height }: Size): void {
  if (Number.isFinite(width) && Number.isFinite(height) && width > 0 && height > 0) return;
  throw new InvalidRenderOptionError(
    `Cannot draw on a screen of ${describeValue(width)} by ${describeValue(height)}: give a width and a height above 0.`,
  );
}

/** The options that all renderers have, with what each takes: for `checkOptions` in the create function of a renderer. */
export const rendererOptions: OptionKinds = {
  width: "anything",
  height: "anything",
  yAxis: "anything",
  camera: "anything",
  viewports: "anything",
  look: "function",
  layout: "anything",
  interpolation: "anything",
  particles: "anything",
  cull: "boolean",
  onProblem: "function",
};

/**
 * Refuses options of all renderers that cannot work; those of one kind of renderer are for its create function. `createRenderer` asks
 * by itself: call it earlier where something is made before.
 *
 * @throws InvalidRenderOptionError
 */
export function requireRendererOptions(space: Transforms2D, options: RendererOptions = {}): void {
  const doing = "make a renderer";
  requireSpace2D(space, doing);
  checkOptions(false, doing, options, rendererOptions);
  const {
    width = 800,
    height = 600,
    yAxis = "up",
    interpolation,
    particles,
    camera,
    look,
    layout,
    onProblem,
  } = options;
  if (layout !== undefined && typeof layout !== "function")
    expectArguments(doing, ["the layout", layout, aLayout]);
  if (look !== undefined) expectArguments(doing, ["look", look, "function"]);
  if (onProblem !== undefined) expectArguments(doing, ["onProblem", onProblem, "function"]);
  if (interpolation !== undefined) expectArguments(doing, ["interpolation", interpolation, anInterpolation]);
  if (particles !== undefined) expectArguments(doing, ["particles", particles, someParticles]);
  if (camera !== undefined && camera !== null) expectArguments(doing, ["the camera", camera, "number"]);
  requireSize({ width, height });
  requireViewports(options.viewports);
  if (yAxis !== "up" && yAxis !== "down") {
    throw new InvalidRenderOptionError(
      `Cannot draw with the y axis ${describeValue(yAxis)}. Use "up" or "down".`,
      { option: "yAxis", value: yAxis },
    );
  }
  if (interpolation !== undefined && interpolation.space !== space) {
    throw new InvalidRenderOptionError(
      "Cannot interpolate: the interpolation belongs to another space. Make it with createInterpolation(space) of this one.",
      { option: "interpolation" },
    );
  }
}
