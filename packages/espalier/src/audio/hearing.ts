/**
 * How a sound at a position is heard: its volume by distance, and left or right by direction.
 */
import type { Affine2D } from "../transform/index.ts";

/** As loud as it is up to `near`, silent from `far` on, in a straight line between them. */
export function distanceGain(distance: number, near: number, far: number): number {
  if (distance <= near) return 1;
  return distance >= far ? 0 : (far - distance) / (far - near);
}

/** From -1, left, to 1, right: how far it is to the listener's right, in parts of `far`. A listener may be turned. */
export function panOf(listener: Affine2D, dx: number, dy: number, far: number): number {
  const length = Math.hypot(listener.a, listener.b);
  const right = length === 0 ? dx : (dx * listener.a + dy * listener.b) / length;
  return Math.max(-1, Math.min(1, right / far));
}
