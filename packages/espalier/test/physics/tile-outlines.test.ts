import { tileOutlines } from "espalier/physics";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const gridOf = (rows: readonly string[]) => ({
  columns: rows[0]?.length ?? 0,
  rows: rows.length,
  isSolid: (x: number, y: number) => rows[y]![x] === "#",
});

/** Edges of unit length, each with the solid tile at its right hand: "x,y>x,y". */
function edgesOf(outlines: ReturnType<typeof tileOutlines>): string[] {
  const edges: string[] = [];
  for (const { points, loop } of outlines) {
    for (let k = 0; k < points.length - (loop ? 0 : 1); k++) {
      const [from, to] = [points[k]!, points[(k + 1) % points.length]!];
      const length = Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
      const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
      for (let i = 0; i < length; i++)
        edges.push(`${from.x + dx * i},${from.y + dy * i}>${from.x + dx * (i + 1)},${from.y + dy * (i + 1)}`);
    }
  }
  return edges.sort();
}

/** The same, tile by tile. */
function slowEdges(rows: readonly string[]): string[] {
  const solid = (x: number, y: number) => rows[y]?.[x] === "#";
  const edges: string[] = [];
  rows.forEach((row, y) => {
    [...row].forEach((_, x) => {
      if (!solid(x, y)) return;
      if (!solid(x, y - 1)) edges.push(`${x},${y}>${x + 1},${y}`);
      if (!solid(x + 1, y)) edges.push(`${x + 1},${y}>${x + 1},${y + 1}`);
      if (!solid(x, y + 1)) edges.push(`${x + 1},${y + 1}>${x},${y + 1}`);
      if (!solid(x - 1, y)) edges.push(`${x},${y + 1}>${x},${y}`);
    });
  });
  return edges.sort();
}

describe("tileOutlines", () => {
  it("outlines connected tiles and holes, and separates tiles that touch only at a corner", () => {
    expect(tileOutlines(gridOf(["###", "#.#", "###"])).map(({ points }) => points.length)).toEqual([4, 4]);
    expect(tileOutlines(gridOf(["#.", ".#"])).map(({ points, loop }) => [points.length, loop])).toEqual([
      [4, true],
      [4, true],
    ]);
    expect(tileOutlines(gridOf(["..", ".."]))).toEqual([]);
  });

  it("leaves out edges between chunks, so that a floor continues without a wall", () => {
    const grid = gridOf(["....", "####"]);
    const left = tileOutlines(grid, { column: 0, row: 0, columns: 2, rows: 2 });
    const right = tileOutlines(grid, { column: 2, row: 0, columns: 2, rows: 2 });
    expect(left.map(({ loop }) => loop)).toEqual([false]);
    expect(edgesOf([...left, ...right])).toEqual(slowEdges(["....", "####"]));
  });

  it("has exactly the edges that each tile by itself has, whole and by chunks", () => {
    const row = (width: number) => fc.array(fc.boolean(), { minLength: width, maxLength: width });
    const maps = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }))
      .chain(([width, side]) =>
        fc.tuple(fc.constant(side), fc.array(row(width), { minLength: 1, maxLength: 9 })),
      );
    property(maps, ([side, cells]) => {
      const rows = cells.map((each) => each.map((solid) => (solid ? "#" : ".")).join(""));
      const grid = gridOf(rows);
      const whole = tileOutlines(grid);
      expect(whole.every(({ loop }) => loop)).toBe(true);
      expect(edgesOf(whole)).toEqual(slowEdges(rows));
      const parts = [];
      for (let y = 0; y < grid.rows; y += side)
        for (let x = 0; x < grid.columns; x += side)
          parts.push(
            ...tileOutlines(grid, {
              column: x,
              row: y,
              columns: Math.min(side, grid.columns - x),
              rows: Math.min(side, grid.rows - y),
            }),
          );
      expect(edgesOf(parts)).toEqual(slowEdges(rows));
      // Corners only: two edges in a row never go the same way.
      for (const { points, loop } of [...whole, ...parts])
        for (let k = loop ? 0 : 1; k < points.length - (loop ? 0 : 1); k++) {
          const [a, b, c] = [points.at(k - 1)!, points[k]!, points[(k + 1) % points.length]!];
          expect((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)).not.toBe(0);
        }
    });
  });
});
