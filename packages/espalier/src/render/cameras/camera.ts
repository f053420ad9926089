/**
 * The camera: a component like any other. Its position and rotation come from the entity's transform, so a
 * camera can be a child of an entity that it follows.
 */
import {
  bool,
  type Component,
  checkOptions,
  component,
  type Entity,
  type EntityLike,
  expectArguments,
  type Field,
  handleOf,
  i16,
  named,
  u8,
  type World,
} from "../../ecs/index.ts";
import { Ghost } from "../../hierarchy/index.ts";
import { active } from "../../inherit/index.ts";
import { type Affine2D, requireSpace2D, type Transforms2D } from "../../transform/index.ts";
import { type ColorField, color } from "../drawings/color.ts";
import { type DrawNumber, number } from "../drawings/draw-number.ts";
import { type CameraView, cameraView, type Size, screenView, type YAxis } from "./camera-view.ts";
import { anInterpolation, type Interpolation } from "./interpolation.ts";

/** The fields of `Camera`. */
export type CameraSchema = {
  /** Whether it may be used. On if left out. */
  on: Field<boolean, "bool">;
  /** Of several cameras that are on, the one with the highest priority is used. 0 if left out. */
  priority: Field<number, "i16">;
  /** The magnification: 2 shows half as much. 1 if left out. */
  zoom: DrawNumber;
  /** The width of the world that fits on the screen; 0, the default, uses the screen's pixels. */
  width: DrawNumber;
  /** The height of the world that fits on the screen; 0, the default, uses the screen's pixels. */
  height: DrawNumber;
  /** How `width` and `height` are fitted to the screen: one of `cameraFits`. `contain` if left out. */
  fit: Field<number, "u8">;
  /** The colour where nothing is drawn. Black if left out. */
  background: ColorField;
  /** How opaque the background is, from 0 (the default) to 1. */
  backgroundAlpha: DrawNumber;
};

/**
 * Looks at the entity's position, with the entity's rotation; the entity's scale has no effect. `width` and `height` are
 * the size of the world that is fitted to the screen (0: as many units as the screen has pixels), `fit` selects how: `contain` with bars,
 * `cover`, or `stretch`. Of several cameras that are `on`, the one with the highest priority is used.
 */
export const Camera: Component<CameraSchema> = /* @__PURE__ */ component(
  "Camera",
  {
    on: /* @__PURE__ */ bool(true),
    priority: /* @__PURE__ */ i16(0),
    zoom: /* @__PURE__ */ number(1),
    width: /* @__PURE__ */ number(0),
    height: /* @__PURE__ */ number(0),
    fit: /* @__PURE__ */ named(/* @__PURE__ */ u8(0), ["contain", "cover", "stretch"]),
    background: /* @__PURE__ */ color(0x000000),
    backgroundAlpha: /* @__PURE__ */ number(0),
  },
  { storage: "sparse" },
);

/**
 * The camera in use: the highest priority of those that are on, then the one created first; `null` without any. Inactive ones
 * are skipped.
 */
export function activeCamera(world: World): Entity | null {
  expectArguments("look for the camera", ["the world", world, "world"]);
  return pickCamera(world, world.query(Camera, active));
}

/** The same with a cached query: renderers call it in every frame. */
export function pickCamera(world: World, cameras: Iterable<Entity>): Entity | null {
  let best: Entity | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const entity of cameras) {
    const { on, priority } = world.get(entity, Camera)!;
    if (!on || priority < highest || (priority === highest && best !== null && entity > best)) continue;
    best = entity;
    highest = priority;
  }
  return best;
}

/** Further options of a camera's view. */
export interface CameraViewOptions {
  /** The direction of y in the world: `"up"` if left out. */
  readonly yAxis?: YAxis;
  /** With `alpha`: interpolates between the last two steps. */
  readonly interpolation?: Interpolation | undefined;
  /** The fraction of time passed from the last step to the next, from 0 to 1. */
  readonly alpha?: number;
}

const viewOptions = { yAxis: ["up", "down"], interpolation: "anything", alpha: "number" } as const;

/**
 * The current view of the camera of an entity. For an entity without `Camera`, and for `null`, the view without a
 * camera: one unit is one pixel.
 */
export function viewOfCamera(
  space: Transforms2D,
  entity: EntityLike | null,
  screen: Size,
  options: CameraViewOptions = {},
): CameraView {
  const doing = "make the view of a camera";
  requireSpace2D(space, doing);
  checkOptions(space.tree.world.checks, doing, options, viewOptions);
  const { yAxis = "up", interpolation, alpha = 1 } = options;
  if (interpolation !== undefined) expectArguments(doing, ["interpolation", interpolation, anInterpolation]);
  const camera = entity === null ? undefined : space.tree.world.get(entity, Camera);
  if (entity === null || camera === undefined) return screenView(screen, yAxis);
  const world = interpolation?.worldOf(entity, alpha) ?? space.worldOf(entity);
  return cameraView(
    camera,
    { x: world.x, y: world.y, rotation: turnOf(space, handleOf(space.tree.world, entity), world) },
    screen,
    yAxis,
  );
}

/** The rotation of the camera; a mirrored camera does not mirror its view. */
function turnOf(space: Transforms2D, camera: Entity, { a, b, c, d }: Affine2D): number {
  if (a === 0 && b === 0) return c === 0 && d === 0 ? 0 : Math.atan2(-c, d);
  const isBackwards = a * d - b * c < 0 && mirrorsX(space, camera);
  return isBackwards ? Math.atan2(-b, -a) : Math.atan2(b, a);
}

/**
 * Whether a mirrored entity is mirrored along x. The matrix alone is ambiguous: mirroring along y equals mirroring along x and
 * a half turn. The
 * nearest mirrored entity decides; its ancestors mirror an even number of times, which is a rotation.
 */
function mirrorsX(space: Transforms2D, entity: Entity): boolean {
  const { tree } = space;
  for (let e: Entity | null = entity; e !== null; e = tree.parentOf(e)) {
    const { scaleX, scaleY } = space.localOf(e);
    if (scaleX * scaleY < 0 && !tree.world.has(e, Ghost)) return scaleX < 0;
  }
  return true;
}
