/** A list x, y, x, y, … as points, and back. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A number without a partner at the end counts as a point with y 0. */
export function pointsOf(numbers: readonly number[]): Point[] {
  return Array.from({ length: Math.ceil(numbers.length / 2) }, (_, k) => ({
    x: numbers[2 * k] ?? 0,
    y: numbers[2 * k + 1] ?? 0,
  }));
}

export function numbersOf(points: readonly Point[]): number[] {
  return points.flatMap(({ x, y }) => [x, y]);
}

/** A new point, beside the last one so that it can be seen. */
export function nextPoint(points: readonly Point[]): Point {
  const last = points.at(-1);
  return last === undefined ? { x: 0, y: 0 } : { x: last.x + 10, y: last.y };
}
