/** How numbers are shown and stepped, by the names of their fields. */

/** Radians in the world, degrees for people. */
export const DEGREES = 180 / Math.PI;

export function isAngle(name: string): boolean {
  return /^(rotation|angle)$/i.test(name);
}

/** The change by one pixel of dragging, or one press of an arrow key. */
export function stepOf(name: string, isInteger: boolean): number {
  if (isAngle(name)) return 1;
  if (/scale|alpha|skew|anchor|opacity|offset|friction|restitution/i.test(name)) return 0.01;
  return isInteger ? 1 : 0.5;
}

/** `scaleX` as `scale x`. */
export function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
}
