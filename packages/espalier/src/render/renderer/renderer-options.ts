/**
 * Types of renderers: options, the host for backends, and the calls for users.
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

/** A layout of nested rectangles, as created by `createRectTransforms`. */
export type RectLayout = Space<RectSchema>;

/** The options of all renderers. */
export interface RendererOptions {
  /** The width of the screen, in pixels. 800 by 600 if left out. */
  readonly width?: number;
  /** The height of the screen, in pixels. */
  readonly height?: number;
  /** The direction of y in the world: `"up"` if left out. */
  readonly yAxis?: YAxis;
  /** The camera to look through. If left out, the active one: the `Camera` with the highest priority. */
  readonly camera?: EntityLike | null;
  /**
   * Looks through several cameras, each on a part of the screen: split screen, a map in a corner. Later ones are above
   * earlier ones.
   */
  readonly viewports?: Viewports | undefined;
  /** Returns the view in place of a camera of the world: for editors and tools. Called every frame. */
  readonly look?: ((screen: Size) => CameraView) | undefined;
  /**
   * Lays out `OnScreen` entities by rectangles: `createRectTransforms`, or an existing layout. Entities with `RectTransform` are
   * placed by it, and the renderer keeps its root as large as the screen.
   */
  readonly layout?: RectLayout | ((tree: Hierarchy, screen: Size) => RectLayout) | undefined;
  /** Interpolates between the last two steps. */
  readonly interpolation?: Interpolation | undefined;
  /** The particles of the world, stepped by the program. */
  readonly particles?: Particles | undefined;
  /** Whether drawings outside of the view are culled. On if left out. */
  readonly cull?: boolean;
  /** Receives each problem once (missing texture, unknown frame); the console if left out. */
  readonly onProblem?: (problem: RenderProblem) => void;
}

/** The calls that a backend can make to its renderer. */
export interface RenderHost extends Reports {
  /** Redraws everything that uses a texture, or everything, because a resource was loaded or changed. */
  refresh(texture?: string): void;
  /** Makes the next frame draw even if the world does not change. */
  invalidate(): void;
}

/** A renderer of a world. Points are world coordinates unless said otherwise. */
export interface WorldRenderer<Node = unknown> extends Renderer {
  /** The space whose entities are drawn. */
  readonly space: Transforms2D;
  /** The backend; it never reads the world. */
  readonly backend: RenderBackend<Node>;
  /** The number of drawings. */
  readonly count: number;
  /** Updates the backend without drawing. `render` does so automatically. */
  update(): void;
  render(alpha?: number): void;
  /** Changes the size of the drawing, in pixels. */
  resize(width: number, height: number): void;
  /** The current view; with viewports, that of the first. */
  cameraView(): CameraView;
  /** The views of all viewports, in order. */
  cameraViews(): readonly CameraView[];
  /** From the screen to the world, through the topmost viewport there. */
  toWorld(x: number, y: number): Point;
  /** From the world to the screen, in the first viewport unless another view is given. */
  toScreen(x: number, y: number, view?: CameraView): Point;
  /** The topmost entity drawn at a point of the world; `null` when there is none. Hidden ones are skipped. */
  hitTest(x: number, y: number): Entity | null;
  /** All of them, topmost first, each once. */
  hitTestAll(x: number, y: number): Entity[];
  /** The entities that are `OnScreen` at a point of the screen, topmost first, each once. They are above those that `hitTest` finds. */
  onScreenAt(x: number, y: number): Entity[];
  /** The layout of rectangles on the screen, if the options have one. */
  readonly layout: RectLayout | undefined;
  /**
   * The bounds of an entity's drawings in the world, with `subtree` including everything below it. For `OnScreen` entities, in
   * pixels of the
   * screen, y as in the world.
   */
  boundsOf(entity: EntityLike, options?: { readonly subtree?: boolean }): Bounds;
  /** The entities that are in an area of the world, in tree order, each once. */
  entitiesIn(area: Bounds): Entity[];
  /** Makes a node of the user's own follow an entity; it is removed with the entity, or by calling the returned function. */
  attachNode(entity: EntityLike, node: Node): () => void;
  /** Redraws everything that uses a texture, or everything, because a resource was loaded or changed. */
  refresh(texture?: string): void;
  /** Makes the next frame draw even if the world does not change. */
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

/** The options that all renderers have, with their kinds: for `checkOptions` in the create function of a renderer. */
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
 * Refuses invalid options common to all renderers; the create function of each renderer checks its own. `createRenderer` calls
 * it: call it earlier if something is created before.
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
