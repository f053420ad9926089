/**
 * How a sound at a position is heard: its volume by distance, and its panning by direction.
 */
import type { Affine2D } from "../transform/index.ts";

/** Full volume up to `near`, silent from `far` on, linear in between. */
export function distanceGain(distance: number, near: number, far: number): number {
  if (distance <= near) return 1;
  return distance >= far ? 0 : (far - distance) / (far - near);
}

/** From -1, left, to 1, right: how far it is to the listener's right, as a fraction of `far`. A listener may be rotated. */
export function panOf(listener: Affine2D, dx: number, dy: number, far: number): number {
  const length = Math.hypot(listener.a, listener.b);
  const right = length === 0 ? dx : (dx * listener.a + dy * listener.b) / length;
  return Math.max(-1, Math.min(1, right / far));
}
