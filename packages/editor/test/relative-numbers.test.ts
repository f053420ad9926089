import { component, f32, object } from "espalier";
import { instanceOf, parseScene } from "espalier/scene";
import { Transform2D, Transform3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { changeNumber } from "../src/commands/components/change-number.ts";
import { changeInside, setInside } from "../src/commands/components/set-inside.ts";
import { prefabText, replaceByInstance } from "../src/commands/scene/make-prefab.ts";
import { replaceEntities } from "../src/commands/scene/replace-entities.ts";
import { revertOverrides } from "../src/commands/scene/revert-override.ts";
import { readValues3D, setValue3D } from "../src/commands/transform/set-value-3d.ts";
import { setWorldValue } from "../src/commands/transform/set-world-value.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { inUnit } from "../src/document/values/number-change.ts";
import { Aim, at, Health, names, open } from "./open.ts";

const plusTen = (now: number) => now + 10;

describe("a relative change of numbers", () => {
  it("in the world moves a child and its parent by the same offset, each once", () => {
    const document = open();
    const [level, house, door] = ["level", "house", "door"].map((id) => at(document, id));
    const xOf = (entity: typeof level) => document.space.worldPosition(entity!).x;
    const before = [level, house, door].map(xOf);
    setWorldValue(document, [door!, level!, house!], "x", plusTen);
    for (const [k, entity] of [level, house, door].entries())
      expect(xOf(entity)).toBeCloseTo(before[k]! + 10, 4);
    expect(document.history.undoLabels).toHaveLength(1);
  });

  it.each(["rotation", "scaleX"] as const)("in the world reads %s of all before one is written", (field) => {
    const document = open(
      `{ "entities": [{ "id": "a", "components": { "Transform2D": {} }, "children": [{ "id": "b", "components": { "Transform2D": {} } }] }] }`,
    );
    const [a, b] = [at(document, "a"), at(document, "b")];
    setWorldValue(document, [a, b], field, (now) => now + 1);
    const read = (entity: typeof a) =>
      field === "rotation" ? document.space.worldRotation(entity) : document.space.lossyScale(entity).x;
    expect([read(a), read(b)].map((value) => Math.round(value * 1000) / 1000)).toEqual(
      field === "rotation" ? [1, 1] : [2, 2],
    );
  });

  it("in 3D moves a child and its parent by the same offset", () => {
    const document = open(
      `{ "entities": [{ "id": "a", "components": { "Transform3D": { "z": 1 } }, "children": [{ "id": "b", "components": { "Transform3D": { "z": 2 } } }] }] }`,
    );
    const [a, b] = [at(document, "a"), at(document, "b")];
    setValue3D(document, [b, a], "z", plusTen, true);
    expect(readValues3D(document.space3D!, a, true).z).toBeCloseTo(11);
    expect(readValues3D(document.space3D!, b, true).z).toBeCloseTo(13);
  });

  it("changes a field of each entity relative to its value, and leaves entities without it alone", () => {
    const document = open();
    const [unit, sky] = [at(document, "unit"), at(document, "sky")];
    changeNumber(document, [unit, sky], Health, "hp", (now) => now * 2);
    expect(document.world.get(unit, Health)?.hp).toBe(500);
    expect(document.world.has(sky, Health)).toBe(false);
  });

  it("that one entity refuses changes none of them, and is not a step", () => {
    const document = open();
    const [sky, level] = [at(document, "sky"), at(document, "level")];
    const before = document.save();
    const toInfinity = (now: number) => (now > 50 ? Number.POSITIVE_INFINITY : now + 1);
    expect(() => changeNumber(document, [sky, level], Transform2D, "x", toInfinity)).toThrow();
    expect(() => setWorldValue(document, [sky, level], "x", toInfinity)).toThrow();
    expect(document.save()).toBe(before);
    expect(document.history.undoLabels).toEqual([]);
    expect(document.isDirty).toBe(false);
  });

  it("inside a value changes each relative to its value", () => {
    const Path = component("Path", {
      points: object(() => [{ x: 1 }] as { x: number | string }[]),
      f: f32(),
    });
    const document = openDocument(
      createEditorFormat([Path]),
      `{ "entities": [{ "id": "a", "components": { "Path": { "points": [{ "x": 5 }] } } },
        { "id": "b", "components": { "Path": {} } }, { "id": "c", "components": { "Path": { "points": [{ "x": "far" }] } } }] }`,
    );
    const all = ["a", "b", "c"].map((id) => at(document, id));
    const address = { component: Path, field: "points", path: [0, "x"] };
    changeInside(document, all, address, plusTen);
    expect(all.map((entity) => document.world.get(entity, Path)?.points)).toEqual([
      [{ x: 15 }],
      [{ x: 11 }],
      [{ x: "far" }],
    ]);
    setInside(document, all, address, 2);
    expect(document.history.undoLabels).toHaveLength(2);
  });

  it("of degrees is kept in radians", () => {
    const change = inUnit((now: number) => now + 90, 180 / Math.PI) as (now: number) => number;
    expect(change(Math.PI / 2)).toBeCloseTo(Math.PI);
    expect(inUnit(180, 180 / Math.PI)).toBeCloseTo(Math.PI);
  });
});

describe("a prefab made of a 3D entity", () => {
  it("has its root at the origin, and the instance has the transform of the entity", () => {
    const document = open(
      `{ "entities": [{ "id": "ship", "name": "ship", "components": { "Transform3D": { "x": 3, "y": 4, "z": 5, "scaleX": 2 } } }] }`,
    );
    const text = prefabText(document, at(document, "ship"));
    expect(parseScene(text).entities[0]?.components).toEqual({ Transform3D: { scaleX: 2 } });
    const made = replaceByInstance(document, at(document, "ship"), "ship", { ship: text });
    expect(document.world.get(made, Transform3D)).toMatchObject({ x: 3, y: 4, z: 5, scaleX: 2 });
    document.undo();
    expect(instanceOf(document.tree, at(document, "ship"))).toBeUndefined();
  });
});

describe("replacing entities with a prefab", () => {
  it("keeps name, id, position in the tree and in the world, and the references to them", () => {
    const document = open();
    document.world.set(at(document, "tree"), Aim, { at: at(document, "house") });
    const before = document.space.worldPosition(at(document, "house"));
    const [made] = replaceEntities(document, [at(document, "house"), at(document, "door")], "tank");
    expect(names(document, document.tree.childrenOf(at(document, "level")))).toEqual(["house", "tree"]);
    expect(at(document, "house")).toBe(made);
    expect(document.space.worldPosition(made!).x).toBeCloseTo(before.x, 4);
    expect(document.world.get(at(document, "tree"), Aim)?.at).toBe(made);
    expect(instanceOf(document.tree, made!)?.prefab).toBe("tank");
    expect(document.selection.entities).toEqual([made]);
  });

  it("refuses a part of an instance, and a prefab that does not exist, before anything changes", () => {
    const document = open();
    const turret = document.tree.childrenOf(at(document, "unit"))[0]!;
    const before = document.save();
    expect(() => replaceEntities(document, [at(document, "sky"), turret], "tank")).toThrow(/unpack/);
    expect(() => replaceEntities(document, [at(document, "sky")], "nothing")).toThrow();
    expect(document.save()).toBe(before);
  });
});

describe("reverting overrides of several fields", () => {
  it("is one step", () => {
    const document = open();
    document.world.set(at(document, "unit"), Transform2D, { y: 9 });
    const instance = instanceOf(document.tree, at(document, "unit"))!;
    const fields = instance.overrides().filter(({ component: name }) => name === "Transform2D");
    expect(fields.length).toBeGreaterThan(1);
    revertOverrides(
      document,
      fields.map((override) => ({ instance, override })),
    );
    expect(document.history.undoLabels).toHaveLength(1);
    expect(document.world.get(at(document, "unit"), Transform2D)).toMatchObject({ x: 0, y: 0 });
  });
});
