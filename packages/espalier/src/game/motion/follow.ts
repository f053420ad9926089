/**
 * Moves following and attached entities, once per step, after everything else has moved. Inactive ones do not move.
 */
import type { Entity, ValueOf, World } from "../../ecs/index.ts";
import type { Activity, Pace } from "../../inherit/index.ts";
import { Camera, type Size, viewOfCamera, type YAxis } from "../../render/index.ts";
import type { Transforms2D } from "../../transform/index.ts";
import { Attached, type AttachedSchema, Follow, type FollowSchema, whenGone } from "./components.ts";

export interface MotionHost {
  readonly world: World;
  readonly space: Transforms2D;
  readonly active: Activity;
  readonly pace: Pace;
  readonly yAxis: YAxis;
  readonly screen: Size;
}

/** Creates the function that moves them. Attached ones go first, because a camera may follow one of them. */
export function createFollowers(host: MotionHost): (dt: number) => void {
  const { world, active, pace } = host;
  const attached = world.query(Attached);
  const following = world.query(Follow);
  return (dt) => {
    if (!attached.isEmpty()) {
      for (const entity of attached)
        if (active.of(entity)) attach(host, entity, world.get(entity, Attached) as ValueOf<AttachedSchema>);
    }
    if (following.isEmpty()) return;
    for (const entity of following) {
      const passed = dt * pace.of(entity);
      if (passed > 0) follow(host, entity, world.get(entity, Follow) as ValueOf<FollowSchema>, passed);
    }
  };
}

function attach({ world, space }: MotionHost, entity: Entity, attached: ValueOf<AttachedSchema>): void {
  const { target, x, y, turns } = attached;
  if (target === null) {
    if (attached.whenGone === whenGone.destroy) world.destroy(entity);
    return;
  }
  const to = space.localToWorld(target, x, y);
  space.setWorldPosition(entity, to.x, to.y);
  if (turns) space.setWorldRotation(entity, space.worldRotation(target));
}

function follow(host: MotionHost, entity: Entity, values: ValueOf<FollowSchema>, dt: number): void {
  const { space } = host;
  const { target, damping } = values;
  if (target === null) return;
  const wanted = space.worldPosition(target);
  const now = space.worldPosition(entity);
  const share = damping > 0 ? 1 - Math.exp(-dt / damping) : 1;
  let x = now.x + (wanted.x + values.offsetX - now.x) * share;
  let y = now.y + (wanted.y + values.offsetY - now.y) * share;
  if (values.bounded) {
    const half = halfView(host, entity);
    x = within(x, values.minX + half.width, values.maxX - half.width);
    y = within(y, values.minY + half.height, values.maxY - half.height);
  }
  space.setWorldPosition(entity, x, y);
}

/** Half the size of a camera's view; zero for other entities. */
function halfView({ world, space, screen, yAxis }: MotionHost, entity: Entity): Size {
  if (!world.has(entity, Camera) || screen.width === 0) return { width: 0, height: 0 };
  const { visible } = viewOfCamera(space, entity, screen, { yAxis });
  return { width: (visible.maxX - visible.minX) / 2, height: (visible.maxY - visible.minY) / 2 };
}

/** If the view is larger than the bounds, both have the same centre. */
function within(value: number, min: number, max: number): number {
  return min > max ? (min + max) / 2 : Math.min(max, Math.max(min, value));
}
