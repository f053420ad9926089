import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, runIn, tempFolder } from "./folder.ts";

const set = { name: "cave", image: "cave.png", tilewidth: 8, tileheight: 8, columns: 4, tilecount: 8 };
const map = (changes: object = {}) =>
  JSON.stringify({
    type: "map",
    orientation: "orthogonal",
    width: 2,
    height: 1,
    tilewidth: 8,
    tileheight: 8,
    tilesets: [{ firstgid: 1, source: "../sets/cave.tsj" }],
    layers: [
      { id: 1, name: "ground", type: "tilelayer", width: 2, height: 1, data: [1, 2147483650], parallaxx: 2 },
      {
        id: 2,
        name: "things",
        type: "objectgroup",
        objects: [
          { id: 3, class: "Coin", x: 8, y: 4, point: true, properties: [{ name: "value", value: 5 }] },
        ],
      },
    ],
    ...changes,
  });

describe("espalier import of a map", () => {
  it("writes a scene with its tiles and instances of prefabs, and lists what was not imported", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("sets/cave.tsj", JSON.stringify(set));
    const file = write("maps/cave.tmj", map());
    write("maps/Coin.prefab.json", '{ "entities": [{ "id": "coin" }] }');
    const ran = await runIn(dir, "import", file, "--y-up");
    expect(ran.stderr).toContain("ground: the parallax factor parallaxx 2 (not imported)");
    expect(ran.status).toBe(0);
    const scene = JSON.parse(readFileSync(join(dir, "maps/cave.scene.json"), "utf8"));
    expect(scene.entities.map((each: { id: string; prefab?: string }) => [each.id, each.prefab])).toEqual([
      ["layer.1", undefined],
      ["layer.2", undefined],
      ["object.3", "Coin.prefab.json"],
    ]);
    expect(scene.entities[0].components.Tilemap).toMatchObject({
      texture: "../sets/cave.png",
      tiles: [0, 134217729],
    });
    expect(scene.entities[2].components.Transform2D).toEqual({ x: 8, y: -4 });
  });

  it("refuses what is not a map and writes nothing", async () => {
    const { dir, write } = tempFolder();
    const broken = await runIn(dir, "import", write("a.tmj", "no map"));
    expect([broken.status, broken.stderr.includes("it is not JSON")]).toEqual([1, true]);
    const missing = await runIn(dir, "import", write("b.tmj", map()));
    expect(missing.stderr).toContain("is outside of");
    const xml = await runIn(dir, "import", write("c.tmx", "<map/>"));
    expect(xml.stderr).toContain("In Tiled, choose File > Export As… > JSON map files (.tmj)");
    expect(Object.keys(filesIn(dir)).filter((name) => name.endsWith(".json"))).toEqual([]);
  });
});
