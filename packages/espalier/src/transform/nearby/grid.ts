/**
 * Points in cells. Members of a cell lie side by side in one list, put there by counting: two passes over the points, no object for a cell.
 */

/** Points in a grid. Arrays are longer than what is used. */
export interface Grid {
  readonly left: number;
  readonly top: number;
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  readonly count: number;
  /** Where the members of each cell begin; one more for the end of the last. */
  readonly starts: Int32Array;
  /** Entity indices, cell by cell, with their coordinates. */
  readonly members: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Builds a grid of the first `count` of `indices`.
 * @param former - A grid whose memory is used again.
 */
export function buildGrid(
  indices: Int32Array,
  count: number,
  cell: number,
  values: Float32Array | Float64Array,
  slotOf: Int32Array,
  stride: number,
  former: Grid | undefined,
): Grid {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < count; k++) {
    const at = slotOf[indices[k]] * stride;
    const x = values[at + 4];
    const y = values[at + 5];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  if (count === 0) [left, top, right, bottom] = [0, 0, 0, 0];
  // A few points far apart must not make millions of cells.
  const most = 4 * count + 64;
  let side = cell;
  const cellsOf = () => (Math.floor((right - left) / side) + 1) * (Math.floor((bottom - top) / side) + 1);
  while (cellsOf() > most) side *= 2;
  const columns = Math.floor((right - left) / side) + 1;
  const rows = Math.floor((bottom - top) / side) + 1;
  const cells = columns * rows;

  const starts =
    former !== undefined && former.starts.length > cells
      ? former.starts.fill(0)
      : new Int32Array(cells * 2 + 1);
  const isRoomy = former !== undefined && former.members.length >= count;
  const members = isRoomy ? former.members : new Int32Array(count * 2);
  const xs = isRoomy ? former.x : new Float64Array(count * 2);
  const ys = isRoomy ? former.y : new Float64Array(count * 2);
  for (let k = 0; k < count; k++) {
    const at = slotOf[indices[k]] * stride;
    const column = Math.floor((values[at + 4] - left) / side);
    starts[Math.floor((values[at + 5] - top) / side) * columns + column]++;
  }
  let sum = 0;
  for (let c = 0; c <= cells; c++) {
    const here = starts[c];
    starts[c] = sum;
    sum += here;
  }
  for (let k = 0; k < count; k++) {
    const index = indices[k];
    const at = slotOf[index] * stride;
    const x = values[at + 4];
    const y = values[at + 5];
    const row = starts[Math.floor((y - top) / side) * columns + Math.floor((x - left) / side)]++;
    members[row] = index;
    xs[row] = x;
    ys[row] = y;
  }
  // Each start has moved to the end of its cell, which is the start of the next.
  starts.copyWithin(1, 0, cells);
  starts[0] = 0;
  return { left, top, cell: side, columns, rows, count, starts, members, x: xs, y: ys };
}

/** The members at most `radius` from a point, nearest first. */
export function withinGrid(grid: Grid, x: number, y: number, radius: number): number[] {
  const { starts, members, columns } = grid;
  const [fromColumn, toColumn] = span(x - radius, x + radius, grid.left, grid.cell, columns);
  const [fromRow, toRow] = span(y - radius, y + radius, grid.top, grid.cell, grid.rows);
  const found: { readonly index: number; readonly distance: number }[] = [];
  const limit = radius * radius;
  for (let row = fromRow; row <= toRow; row++) {
    // The cells of a row lie side by side, and so do their members.
    const end = starts[row * columns + toColumn + 1];
    for (let k = starts[row * columns + fromColumn]; k < end; k++) {
      const distance = (grid.x[k] - x) ** 2 + (grid.y[k] - y) ** 2;
      if (distance <= limit) found.push({ index: members[k], distance });
    }
  }
  return found.sort((a, b) => a.distance - b.distance || a.index - b.index).map(({ index }) => index);
}

/** The index of the nearest member, but `except`; -1 when there is none within `max`. */
export function nearestIn(grid: Grid, x: number, y: number, max: number, except: number): number {
  const { columns, rows, cell, starts, members, left, top } = grid;
  if (grid.count === 0) return -1;
  const column = clamp(Math.floor((x - left) / cell), columns);
  const row = clamp(Math.floor((y - top) / cell), rows);
  let best = -1;
  let least = max * max;
  const look = (r: number, from: number, to: number) => {
    if (r < 0 || r >= rows || from >= columns || to < 0) return;
    const end = starts[r * columns + Math.min(to, columns - 1) + 1];
    for (let k = starts[r * columns + Math.max(from, 0)]; k < end; k++) {
      const index = members[k];
      const distance = (grid.x[k] - x) ** 2 + (grid.y[k] - y) ** 2;
      if (index === except || distance > least || (distance === least && best >= 0 && index > best)) continue;
      best = index;
      least = distance;
    }
  };
  const most = Math.max(columns, rows);
  for (let ring = 0; ring < most; ring++) {
    look(row - ring, column - ring, column + ring);
    if (ring > 0) look(row + ring, column - ring, column + ring);
    for (let r = row - ring + 1; r < row + ring; r++) {
      look(r, column - ring, column - ring);
      look(r, column + ring, column + ring);
    }
    // Everything beyond this ring is at least this far from a point inside of it. A point outside of the grid is farther still.
    const inside = Math.min(
      x - (left + (column - ring) * cell),
      left + (column + ring + 1) * cell - x,
      y - (top + (row - ring) * cell),
      top + (row + ring + 1) * cell - y,
    );
    if (inside > 0 && inside * inside > least) break;
  }
  return best;
}

/** The first and the last cell between two positions; an empty range where they miss the grid. */
function span(from: number, to: number, start: number, cell: number, count: number): [number, number] {
  const first = Math.max(Math.floor((from - start) / cell), 0);
  const last = Math.min(Math.floor((to - start) / cell), count - 1);
  return [first, last];
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}
