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

  it("keeps y downwards when the game has it so, and names textures and prefabs by its options", async () => {
    const { scene, notImported } = await importTiled(caveMap(), {
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
    expect(notImported).toContainEqual({
      where: "/things/Coin",
      what: "that its tile is scaled; its prefab has its own size",
      kept: false,
    });
  });

  it("joins the chunks of an infinite map at their positions", async () => {
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

  it("has the classes of its layers and of itself in Props", async () => {
    const { scene } = await importTiled({
      type: "map",
      class: "Cave",
      layers: [{ id: 1, name: "deep", class: "Water", type: "group", layers: [] }],
    });
    expect(scene.entities.map(({ name, components }) => [name, components])).toEqual([
      ["map", { Props: { values: { class: "Cave" } } }],
      ["deep", { Props: { values: { class: "Water" } } }],
    ]);
  });

  it("places objects made from tiles by the alignment of their tile set", async () => {
    const placed = async (objectalignment?: string) => {
      const set = { firstgid: 1, name: "s", image: "s.png", tilewidth: 8, tileheight: 8, objectalignment };
      const objects = [{ id: 1, gid: 1, x: 4, y: 4, width: 8, height: 8 }];
      const { scene, notImported } = await importTiled({
        type: "map",
        tilesets: [set],
        layers: [{ id: 1, name: "o", type: "objectgroup", objects }],
      });
      const { anchorX = 0, anchorY = 0 } = scene.entities[1]!.components!.Tilemap!;
      return [anchorX, anchorY, ...notImported.map(({ what }) => what)];
    };
    expect(await placed()).toEqual([0, 1]);
    expect(await placed("unspecified")).toEqual([0, 1]);
    expect(await placed("topleft")).toEqual([0, 0]);
    expect(await placed("top")).toEqual([0.5, 0]);
    expect(await placed("center")).toEqual([0.5, 0.5]);
    expect(await placed("right")).toEqual([1, 0.5]);
    expect(await placed("bottomright")).toEqual([1, 1]);
    expect(await placed("diagonal")).toEqual([0, 1, "the object alignment diagonal"]);
  });

  it("takes from templates what its objects do not change, property by property", async () => {
    const template = {
      type: "template",
      object: {
        name: "torch",
        class: "Light",
        width: 4,
        height: 4,
        properties: [
          { name: "color", type: "string", value: "red" },
          { name: "radius", type: "int", value: 3 },
        ],
      },
    };
    const { scene, files } = await importTiled(
      {
        type: "map",
        layers: [
          {
            id: 1,
            name: "things",
            type: "objectgroup",
            objects: [
              { id: 2, template: "torch.tj", x: 8, y: 8 },
              {
                id: 3,
                template: "torch.tj",
                x: 16,
                y: 8,
                properties: [{ name: "radius", type: "int", value: 9 }],
              },
            ],
          },
        ],
      },
      { read: () => template },
    );
    const shared = { class: "Light", color: "red", width: 4, height: 4 };
    expect(scene.entities.slice(1).map(({ name, components }) => [name, components!.Props!.values])).toEqual([
      ["torch", { ...shared, radius: 3 }],
      ["torch", { ...shared, radius: 9 }],
    ]);
    expect(files).toContain("torch.tj");
  });

  it("keeps the opacity of colours, and lists what it does not import of texts and tile sets", async () => {
    const { scene, notImported } = await importTiled({
      type: "map",
      tilesets: [
        {
          firstgid: 1,
          name: "s",
          tilerendersize: "grid",
          properties: [{ name: "author", value: "me" }],
          tiles: [{ id: 0, image: "a.png", imagewidth: 8, imageheight: 8, x: 8, y: 0, width: 4, height: 4 }],
        },
      ],
      layers: [
        {
          id: 1,
          name: "o",
          type: "objectgroup",
          opacity: 0.5,
          tintcolor: "#33ff0000",
          objects: [
            {
              id: 2,
              name: "t",
              text: { text: "Hi", color: "#80FF8000", wrap: true, valign: "center", underline: true },
            },
            { id: 3, name: "c", capsule: true, width: 2, height: 1 },
          ],
        },
      ],
    });
    const [layer, text, capsule] = scene.entities as [EntityEntry, EntityEntry, EntityEntry];
    expect(layer.components).toEqual({ Alpha: { value: 0.1 }, Tint: { color: "#ff0000" } });
    expect(text.components).toMatchObject({ Alpha: { value: 0.5019608 }, TextBlock: { color: "#ff8000" } });
    expect(capsule.components!.Props!.values).toEqual({ width: 2, height: 1, capsule: true });
    expect(notImported.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "tile set s: that tile 0 is a part of its image",
      "tile set s: that its tiles are scaled to the grid",
      "tile set s: the properties of the set itself",
      "/o/t: wrap of its text",
      "/o/t: underline of its text",
      "/o/t: the vertical alignment center of its text",
    ]);
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

  it.each([
    ["LinearHorizontal", [0, 0], [16, 0], [40, 0]],
    ["LinearVertical", [0, 0], [0, -8], [0, -24]],
  ])("has the levels of the layout %s one after the other", async (worldLayout, ...positions) => {
    const sizes = [
      [16, 8],
      [24, 16],
      [8, 8],
    ];
    // LDtk writes -1 for both numbers.
    const levels = sizes.map(([pxWid, pxHei], k) => ({
      identifier: `L${k}`,
      worldX: -1,
      worldY: -1,
      pxWid,
      pxHei,
      layerInstances: [
        {
          __identifier: "E",
          __cWid: 1,
          __cHei: 1,
          __gridSize: 8,
          entityInstances: [{ __identifier: "Door", px: [0, 0] }],
        },
      ],
    }));
    const doorsOf = async (given: object) => {
      const { scene } = await importLdtk({ defs: {}, ...given });
      return scene.entities
        .filter(({ name }) => name === "Door")
        .map(({ components }) => [components!.Transform2D!.x, components!.Transform2D!.y]);
    };
    expect(await doorsOf({ worldLayout, levels })).toEqual(positions);
    expect(await doorsOf({ levels: [], worlds: [{ worldLayout, levels }] })).toEqual(positions);
  });

  it("keeps the names of the values of a grid, and lists parallax", async () => {
    const [level] = world.levels;
    const [, walls] = level!.layerInstances;
    const definition = {
      uid: 7,
      parallaxFactorX: 0.5,
      parallaxFactorY: 0,
      intGridValues: [
        { value: 1, identifier: "stone" },
        { value: 2, identifier: null },
      ],
    };
    const { scene, notImported } = await importLdtk({
      defs: { tilesets: [], layers: [definition] },
      levels: [
        {
          ...level,
          layerInstances: [
            {
              ...walls,
              __identifier: "Old",
              iid: "",
              intGridCsv: [],
              intGrid: [{ coordId: 1, v: 0 }],
              autoLayerTiles: [],
            },
            { ...walls, layerDefUid: 7, autoLayerTiles: [] },
          ],
        },
      ],
    });
    expect(named(scene.entities, "Walls").components!.Props!.values).toEqual({ values: { stone: 1 } });
    expect(notImported.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "Level_0/Walls: the parallax factor parallaxFactorX 0.5",
      "Level_0/Old: its values, which are as LDtk wrote them before 0.8; save it with a later one",
    ]);
  });

  it("has lists of references as lists of ids, and pivots and tags of entities", async () => {
    const [level] = world.levels;
    const entity = {
      __identifier: "Switch",
      iid: "s",
      px: [0, 0],
      width: 8,
      height: 8,
      __pivot: [0.5, 1],
      __tags: ["metal"],
      fieldInstances: [
        { __identifier: "opens", __value: [{ entityIid: "a" }, { entityIid: "b" }, null] },
        { __identifier: "steps", __value: [1, 2] },
      ],
    };
    const layer = { ...level!.layerInstances[0]!, entityInstances: [entity] };
    const { scene, notImported } = await importLdtk({
      ...world,
      levels: [{ ...level, bgColor: "#102030", layerInstances: [layer] }],
    });
    expect(named(scene.entities, "Switch").components!.Props!.values).toEqual({
      class: "Switch",
      width: 8,
      height: 8,
      pivot: { x: 0.5, y: 1 },
      tags: ["metal"],
      opens: ["a", "b", null],
      steps: [1, 2],
    });
    expect(notImported).toEqual([
      { where: "Level_0", what: "the background #102030; give it to the camera", kept: false },
    ]);
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
