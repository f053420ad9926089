/**
 * Which entities are near a point: a grid over their positions in the world, built anew by counting when something has moved and is asked for.
 */
import { type Entity, type EntityLike, indexOf, type Query, type Term } from "../../ecs/index.ts";
import { checkOptions, describeValue } from "../../ecs/internal.ts";
import { requireSpace2D } from "../checks/require-space.ts";
import { InvalidTransformError } from "../errors.ts";
import { worldRowsOf } from "../fill/world-rows.ts";
import type { Transforms2D } from "../transforms-2d.ts";
import { buildGrid, type Grid, nearestIn, withinGrid } from "./grid.ts";

/** Options of `createNearby`. */
export interface NearbyOptions {
  /** The side of a cell, in units of the world: about the distance that is asked for most. 64 if left out. */
  readonly cell?: number;
}

/** Options of `nearest`. */
export interface NearestOptions {
  /** No farther than this. */
  readonly max?: number;
  /** Passed over: the one that asks. */
  readonly except?: EntityLike;
}

/** Which entities of a query are near a point. Made by `createNearby`. */
export interface Nearby {
  /**
   * The entities at most so far from a point, nearest first; of equally near ones the older index first.
   * @throws InvalidTransformError for numbers that cannot be.
   */
  within(x: number, y: number, radius: number): Entity[];
  /**
   * The nearest entity; `null` when there is none.
   * @throws InvalidTransformError for numbers that cannot be.
   */
  nearest(x: number, y: number, options?: NearestOptions): Entity | null;
  /** Builds it anew at the next question, also where nothing has moved: for queries with `where` terms, whose answers changed. */
  refresh(): void;
  /** Ends it: it follows no more. */
  close(): void;
}

/**
 * Finds the entities of a query that are near a point of the world.
 *
 * @example
 * ```ts
 * const Enemy = tag("Enemy");
 * const space = createTransforms2D(tree);
 * const enemies = createNearby(space, world.query(Enemy), { cell: 50 });
 * const near = world.spawn(Enemy, space.at(10, 0));
 * const far = world.spawn(Enemy, space.at(90, 0));
 * enemies.nearest(60, 0); // → far
 * enemies.within(0, 0, 100); // → [near, far]
 * ```
 */
export function createNearby(
  space: Transforms2D,
  query: Query<readonly Term[]>,
  options: NearbyOptions = {},
): Nearby {
  const doing = "find what is near";
  requireSpace2D(space, doing);
  const { world } = space.tree;
  checkOptions(world.checks, doing, options, { cell: "number" });
  const { cell = 64 } = options;
  if (!(Number.isFinite(cell) && cell > 0)) refuse("the cell", cell, "above 0");
  const moves = space.changes();
  let version = -1;
  let grid: Grid | undefined;

  function current(): Grid {
    space.propagate();
    const moved = moves.pending > 0;
    if (moved) moves.forEach(() => {});
    if (grid === undefined || moved || version !== world.version) {
      version = world.version;
      const count = query.sync();
      const { values, slotOf, stride } = worldRowsOf(space);
      grid = buildGrid(query.indices, count, cell, values, slotOf, stride, grid);
    }
    return grid;
  }

  return {
    within(x, y, radius) {
      requireNumbers(x, y);
      if (!(radius >= 0)) refuse("the radius", radius, "of at least 0");
      return withinGrid(current(), x, y, radius).map((index) => world.handleAt(index));
    },
    nearest(x, y, { max = Number.POSITIVE_INFINITY, except } = {}) {
      requireNumbers(x, y);
      if (!(max >= 0)) refuse("max", max, "of at least 0");
      const found = nearestIn(current(), x, y, max, except === undefined ? -1 : indexOf(except));
      return found < 0 ? null : world.handleAt(found);
    },
    refresh() {
      grid = undefined;
    },
    close() {
      moves.close();
      grid = undefined;
    },
  };
}

function requireNumbers(x: number, y: number): void {
  if (!Number.isFinite(x)) refuse("x", x, "that is finite");
  if (!Number.isFinite(y)) refuse("y", y, "that is finite");
}

function refuse(what: string, value: unknown, expected: string): never {
  throw new InvalidTransformError(
    `Cannot find what is near: ${what} is ${describeValue(value)}. Give a number ${expected}.`,
    { field: what, value },
  );
}
