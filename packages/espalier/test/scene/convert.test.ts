import { parseScene, toFlat, toNested } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, shape } from "./scenes.ts";

const format = createFormat();
const nested = {
  version: 1,
  entities: [
    {
      id: "tank",
      components: { Weapon: { any: "thing" } },
      children: [{ name: "turret", children: [{ prefab: "parts/barrel.json" }] }, { id: "hatch" }],
    },
    { id: "flag", parent: "hatch" },
    { id: "rock" },
  ],
};

describe("toFlat", () => {
  it("lists entities on their own, parents first, and gives ids to those without", () => {
    expect(toFlat(nested)).toEqual({
      version: 1,
      entities: [
        { id: "tank", components: { Weapon: { any: "thing" } } },
        { id: "turret", name: "turret", parent: "tank" },
        { id: "barrel", parent: "turret", prefab: "parts/barrel.json" },
        { id: "hatch", parent: "tank" },
        { id: "flag", parent: "hatch" },
        { id: "rock" },
      ],
    });
  });

  it("changes nothing that is flat", () => {
    const flat = toFlat(nested);
    expect(toFlat(flat)).toEqual(flat);
    expect(nested.entities[0]).toHaveProperty("children");
  });

  it("keeps parents inside instances", () => {
    const file = {
      entities: [
        { id: "a", prefab: "x" },
        { id: "b", parent: "a/turret" },
      ],
    };
    expect(toFlat(file)).toEqual(file);
    expect(toNested(file)).toEqual(file);
  });
});

describe("toNested", () => {
  it("puts entities into their parents", () => {
    expect(toNested(toFlat(nested))).toEqual({
      version: 1,
      entities: [
        {
          id: "tank",
          components: { Weapon: { any: "thing" } },
          children: [
            {
              id: "turret",
              name: "turret",
              children: [{ id: "barrel", prefab: "parts/barrel.json" }],
            },
            { id: "hatch", children: [{ id: "flag" }] },
          ],
        },
        { id: "rock" },
      ],
    });
  });

  it("gives a scene that loads to the same tree", () => {
    const file = {
      entities: [{ id: "b", parent: "a" }, { id: "a" }, { id: "c", parent: "a" }, { id: "d", parent: "b" }],
    };
    expect(shape(format.load(emptyTree(), toNested(file)))).toBe("a(b(d) c)");
    expect(shape(format.load(emptyTree(), toFlat(file)))).toBe("a(b(d) c)");
  });

  it("leaves cycles as they are", () => {
    const file = { entities: [{ id: "a", parent: "b" }, { id: "b", parent: "a" }, { id: "c" }] };
    expect(toNested(file)).toEqual({
      entities: [{ id: "c" }, { id: "a", parent: "b" }, { id: "b", parent: "a" }],
    });
  });
});

describe("parseScene", () => {
  it("gives the value of a text, comments or not, and checks only its outermost form", () => {
    expect(parseScene(`{ /* x */ "entities": [{ "anything": 1, }], }`)).toEqual({
      entities: [{ anything: 1 }],
    });
    expect(() => parseScene("[]", { file: "level.json" })).toThrow(
      `Cannot read level.json: level.json:1:1: A scene is an object with an array of entities. Write { "entities": [...] }.`,
    );
    expect(() => parseScene("{")).toThrow("Cannot read the scene: scene:1:2: The file ends before");
  });
});
