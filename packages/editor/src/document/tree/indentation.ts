/**
 * How far rows of the tree are indented, so that names can be read at any depth.
 */

/** Pixels per level where there is enough space. */
export const FULL_STEP = 14;
/** Instead of a smaller step, the rows on the screen are shifted to the left. */
const SMALL_STEP = 8;
const LEAST_STEP = 2;
/** Pixels that are left for the icon and the name of the deepest row. */
const NAME_ROOM = 150;
/** The base changes by this many levels at once: otherwise rows would shift with every scrolled row. */
const BASE_STEP = 4;

/** A row at `depth` is indented by `(depth - base) * step` pixels. */
export interface Indentation {
  /** The depth at the left edge. */
  readonly base: number;
  /** Pixels per level. */
  readonly step: number;
}

/**
 * The indentation for rows whose depths lie between two: full, then smaller, then counted from the shallowest of them.
 *
 * @param width - Of the panel, in pixels.
 */
export function indentationFor(shallowest: number, deepest: number, width: number): Indentation {
  const room = Math.max(40, width - NAME_ROOM);
  if (deepest * SMALL_STEP <= room) {
    return { base: 0, step: deepest === 0 ? FULL_STEP : Math.min(FULL_STEP, Math.floor(room / deepest)) };
  }
  const base = shallowest - (shallowest % BASE_STEP);
  const step = Math.floor(room / Math.max(1, deepest - base));
  return { base, step: Math.max(LEAST_STEP, Math.min(FULL_STEP, step)) };
}
