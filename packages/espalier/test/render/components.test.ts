import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { HIDDEN, inheritComponents, VISIBLE, Visibility, ZIndex } from "espalier/inherit";
import {
  Alpha,
  Camera,
  chunksOf,
  circle,
  colorText,
  createRecordingRenderer,
  EMPTY_TILE,
  forEachTile,
  linearGradient,
  multiplyColors,
  NineSlice,
  overlaps,
  ParticleEmitter,
  parseColor,
  polygon,
  renderComponents,
  Shape,
  Sprite,
  setTile,
  TextBlock,
  type TileChunk,
  Tilemap,
  Tint,
  tileAt,
} from "espalier/render";
import { createSceneFormat } from "espalier/scene";
import { createTransforms2D, transformComponents } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, refusal } from "../testing.ts";

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  return { world, tree, space };
}

const format = createSceneFormat({
  components: [transformComponents, inheritComponents, renderComponents()],
});

describe("drawing components", () => {
  it("are saved in scenes and come back the same", () => {
    const { world, tree, space } = setUp();
    const made = [
      world.spawn(space.at(1, 2), Sprite({ texture: "tank", frame: "hull", tint: 0x336699, flipX: true })),
      world.spawn(polygon([0, 0, 4, 0, 0, 4], { gradient: linearGradient(0xff0000, 0x0000ff), alpha: 0.5 })),
      world.spawn(TextBlock({ text: "a\nb", color: 0xabcdef, align: 2 })),
      world.spawn(Tilemap({ texture: "tiles", columns: 2, rows: 1, tiles: [3, EMPTY_TILE] })),
      world.spawn(
        NineSlice({ texture: "panel", width: 10 }),
        Tint({ color: 0x00ff00 }),
        Alpha({ value: 0.25 }),
      ),
      world.spawn(ParticleEmitter({ rate: 3, startColor: 0x123456 }), Camera({ zoom: 3, fit: 1 })),
    ];
    const text = format.save(tree);
    expect(text).toContain('"tint": "#336699"');
    expect(text).toContain('"kind": "polygon"');
    expect(text).toContain('"fit": "cover"');

    const other = setUp();
    const scene = format.load(other.tree, text);
    expect(format.check(text)).toEqual([]);
    const loaded = [...other.tree.roots()];
    const components = [
      Sprite,
      Shape,
      TextBlock,
      Tilemap,
      NineSlice,
      ParticleEmitter,
      Camera,
      Tint,
      Alpha,
    ] as const;
    const values = (from: typeof world, entity: Entity) =>
      components.map((component) => from.get(entity, component as typeof Sprite));
    expect(loaded.map((entity) => values(other.world, entity))).toEqual(made.map((e) => values(world, e)));
    expect(scene.save()).toBe(text);
  });

  it("take colours as text, and report those that cannot be read", () => {
    const { tree } = setUp();
    const file = (color: string) =>
      `{ "entities": [{ "id": "a", "components": { "Tint": { "color": ${color} } } }] }`;
    const scene = format.load(tree, file('"#f80"'));
    expect(tree.world.get(scene.entity("a"), Tint)).toEqual({ color: 0xff8800 });
    expect(format.check(file("255"))).toEqual([]);
    expect(format.check(file('"red"'))[0]?.message).toContain(
      '"red" is not a colour. Write it as "#ff8800".',
    );
  });

  it("are undone, and the picture with them", () => {
    const { world, space } = setUp();
    const history = createHistory(world);
    const renderer = createRecordingRenderer(space);
    const ball = history.step("begin", () => world.spawn(space.at(5, 0), circle(3, { fill: 0xff0000 })));
    const look = () => {
      renderer.render();
      return renderer.drawn().map(({ value, matrix }) => [(value as { fill: number }).fill, matrix.x]);
    };
    expect(look()).toEqual([[0xff0000, 5]]);
    history.step("paint", () => {
      world.set(ball, Shape, { fill: 0x00ff00 });
      space.setPosition(ball, 9, 0);
    });
    expect(look()).toEqual([[0x00ff00, 9]]);
    history.undo();
    expect(look()).toEqual([[0xff0000, 5]]);
    history.step("end", () => world.destroy(ball));
    expect(look()).toEqual([]);
    history.undo();
    expect(look()).toEqual([[0xff0000, 5]]);
  });

  it("come back hidden where they left hidden, also between two frames", () => {
    const { world, space } = setUp();
    const history = createHistory(world);
    const renderer = createRecordingRenderer(space);
    const [back, front] = history.step("begin", () => [
      world.spawn(space.at(0, 0), circle(3), Visibility),
      world.spawn(space.at(0, 0), circle(3)),
    ]) as [Entity, Entity];
    renderer.render();
    history.step("hide", () => world.set(back, Visibility, { mode: HIDDEN }));
    history.step("raise", () => world.add(front, ZIndex({ z: -1 })));
    history.step("end", () => {
      world.destroy(back);
      world.destroy(front);
    });
    history.undo();
    renderer.render();
    expect(renderer.drawn().map(({ entity }) => entity)).toEqual([front]);
    world.set(back, Visibility, { mode: VISIBLE });
    renderer.render();
    expect(renderer.drawn().map(({ entity }) => entity)).toEqual([front, back]);
  });

  it("refuse values that cannot be drawn", () => {
    const { world } = setUp();
    const shape = world.spawn(circle(1));
    const set = (values: object) => refusal(world, () => world.set(shape, Shape, values));
    expect(set({ points: [1, 2, 3] })).toContain("takes an even number of coordinates");
    expect(set({ points: [1, Number.NaN] })).toContain("takes finite numbers");
    expect(set({ gradient: { kind: "conic" } })).toContain('takes a gradient of kind "linear" or "radial"');
    expect(set({ gradient: { ...linearGradient(0, 1), stops: [{ offset: 2, color: 0 }] } })).toContain(
      "takes stops with an offset from 0 to 1",
    );
    expect(set({ kind: 6 })).toContain("takes an integer from 0 to 5");
    expect(set({ radius: Number.POSITIVE_INFINITY })).toContain("radius");
  });
});

describe("tiles", () => {
  it("are set one by one, can be undone, and fill up an array that is too short", () => {
    const { world } = setUp();
    const map = world.spawn(Tilemap({ columns: 3, rows: 2, tiles: [7] }));
    const before = world.get(map, Tilemap)!.tiles;
    setTile(world, map, 2, 1, 5);
    expect(world.get(map, Tilemap)!.tiles).toEqual([7, -1, -1, -1, -1, 5]);
    expect(before).toEqual([7]);
    expect([tileAt(world, map, 0, 0), tileAt(world, map, 1, 0), tileAt(world, map, 3, 0)]).toEqual([
      7, -1, -1,
    ]);
    expect(refusal(world, () => setTile(world, map, 3, 0, 1))).toContain("the map has 3 columns and 2 rows");
    const rock = world.spawn();
    expect(refusal(world, () => setTile(world, rock, 0, 0, 1))).toContain("has no Tilemap");
  });

  it("are cut into the chunks that are seen as into all of them", () => {
    const { world } = setUp();
    const anchor = fc.constantFrom(0, 0.5, 1);
    const side = fc.nat(12);
    const coordinate = fc.integer({ min: -60, max: 60 });
    property(
      fc.tuple(
        side,
        side,
        fc.integer({ min: 1, max: 5 }),
        fc.nat(150),
        anchor,
        anchor,
        coordinate,
        coordinate,
        fc.nat(80),
      ),
      ([columns, rows, chunk, length, anchorX, anchorY, x, y, size]) => {
        const tiles = new Array<number>(length).fill(0);
        const values = { columns, rows, chunk, tiles, anchorX, anchorY, tileWidth: 4, tileHeight: 8 };
        const map = world.get(world.spawn(Tilemap(values)), Tilemap)!;
        // Edges of chunks are at multiples of 2, so that none is merely touched.
        const seen = { minX: x + 0.1, minY: y + 0.1, maxX: x + size + 0.2, maxY: y + size + 0.2 };
        const holdsTiles = (part: TileChunk) => {
          let count = 0;
          forEachTile(map, part, () => count++);
          return count > 0;
        };
        const expected = chunksOf(map).filter((part) => {
          const minX = (part.column - anchorX * columns) * 4;
          const minY = (part.row - anchorY * rows) * 8;
          return overlaps({ minX, minY, maxX: minX + chunk * 4, maxY: minY + chunk * 8 }, seen);
        });
        const cut = chunksOf(map, seen);
        expect(cut.filter(holdsTiles)).toEqual(expected.filter(holdsTiles));
        expect(expected).toEqual(expect.arrayContaining(cut));
      },
    );
  });
});

describe("colours", () => {
  it("are read and written", () => {
    expect(["#ff8800", "#F80", "#ff88", "ff8800", ""].map(parseColor)).toEqual([
      0xff8800,
      0xff8800,
      undefined,
      undefined,
      undefined,
    ]);
    expect(colorText(0x00000f)).toBe("#00000f");
  });

  it("multiply by channel, and white changes nothing", () => {
    expect(multiplyColors(0xffffff, 0x123456)).toBe(0x123456);
    expect(multiplyColors(0x123456, 0xffffff)).toBe(0x123456);
    expect(multiplyColors(0x808080, 0xff0080)).toBe(0x800040);
  });
});
