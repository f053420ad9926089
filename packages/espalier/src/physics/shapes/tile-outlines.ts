/**
 * The outlines of solid tiles: one line around connected tiles, instead of a box for each tile, because bodies catch on the seams of boxes.
 */
import { expectArguments } from "../../ecs/index.ts";
import type { ShapePoint } from "./shape.ts";

/** The tiles to outline. Columns count to the right, rows downwards. */
export interface TileGrid {
  /** How many columns there are. */
  readonly columns: number;
  /** How many rows there are. */
  readonly rows: number;
  /** Whether a tile is solid. Called only inside the grid; everything outside is not solid. */
  isSolid(column: number, row: number): boolean;
}

/** A part of a grid. */
export interface TileArea {
  /** The first column. */
  readonly column: number;
  /** The first row. */
  readonly row: number;
  /** How many columns it has. */
  readonly columns: number;
  /** How many rows it has. */
  readonly rows: number;
}

/** One line along the edge of solid tiles: corners only, in tiles from the top left of the grid. */
export interface TileOutline {
  /** The corners, in order: solid tiles are on the right if y points down. */
  readonly points: readonly ShapePoint[];
  /** Whether it returns to its start. One that leaves the area does not. */
  readonly loop: boolean;
}

// Directions clockwise, so that turning right is one more.
const EAST = 0;
const SOUTH = 1;
const WEST = 2;
const NORTH = 3;
const STEP_X = [1, 0, -1, 0] as const;
const STEP_Y = [0, 1, 0, -1] as const;

/**
 * The outlines of the solid tiles of an area, or of the whole grid. Edges between two solid tiles are left out even if the second is
 * outside of the area, so the outlines of adjacent areas continue into each other without a wall between them. Tiles that touch only at a
 * corner are separate.
 *
 * @example
 * ```ts
 * const solid = ["##.", "..."];
 * const grid = { columns: 3, rows: 2, isSolid: (x: number, y: number) => solid[y]![x] === "#" };
 * tileOutlines(grid);
 * // → [{ points: [{ x: 0, y: 0 }, { x: 2, y: 0 }, { x: 2, y: 1 }, { x: 0, y: 1 }], loop: true }]
 * ```
 */
export function tileOutlines(grid: TileGrid, area?: TileArea): TileOutline[] {
  const doing = "outline tiles";
  expectArguments(
    doing,
    ["columns of the grid", grid?.columns, "number"],
    ["rows of the grid", grid?.rows, "number"],
    ["isSolid of the grid", grid?.isSolid, "function"],
  );
  const whole = { column: 0, row: 0, columns: grid.columns, rows: grid.rows };
  const { column: left, row: top, columns, rows } = area ?? whole;
  expectArguments(doing, ["the area", area ?? whole, ["column", "row", "columns", "rows"]]);
  const width = columns + 1;
  const isSolid = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < grid.columns && y < grid.rows && grid.isSolid(x, y);

  // One bit for each direction in which an edge leaves a corner of the area.
  const edges = new Uint8Array(width * (rows + 1));
  const at = (x: number, y: number) => (y - top) * width + (x - left);
  for (let y = top; y < top + rows; y++) {
    for (let x = left; x < left + columns; x++) {
      if (!isSolid(x, y)) continue;
      if (!isSolid(x, y - 1)) edges[at(x, y)] |= 1 << EAST;
      if (!isSolid(x + 1, y)) edges[at(x + 1, y)] |= 1 << SOUTH;
      if (!isSolid(x, y + 1)) edges[at(x + 1, y + 1)] |= 1 << WEST;
      if (!isSolid(x - 1, y)) edges[at(x, y + 1)] |= 1 << NORTH;
    }
  }

  const outlines: TileOutline[] = [];
  // Open ones first, from where they enter the area: the rest are loops.
  for (const wanted of [false, true])
    for (let start = 0; start < edges.length; start++)
      for (let direction = 0; direction < 4; direction++)
        if ((edges[start] & (1 << direction)) !== 0 && (wanted || !hasBefore(start, direction)))
          outlines.push(follow(start, direction));
  return outlines;

  /** Whether another edge leads to the start of this one. */
  function hasBefore(corner: number, direction: number): boolean {
    const [x, y] = [corner % width, Math.floor(corner / width)];
    for (let turn = -1; turn <= 1; turn++) {
      const from = (direction - turn + 4) & 3;
      const [px, py] = [x - STEP_X[from], y - STEP_Y[from]];
      if (px < 0 || py < 0 || px >= width || py > rows) continue;
      const before = py * width + px;
      if ((edges[before] & (1 << from)) !== 0 && nextOf(corner, from) === direction) return true;
    }
    return false;
  }

  /**
   * The edge that follows at a corner: to the right first, so that tiles that touch only at a corner stay separate. -1 at the
   * border of the area.
   */
  function nextOf(corner: number, direction: number): number {
    for (const turn of [1, 0, 3]) {
      const next = (direction + turn) & 3;
      if ((edges[corner] & (1 << next)) !== 0) return next;
    }
    return -1;
  }

  function follow(start: number, first: number): TileOutline {
    const points: ShapePoint[] = [];
    const add = (corner: number) =>
      points.push({ x: left + (corner % width), y: top + Math.floor(corner / width) });
    const passed: number[] = [];
    let corner = start;
    let direction = first;
    add(corner);
    for (;;) {
      passed.push(corner, direction);
      corner += STEP_X[direction] + STEP_Y[direction] * width;
      const turn = nextOf(corner, direction);
      const loop = corner === start && turn === first;
      if (turn === -1 || loop) {
        // Only now: a loop is recognised by its first edge.
        for (let k = 0; k < passed.length; k += 2) edges[passed[k]] &= ~(1 << passed[k + 1]);
        if (!loop) add(corner);
        return { points, loop };
      }
      if (turn !== direction) add(corner);
      direction = turn;
    }
  }
}
