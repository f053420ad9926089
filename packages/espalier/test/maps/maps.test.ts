import { component, f32 } from "espalier";
import { createGame, sceneFiles, tileColliderPart } from "espalier/game";
import { InvalidMapError, importLdtk, importMap, importTiled } from "espalier/maps";
import { createPhysics } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { FLIP_TILE_X, FLIP_TILE_Y, SWAP_TILE_XY, Tilemap, tileAt } from "espalier/render";
import type { EntityEntry } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { caveMap, caveSet, tileData, world } from "./samples.ts";

const read = (path: string) => {
  if (path === "sets/cave.tsj") return JSON.stringify(caveSet);
  throw new Error("404");
};
const named = (entities: readonly EntityEntry[], name: string) =>
  entities.find((each) => each.name === name)!;

describe("a map of Tiled", () => {
  it.each(["csv", "base64", "zlib", "gzip"] as const)(
    "is the same scene when its tiles are %s",
    async (form) => {
      const plain = await importTiled(caveMap(), { read });
      expect((await importTiled(JSON.stringify(caveMap(form)), { read })).scene).toEqual(plain.scene);
    },
  );

  it("becomes layers, groups and objects with their properties", async () => {
    const { scene, notImported, textures, files } = await importTiled(caveMap(), { read });
    const { entities } = scene;
    expect(entities.map(({ id, name, parent }) => [id, name, parent])).toEqual([
      ["map", "map", undefined],
      ["layer.1", "ground", undefined],
      ["layer.2", "deep", undefined],
      ["layer.3", "mixed", "layer.2"],
      ["layer.3.cave", "cave", "layer.3"],
      ["layer.3.plain", "plain", "layer.3"],
      ["layer.4", "things", undefined],
      ["object.9", "zone", "layer.4"],
      ["object.7", "spawn", "layer.4"],
      ["object.8", "Coin", "layer.4"],
      ["object.10", "sign", "layer.4"],
      ["layer.5", "sky", undefined],
    ]);
    expect(named(entities, "ground").components).toEqual({
      Transform2D: {},
      Alpha: { value: 0.5 },
      Tint: { color: "#ff8000" },
      RigidBody: { type: "static" },
      TileCollider: { solid: [1] },
      Tilemap: {
        texture: "sets/cave.png",
        tileWidth: 8,
        tileHeight: 8,
        columns: 3,
        rows: 2,
        tiles: [0, 1, -1, FLIP_TILE_X, FLIP_TILE_X + FLIP_TILE_Y + SWAP_TILE_XY, 2],
        margin: 2,
        spacing: 2,
        animations: {
          2: [
            { tile: 2, seconds: 0.1 },
            { tile: 3, seconds: 0.2 },
          ],
        },
      },
    });
    expect(named(entities, "deep").components).toBeUndefined();
    expect(named(entities, "things").components).toBeUndefined();
    expect(named(entities, "mixed").components!.Transform2D).toBeUndefined();
    expect(named(entities, "plain").components!.Transform2D).toEqual({ x: 10, y: -20 });
    expect(named(entities, "mixed").components!.Visibility).toEqual({ mode: "hidden" });
    expect(named(entities, "plain").components!.Tilemap!.tiles).toEqual([-1, -1, 0, 1, -1, -1]);
    expect(named(entities, "spawn").components).toEqual({
      Transform2D: { x: 16, y: -8, rotation: -1.570796 },
      Health: { hp: 3 },
      Props: { values: { team: "red", class: "Start" } },
    });
    expect(named(entities, "Coin").components).toMatchObject({
      Transform2D: { x: 4, y: -12, scaleX: 2 },
      Tilemap: { texture: "sets/cave.png", columns: 1, rows: 1, tiles: [5], anchorY: 1 },
      Props: { values: { value: 5, class: "Coin" } },
    });
    expect(named(entities, "zone").components!.Props!.values).toEqual({
      width: 30,
      height: 4,
      polygon: [
        { x: 0, y: 0 },
        { x: 4, y: -4 },
      ],
    });
    expect(named(entities, "sign").components!.TextBlock).toMatchObject({ text: "Hi", align: "center" });
    expect(named(entities, "sky").components!.Sprite).toEqual({ texture: "sky.png", anchorX: 0, anchorY: 0 });
    expect(named(entities, "sky").components!.Transform2D).toEqual({ x: 3 });
    expect(notImported).toEqual([
      { where: "/deep/mixed", what: "the parallax factor parallaxx 0.5", kept: false },
    ]);
    expect(textures).toEqual(["sets/cave.png", "plain.png", "sky.png"]);
    expect(files).toEqual(["sets/cave.tsj"]);
  });

  it("keeps y downwards when the game has it so, and names textures and prefabs as it is asked to", async () => {
    const { scene } = await importTiled(caveMap(), {
      read,
      yAxis: "down",
      texture: (path) => path.replace(/^.*\/|\.png$/g, ""),
      prefabs: ["Coin"],
    });
    expect(named(scene.entities, "spawn").components!.Transform2D).toEqual({
      x: 16,
      y: 8,
      rotation: 1.570796,
    });
    expect(named(scene.entities, "ground").components!.Tilemap!.texture).toBe("cave");
    expect(named(scene.entities, "Coin")).toEqual({
      id: "object.8",
      name: "Coin",
      parent: "layer.4",
      prefab: "Coin",
      components: { Transform2D: { x: 4, y: 12 }, Props: { values: { value: 5 } } },
    });
  });

  it("joins the chunks of an infinite map at their places", async () => {
    const chunk = (x: number, y: number, data: number[]) => ({ x, y, width: 2, height: 1, data });
    const map = {
      ...caveMap(),
      infinite: true,
      layers: [{ id: 1, name: "g", type: "tilelayer", chunks: [chunk(-2, 0, [9, 9]), chunk(0, 1, [10, 0])] }],
    };
    const { scene } = await importTiled(map, { read });
    expect(named(scene.entities, "g").components).toMatchObject({
      Transform2D: { x: -16 },
      Tilemap: { columns: 4, rows: 2, tiles: [0, 0, -1, -1, -1, -1, 1, -1] },
    });
  });

  it("loads in a game, with properties and components, and as instances of prefabs", async () => {
    const Health = component("Health", { hp: f32(1) });
    const level = await importTiled(caveMap(), { read, prefabs: ["Coin"] });
    const entities = level.scene.entities.map((entry) => {
      const { RigidBody: _body, TileCollider: _tiles, ...components } = entry.components ?? {};
      return { ...entry, components };
    });
    const game = createGame({
      components: [Health],
      scenes: sceneFiles({
        cave: { entities },
        Coin: { entities: [{ id: "coin", components: { Health: { hp: 9 } }, children: [{ id: "shine" }] }] },
      }),
    });
    await game.load("cave");
    expect(game.find("/things/spawn")!.props.team).toBe("red");
    expect(game.find("/things/spawn")!.get(Health).hp).toBe(3);
    const coin = game.find("/things/Coin")!;
    expect([coin.get(Health).hp, coin.props.value, coin.children.length]).toEqual([9, 5, 1]);
    expect(tileAt(game.world, game.find("/ground")!.id, 1, 0)).toBe(1);
  });

  it("has bodies that fall onto solid layers, in groups with offsets and on layers of several tile sets", async () => {
    const solid = { properties: [{ name: "solid", type: "bool", value: true }] };
    const tiles = (id: number, data: number[]) => ({
      id,
      name: `t${id}`,
      type: "tilelayer",
      width: 3,
      height: 2,
      data,
      ...solid,
    });
    const map = {
      ...caveMap(),
      layers: [
        {
          id: 1,
          name: "far",
          type: "group",
          offsetx: 100,
          offsety: 40,
          layers: [tiles(2, [0, 0, 0, 1, 1, 1])],
        },
        tiles(3, [0, 0, 0, 1, 9, 1]),
        {
          id: 4,
          name: "things",
          type: "objectgroup",
          offsetx: 100,
          objects: [
            { id: 5, name: "a", class: "Crate", x: 12, y: 30, point: true },
            { id: 6, name: "b", class: "Crate", x: -88, y: -10, point: true },
          ],
        },
      ],
    };
    const { scene } = await importTiled(map, { read, prefabs: ["Crate"] });
    const box2d = await loadBox2D();
    const shapes = [{ type: "box", width: 4, height: 4 }];
    const game = createGame({
      physics: ({ space }) => createPhysics(space, box2d, { unitsPerMetre: 50, gravity: { x: 0, y: -500 } }),
      parts: { tiles: tileColliderPart() },
      scenes: sceneFiles({
        map: scene,
        Crate: {
          entities: [{ id: "crate", components: { Transform2D: {}, RigidBody: {}, Collider: { shapes } } }],
        },
      }),
    });
    await game.load("map");
    game.step(120);
    const [a, b] = [game.find("/things/a")!, game.find("/things/b")!];
    // Upon the second row of tiles, which are 8 high: of the group 40 lower.
    expect([a.x, a.y, b.x, b.y].map((each) => Math.round(each))).toEqual([112, -46, 12, -6]);
  });

  it("with 100,000 nested groups is read without a recursion", async () => {
    let layer: object = { id: 1, type: "objectgroup", name: "o", objects: [] };
    for (let k = 2; k < 100_000; k++) layer = { id: k, type: "group", name: "g", layers: [layer] };
    const { scene } = await importTiled({ ...caveMap(), layers: [layer] }, { read });
    expect(scene.entities).toHaveLength(99_999 + 1);
  });
});

describe("a world of LDtk", () => {
  it("becomes levels with layers, grids of values and entities", async () => {
    const { scene, notImported } = await importLdtk(world);
    expect(scene.entities.map(({ id, name, parent }) => [id, name, parent])).toEqual([
      ["level-0", "Level_0", undefined],
      ["layer-w", "Walls", "level-0"],
      ["layer-w.tiles", "tiles 1", "layer-w"],
      ["layer-w.tiles.2", "tiles 2", "layer-w"],
      ["layer-e", "Entities", "level-0"],
      ["player", "Player", "layer-e"],
    ]);
    const [level, walls, first, second, , player] = scene.entities as [EntityEntry, ...EntityEntry[]];
    expect(level.components!.Transform2D).toBeUndefined();
    expect(level.components!.Props!.values).toEqual({ x: 100, y: -50, width: 16, height: 16, music: "cave" });
    expect(walls!.components!.Transform2D).toEqual({ x: 100, y: -50 });
    expect(first!.components!.Transform2D).toEqual({});
    expect(walls!.components!.Tilemap).toEqual({
      tileWidth: 8,
      tileHeight: 8,
      columns: 2,
      rows: 2,
      tiles: [1, -1, 2, 1],
    });
    expect(first!.components!.Tilemap).toMatchObject({
      texture: "tiles.png",
      margin: 1,
      spacing: 1,
      tiles: [0, -1, -1, 1 + FLIP_TILE_Y],
    });
    expect(second!.components!.Tilemap!.tiles).toEqual([3 + FLIP_TILE_X, -1, -1, -1]);
    expect(player!.components).toEqual({
      Transform2D: { x: 104, y: -58 },
      Health: { hp: 3 },
      Props: { values: { class: "Player", width: 8, height: 8, friend: "other" } },
    });
    expect(notImported).toEqual([
      { where: "Level_0/Walls", what: "1 tiles that are not on the grid", kept: false },
    ]);
    const game = createGame({ scenes: sceneFiles({ world: { entities: scene.entities.slice(0, 5) } }) });
    await game.load("world");
    expect(game.find("/Level_0/Walls")!.get(Tilemap).tiles).toEqual([1, -1, 2, 1]);
  });

  it("reads levels from files of their own", async () => {
    const [level] = world.levels;
    const { layerInstances, ...rest } = level!;
    const outside = { ...world, levels: [{ ...rest, layerInstances: null, externalRelPath: "a/0.ldtkl" }] };
    const { scene, files } = await importLdtk(outside, { read: () => ({ layerInstances }) });
    expect(scene.entities).toHaveLength(6);
    expect(files).toEqual(["a/0.ldtkl"]);
    await expect(importLdtk(outside)).rejects.toThrow("its level a/0.ldtkl is missing. Give it with read");
  });
});

describe("a file that is not a map", () => {
  const tiled = (changes: object) => importTiled({ ...caveMap(), ...changes }, { file: "cave.tmj", read });
  const layer = (changes: object) =>
    tiled({ layers: [{ id: 1, name: "l", type: "tilelayer", width: 2, height: 1, ...changes }] });

  it.each([
    ["text", () => importTiled("no map", { file: "a.tmj" }), "Cannot import a.tmj: it is not JSON"],
    [
      "XML",
      () => importTiled('<?xml version="1.0"?><map/>'),
      "it is XML. Save it as JSON: in Tiled, File > Export As",
    ],
    ["a list", () => importTiled([]), "it is not an object"],
    ["other JSON", () => importTiled({}), 'it is not a map of Tiled: it has no "type": "map" with layers'],
    ["a tile set", () => importTiled(caveSet), "it is a tile set. Import the map that uses it"],
    ["not LDtk", () => importLdtk({}), "it is not a world of LDtk"],
    [
      "isometric",
      () => tiled({ orientation: "isometric" }),
      "choose Map > Map Properties… > Orientation: Orthogonal",
    ],
    ["zstd", () => layer({ data: "AA==", compression: "zstd" }), "Tile Layer Format: CSV, or Base64 (zlib)"],
    ["too few tiles", () => layer({ data: [1] }), "the layer /l has 1 tiles, not 2 whole numbers"],
    ["no base64", () => layer({ data: "§" }), "the tiles of the layer /l cannot be decoded"],
    ["too many bytes", () => layer(tileData([1, 2, 3], "zlib")), "it unpacks to more than 8 bytes"],
    ["a tile of no set", () => tiled({ tilesets: [], layers: caveMap().layers }), "which is in no tile set"],
    ["a set that is not there", () => importTiled(caveMap()), "its tile set sets/cave.tsj is missing"],
    ["an impossible size", () => layer({ width: -1, data: [] }), "has an impossible size: -1 by 1 tiles"],
    [
      "a chunk between tiles",
      () => layer({ chunks: [{ x: 0.5, y: 0, width: 1, height: 1, data: [0] }] }),
      "has a chunk at 0.5, 0, which is between tiles",
    ],
    [
      "a layer of LDtk that is too large",
      () =>
        importLdtk({
          defs: {},
          levels: [
            { identifier: "L", layerInstances: [{ __identifier: "G", __cWid: 65_535, __cHei: 65_535 }] },
          ],
        }),
      "the layer L/G has an impossible size: 65535 by 65535 cells",
    ],
    [
      "a layer of LDtk whose tiles on one cell would take a map each",
      () => {
        const tile = { px: [0, 0], t: 1 };
        const grid = {
          __identifier: "G",
          __gridSize: 16,
          __tilesetRelPath: "a.png",
          __cWid: 5000,
          __cHei: 3500,
        };
        return importLdtk({
          defs: {},
          levels: [{ identifier: "L", layerInstances: [{ ...grid, gridTiles: [tile, tile] }] }],
        });
      },
      "the layer L/G of 5000 by 3500 cells has too many tiles on one cell",
    ],
    [".tmx", () => importMap("cave.tmx", ""), "In Tiled, choose File > Export As… > JSON map files (.tmj)"],
    ["another ending", () => importMap("cave.png", ""), "Known are .tmj (Tiled) and .ldtk (LDtk)"],
    ["an unknown option", () => importTiled(caveMap(), { yaxis: "up" } as never), "yAxis"],
  ])("is refused: %s", async (_, run, message) => {
    await expect(run()).rejects.toThrow(message);
  });

  it("is an error with the name of its file", async () => {
    const error = await importTiled("{", { file: "cave.tmj" }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InvalidMapError);
    expect((error as InvalidMapError).file).toBe("cave.tmj");
  });
});
