import { type Component, component, createWorld, type Entity, f32, type Schema } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { toggleLock } from "../src/commands/state/toggle-lock.ts";
import { toggleVisibility } from "../src/commands/state/toggle-visibility.ts";
import { componentFrom, describeComponent } from "../src/document/described-components.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { hitTest, inRect, pickAt } from "../src/document/space/hit-test.ts";
import { movable } from "../src/document/space/movable.ts";
import { snapAngle, snapNumber, snapToEdges } from "../src/document/space/snapping.ts";
import { rowsOf } from "../src/document/tree/rows.ts";
import { search } from "../src/document/tree/search.ts";
import { Aim, at, Health, names, open, Rusty } from "./open.ts";

describe("rows", () => {
  it("list what is expanded, with its depth", () => {
    const document = open();
    const open_ = new Set<Entity>([at(document, "level")]);
    const { entities, depths } = rowsOf(document.tree, { isExpanded: (entity) => open_.has(entity) });
    expect(names(document, entities)).toEqual(["level", "house", "tree", "sky", "unit", "folder"]);
    expect(depths).toEqual([0, 1, 1, 0, 0, 0]);
    const all = rowsOf(document.tree, { isExpanded: () => true });
    expect(names(document, all.entities)).toEqual([
      "level",
      "house",
      "door",
      "tree",
      "sky",
      "unit",
      "turret",
      "folder",
      "coin",
    ]);
  });

  it("of a chain of 100,000 levels need no recursion", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    let last = world.spawn();
    for (let k = 1; k < 100_000; k++) last = tree.attachNew(last);
    const { entities, depths } = rowsOf(tree, { isExpanded: () => true });
    expect([entities.length, depths.at(-1)]).toEqual([100_000, 99_999]);
  });
});

describe("search", () => {
  it("finds by name, component, tag and path, and shows what is above", () => {
    const document = open();
    document.world.add(at(document, "door"), Rusty);
    const found = (text: string) => names(document, search(document, text)!.matches);
    expect(found("DO")).toEqual(["door"]);
    expect(found("c:Aim")).toEqual(["tree"]);
    expect(found("t:rust")).toEqual(["door"]);
    expect(found("/level/*")).toEqual(["house", "tree"]);
    expect(found("c:Transform2D t")).toEqual(["tree", "unit", "turret"]);
    expect(found("nobody")).toEqual([]);
    expect(search(document, "  ")).toBeUndefined();
    expect(names(document, search(document, "door")!.shown)).toEqual(["door", "house", "level"]);
  });
});

describe("picking", () => {
  it("takes the entity in front, and on another click the next one behind", () => {
    const document = open(`{ "entities": [
      { "id": "back", "components": { "Transform2D": {} } },
      { "id": "middle", "components": { "Transform2D": {} } },
      { "id": "front", "components": { "Transform2D": {}, "ZIndex": { "z": -1 } } }
    ] }`);
    expect(names(document, hitTest(document, 1, 1))).toEqual(["middle", "back", "front"]);
    const first = pickAt(document, 0, 0, undefined);
    expect(document.label(first!)).toBe("middle");
    expect(document.label(pickAt(document, 0, 0, first)!)).toBe("back");
    expect(pickAt(document, 100, 100, first)).toBeUndefined();
  });

  it("skips what is hidden or locked", () => {
    const document = open();
    const rect = { left: -1000, top: -1000, right: 1000, bottom: 1000 };
    expect(names(document, inRect(document, rect))).toContain("door");
    toggleLock(document, [at(document, "house")]);
    toggleVisibility(document, [at(document, "sky")]);
    expect(names(document, inRect(document, rect))).toEqual(["level", "tree", "unit", "turret", "coin"]);
  });
});

describe("what a transform acts on", () => {
  it("is the topmost entity with a transform; for a folder, its content", () => {
    const document = open();
    expect(
      names(
        document,
        movable(document, [at(document, "door"), at(document, "level"), at(document, "folder")]),
      ),
    ).toEqual(["level", "coin"]);
  });
});

describe("snapping", () => {
  it("rounds to a grid and to angles, and not at all with 0", () => {
    expect([snapNumber(13, 5), snapNumber(13.2, 0)]).toEqual([15, 13.2]);
    expect(snapAngle(0.8, 45)).toBeCloseTo(Math.PI / 4);
  });

  it("meets the nearest edge or centre of others within the distance, each axis by itself", () => {
    const moving = { left: 0, top: 0, right: 10, bottom: 10 };
    const other = { left: 50, top: 100, right: 70, bottom: 120 };
    expect(snapToEdges(moving, 38, 5, [other], 4)).toEqual({ dx: 40, dy: 5, lines: [{ axis: "x", at: 50 }] });
    expect(snapToEdges(moving, 20, 5, [other], 4)).toEqual({ dx: 20, dy: 5, lines: [] });
  });
});

describe("components as data", () => {
  it("survive a round trip", () => {
    const format = createEditorFormat([Health, Aim, Rusty]);
    for (const component of format.components.map((name) => format.component(name)!)) {
      const described = JSON.parse(JSON.stringify(describeComponent(component)));
      expect(describeComponent(componentFrom(described))).toEqual(described);
    }
  });

  it("keep a field of a kind that only a newer library knows as plain JSON", () => {
    const described = describeComponent(component("Sky", { clouds: f32(3) }));
    const newer = { ...described, fields: [{ ...described.fields[0]!, kind: "f16" }] };
    const world = createWorld();
    const Sky = componentFrom(newer) as Component<Schema>;
    expect(world.get(world.spawn(Sky), Sky)).toEqual({ clouds: 3 });
  });
});
