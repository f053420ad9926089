/**
 * The cameras of a renderer, and the current view of each.
 */
import { type Entity, handleOf } from "../../ecs/index.ts";
import { active } from "../../inherit/index.ts";
import type { Transforms2D } from "../../transform/index.ts";
import { Camera, pickCamera, viewOfCamera } from "../cameras/camera.ts";
import type { CameraView, Size } from "../cameras/camera-view.ts";
import { moveView, rectangleOf } from "../cameras/viewports.ts";
import { drawValues } from "../drawings/draw-values.ts";
import type { RendererOptions } from "./renderer-options.ts";

/** Returns the views, at least one, interpolated between the last two steps at `alpha`. `screen` is read at each call. */
export function createCameraViews(
  space: Transforms2D,
  screen: Size,
  options: RendererOptions,
): (alpha: number) => CameraView[] {
  const { world } = space.tree;
  const { yAxis = "up", interpolation } = options;
  const activity = drawValues(space.tree).active;
  const cameras = world.query(Camera, active);
  const isThere = (camera: Entity) => world.isAlive(camera) && activity.of(camera);

  return (alpha) => {
    if (options.look !== undefined) return [options.look(screen)];
    const found: CameraView[] = [];
    const { viewports = [] } = options;
    for (const viewport of typeof viewports === "function" ? viewports() : viewports) {
      const camera = handleOf(world, viewport.camera);
      const part = rectangleOf(viewport, screen);
      if (part === undefined || (camera !== null && !isThere(camera))) continue;
      found.push(moveView(viewOfCamera(space, camera, part, { yAxis, interpolation, alpha }), part, screen));
    }
    if (found.length > 0) return found;
    const camera =
      options.camera === undefined ? pickCamera(world, cameras) : handleOf(world, options.camera);
    const entity = camera !== null && isThere(camera) ? camera : null;
    return [viewOfCamera(space, entity, screen, { yAxis, interpolation, alpha })];
  };
}
