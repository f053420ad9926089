import { asset, component, f32 } from "espalier";
import { renderComponents } from "espalier/render";
import { assetsOf, checkAssets, createSceneFormat, SceneError } from "espalier/scene";
import { describe, expect, it } from "vitest";

const Portrait = component("Portrait", {
  picture: asset("texture"),
  voice: asset("sound", "hm"),
  size: f32(1),
});
const format = createSceneFormat({ components: [renderComponents(), Portrait] });

const tank = `{
  "entities": [
    {
      "id": "tank",
      "components": { "Sprite": { "texture": "tank.png" } },
      "children": [{ "id": "turret", "components": { "Sprite": { "texture": "turret.png" } } }]
    }
  ]
}`;
const pair = `{ "entities": [{ "id": "pair", "children": [{ "id": "a", "prefab": "tank" }, { "id": "b", "prefab": "tank", "components": { "Sprite": { "texture": "red.png" } } }] }] }`;
const prefabs = { tank, pair };

const lines = (scene: string) =>
  assetsOf(scene, format, { prefabs }).map(
    ({ kind, name, component, field, path, entity }) =>
      `${kind} ${name} ${component}.${field} ${path} ${entity}`,
  );

describe("assetsOf", () => {
  it("lists each file once, with the first entity that names it, defaults included", () => {
    const scene = `{ "entities": [
      { "id": "level", "name": "Level", "children": [
        { "id": "x", "components": { "Portrait": { "picture": "hero.png" } } },
        { "id": "y", "components": { "Portrait": { "picture": "hero.png", "voice": "" }, "Sprite": {} } },
        { "id": "z", "components": { "Portrait": { "picture": "", "voice": "ha" } } }
      ] }
    ] }`;
    expect(lines(scene)).toEqual([
      "texture hero.png Portrait.picture /Level/x x",
      "sound hm Portrait.voice /Level/x x",
      "sound ha Portrait.voice /Level/z z",
    ]);
  });

  it("takes prefabs as their instances use them: an override counts, not what it replaces", () => {
    expect(lines(`{ "entities": [{ "id": "one", "prefab": "tank" }] }`)).toEqual([
      "texture tank.png Sprite.texture /one one",
      "texture turret.png Sprite.texture /one/turret one/turret",
    ]);
    const overridden = `{ "entities": [{ "id": "one", "prefab": "tank", "components": { "Sprite": { "texture": "blue.png" } }, "overrides": { "turret": null } }] }`;
    expect(lines(overridden)).toEqual(["texture blue.png Sprite.texture /one one"]);
    expect(lines(`{ "entities": [{ "id": "two", "prefab": "pair" }] }`)).toEqual([
      "texture tank.png Sprite.texture /two/a two/a",
      "texture turret.png Sprite.texture /two/a/turret two/a/turret",
      "texture red.png Sprite.texture /two/b two/b",
    ]);
  });

  it("refuses a broken file and what is not a format", () => {
    expect(() => assetsOf(`{ "entities": [{ "components": { "Helth": {} } }] }`, format)).toThrow(SceneError);
    expect(() => assetsOf(tank, {} as typeof format)).toThrow("the second argument is a scene format");
  });
});

describe("checkAssets", () => {
  const missing = ({ name }: { name: string }) => (name === "turret.png" ? `No file ${name}.` : undefined);

  it("locates a missing file where it is named: in the prefab, or in the override", () => {
    const files = {
      tank: { file: "tank.prefab.json", source: tank },
      pair: { file: "pair.prefab.json", source: pair },
    };
    const options = { file: "level.json", prefabs: (name: string) => files[name as keyof typeof files] };
    const [problem, ...others] = checkAssets(
      `{ "entities": [{ "id": "two", "prefab": "pair" }] }`,
      format,
      missing,
      options,
    );
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: "scene/missing-asset",
      message: "No file turret.png.",
      file: "tank.prefab.json",
      line: 6,
      path: "entities[0].children[0].components.Sprite.texture",
    });
    const own = `{ "entities": [\n{ "id": "one", "prefab": "tank", "overrides": { "turret": { "components": { "Sprite": { "texture": "no.png" } } } } }] }`;
    expect(
      checkAssets(own, format, ({ name }) => (name === "no.png" ? "No." : undefined), options),
    ).toMatchObject([
      { file: "level.json", line: 2, path: "entities[0].overrides.turret.components.Sprite.texture" },
    ]);
  });

  it("has nothing to say about a text that cannot be read", () => {
    expect(checkAssets("{", format, () => "x")).toEqual([]);
  });
});
