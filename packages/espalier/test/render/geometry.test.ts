import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  type Bounds,
  circle,
  createRecordingRenderer,
  ellipse,
  line,
  measureShape,
  NineSlice,
  ninePatches,
  overlaps,
  polygon,
  rect,
  roundedRect,
  Sprite,
  Tilemap,
  transformBounds,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

function setUp() {
  const world = createWorld();
  const space = createTransforms2D(createHierarchy(world));
  const textures = { flag: { width: 20, height: 10 }, tiles: { width: 32, height: 16 } };
  const renderer = createRecordingRenderer(space, { textures, onProblem: () => {} });
  return { world, space, renderer };
}

describe("hits on a shape", () => {
  it.each([
    ["a rectangle", rect(10, 4), [4, 1], [4, 3]],
    ["a circle", circle(5), [3, 3], [4, 4]],
    ["an ellipse", ellipse(20, 4), [9, 0.5], [9, 1.5]],
    ["a rounded rectangle", roundedRect(10, 10, 5), [3, 3], [4.5, 4.5]],
    ["a polygon", polygon([0, 0, 10, 0, 0, 10]), [2, 2], [6, 6]],
    ["a hollow polygon", polygon([0, 0, 10, 0, 10, 10, 5, 2, 0, 10]), [1, 4], [5, 6]],
    ["a line", line([0, 0, 10, 10], { strokeWidth: 2 }), [5, 5.5], [5, 8]],
    ["the stroke of a circle", circle(5, { strokeWidth: 4 }), [6.5, 0], [7.5, 0]],
  ] as const)("follow the form of %s", (_, shape, inside, outside) => {
    const { world, space, renderer } = setUp();
    const entity = world.spawn(space.at(100, 50), shape);
    space.setRotation(entity, Math.PI); // the other way round
    expect(renderer.hitTest(100 - inside[0], 50 - inside[1])).toBe(entity);
    expect(renderer.hitTest(100 - outside[0], 50 - outside[1])).toBeNull();
  });

  it("miss empty tiles and follow anchors and flips of pictures", () => {
    const { world, space, renderer } = setUp();
    const tiles = [0, -1, -1, 1];
    const map = world.spawn(space.at(0, 0), Tilemap({ texture: "tiles", columns: 2, rows: 2, tiles }));
    // Rows go down from the entity.
    expect(renderer.hitTest(8, -8)).toBe(map);
    expect(renderer.hitTest(24, -8)).toBeNull();
    expect(renderer.hitTest(24, -24)).toBe(map);
    expect(renderer.hitTest(8, 8)).toBeNull();
    const flag = world.spawn(
      space.at(100, 100),
      Sprite({ texture: "flag", anchorX: 0, anchorY: 0, flipX: true }),
    );
    // The flip mirrors the picture in its rectangle: it stays to the right of the entity.
    expect(renderer.boundsOf(flag)).toEqual({ minX: 100, minY: 90, maxX: 120, maxY: 100 });
  });
});

describe("bounds", () => {
  it("of a shape hold every point that hits it", () => {
    const number = fc.double({ min: -20, max: 20, noNaN: true });
    const shapes = fc.constantFrom(
      rect(10, 4, { strokeWidth: 1 }),
      circle(6),
      ellipse(12, 5),
      roundedRect(9, 9, 3),
      polygon([-5, -5, 8, 0, 0, 9]),
      line([-5, 0, 8, 8], { strokeWidth: 3 }),
    );
    const { world, space, renderer } = setUp();
    const entity = world.spawn(space.at(0, 0));
    property(fc.tuple(shapes, number, number, number, number), ([shape, rotation, skew, x, y]) => {
      world.add(entity, shape);
      space.setLocal(entity, { rotation, skew: skew / 20, scaleX: 1.5 });
      if (renderer.hitTest(x, y) === null) return;
      const { minX, minY, maxX, maxY } = renderer.boundsOf(entity);
      expect(x >= minX && x <= maxX && y >= minY && y <= maxY).toBe(true);
    });
  });

  it("of a turned rectangle are those of its corners", () => {
    const box: Bounds = { minX: -1, minY: -2, maxX: 3, maxY: 4 };
    const m = { a: 0.5, b: 2, c: -1, d: 0.25, x: 7, y: 8 };
    const corners = [
      [-1, -2],
      [3, -2],
      [-1, 4],
      [3, 4],
    ].map(([x, y]) => [m.a * x! + m.c * y! + m.x, m.b * x! + m.d * y! + m.y] as const);
    expect(transformBounds(m, box, { ...box })).toEqual({
      minX: Math.min(...corners.map(([x]) => x)),
      minY: Math.min(...corners.map(([, y]) => y)),
      maxX: Math.max(...corners.map(([x]) => x)),
      maxY: Math.max(...corners.map(([, y]) => y)),
    });
  });

  it("that hold nothing overlap nothing", () => {
    const empty = measureShape(
      { ...polygon([]).values, kind: 4, points: [], strokeWidth: 0, strokeAlpha: 1 } as never,
      { minX: 0, minY: 0, maxX: 0, maxY: 0 },
    );
    expect(overlaps(empty, { minX: -1e9, minY: -1e9, maxX: 1e9, maxY: 1e9 })).toBe(false);
  });
});

describe("nine slices", () => {
  const slice = (values: object) => {
    const world = createWorld();
    const entity = world.spawn(NineSlice({ anchorX: 0, anchorY: 0, ...values }));
    return world.get(entity, NineSlice)!;
  };

  it("cover the whole rectangle without a gap", () => {
    const side = fc.integer({ min: 0, max: 40 });
    property(
      fc.record({ left: side, right: side, top: side, bottom: side, width: side, height: side }),
      (values) => {
        const patches = ninePatches(slice(values), { width: 24, height: 16 });
        const area = patches.reduce((sum, { to }) => sum + to.width * to.height, 0);
        // Where a side of the texture has no middle, nothing can be drawn between its corners.
        const isSolid = values.left + values.right < 24 && values.top + values.bottom < 16;
        if (isSolid) expect(area).toBeCloseTo(values.width * values.height, 6);
        for (const { from, to } of patches) {
          expect(Math.min(from.x, from.y, to.x, to.y)).toBeGreaterThanOrEqual(-1e-9);
          expect(from.x + from.width).toBeLessThanOrEqual(24 + 1e-9);
          expect(to.x + to.width).toBeLessThanOrEqual(values.width + 1e-9);
        }
      },
    );
  });
});
