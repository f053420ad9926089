import { describe, expect, it } from "vitest";
import { prefabText, replaceByInstance } from "../src/commands/scene/make-prefab.ts";
import { toggleLock } from "../src/commands/state/toggle-lock.ts";
import { nudgeEntities } from "../src/commands/transform/nudge-entities.ts";
import { readValues3D, setValue3D } from "../src/commands/transform/set-value-3d.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { groupEntities } from "../src/commands/tree/group-entities.ts";
import { moveEntities, whyNotMove } from "../src/commands/tree/move-entities.ts";
import { reorderEntities } from "../src/commands/tree/reorder-entities.ts";
import { ungroupEntities } from "../src/commands/tree/ungroup-entities.ts";
import { plainMessage } from "../src/document/plain-message.ts";
import { isApplicable } from "../src/document/values/applicable-fields.ts";
import { readNumber } from "../src/document/values/parse-number.ts";
import { worded, wordedAs } from "../src/document/values/worded.ts";
import { rowMark } from "../src/shell/row-marks.ts";
import { at, open, tankPrefab } from "./open.ts";

describe("a lock", () => {
  it("holds against every command that would move or delete, also of what is above or below it", () => {
    const document = open();
    const start = document.save();
    const house = [at(document, "house")];
    toggleLock(document, house);
    const level = [at(document, "level")];
    const refused = [
      () => deleteEntities(document, house),
      () => deleteEntities(document, level),
      () => deleteEntities(document, [at(document, "door")]),
      () => moveEntities(document, house, { parent: null }),
      () => reorderEntities(document, house, "front"),
      () => groupEntities(document, house),
      () => ungroupEntities(document, house),
      () => nudgeEntities(document, house, 1, 0),
    ];
    for (const command of refused) expect(command).toThrow("locked");
    expect(whyNotMove(document, house, { parent: null })).toBe("house is locked. Unlock it first.");
    expect(document.save()).toBe(start);
    toggleLock(document, house);
    deleteEntities(document, house);
    expect(document.scene?.find("house")).toBeUndefined();
  });
});

describe("a prefab made of an entity", () => {
  it("leaves an instance at its position with its id and the references to and from it, as one step", () => {
    const document = open();
    const start = document.save();
    const position = document.space.worldPosition(at(document, "door"));
    const text = prefabText(document, at(document, "house"));
    expect(JSON.parse(text).entities[0].components.Transform2D).toEqual({ rotation: 0.5 });
    const prefabs = { tank: tankPrefab, house: text };
    replaceByInstance(document, at(document, "house"), "house", prefabs);
    const entry = JSON.parse(document.save()).entities.find(({ id }: { id: string }) => id === "house");
    expect(entry).toMatchObject({ prefab: "house", parent: "level", components: { Transform2D: { x: 10 } } });
    const tree = JSON.parse(document.save()).entities.find(({ id }: { id: string }) => id === "tree");
    expect(tree.components.Aim).toEqual({ at: "house/door" });
    const now = document.space.worldPosition(at(document, "house/door"));
    expect([now.x, now.y]).toEqual([expect.closeTo(position.x, 4), expect.closeTo(position.y, 4)]);
    document.undo();
    expect(document.save()).toBe(start);
  });

  it("keeps references that lead out in the instance, since no prefab can hold them", () => {
    const document = open();
    const text = prefabText(document, at(document, "tree"));
    expect(text).not.toContain("door");
    replaceByInstance(document, at(document, "tree"), "bush", { tank: tankPrefab, bush: text });
    const tree = JSON.parse(document.save()).entities.find(({ id }: { id: string }) => id === "tree");
    expect(tree).toMatchObject({ prefab: "bush", components: { Aim: { at: "door" } } });
  });
});

describe("a number that was typed", () => {
  const value = (text: string) => {
    const typed = readNumber(text);
    return typed.kind === "number" ? typed.value : typed.kind === "change" ? typed.apply(100) : typed;
  };

  it("may be a sum, a function, a constant, or a change", () => {
    expect(["12", "1,5", "10+2*3", "45°", "(1+2)*-2"].map(value)).toEqual([12, 1.5, 16, 45, -6]);
    expect(["sqrt(16)", "max(1, 7)", "max(1,7)", "round(2.6)", "abs(-3)"].map(value)).toEqual([
      4, 7, 7, 3, 3,
    ]);
    expect(value("sin(90)")).toBeCloseTo(1);
    expect(value("pi")).toBeCloseTo(Math.PI);
    expect(["+=10", "-= 2", "*2", "*=3", "/4", "/=sqrt(4)"].map(value)).toEqual([110, 98, 200, 300, 25, 50]);
  });

  it("is refused with the reason when it is not a number", () => {
    for (const text of ["abc", "1+", "sqrt 2", "alert(1)", "1 2", "+=x", "constructor(1)"])
      expect(value(text)).toEqual({ kind: "refused", why: "unreadable" });
    for (const text of ["1e400", "1/0", "*1e400", "/0", "/=0"])
      expect(value(text)).toEqual({ kind: "refused", why: "tooLarge" });
    expect(value("  ")).toEqual({ kind: "nothing" });
  });
});

describe("transforms in 3D", () => {
  it("are written as angles, local and in the world", () => {
    const document = open(`{ "entities": [
      { "id": "a", "components": { "Transform3D": { "x": 5 } }, "children": [{ "id": "b", "components": { "Transform3D": { "y": 2 } } }] } ] }`);
    const [a, b] = [at(document, "a"), at(document, "b")];
    const space = document.space3D!;
    setValue3D(document, [a], "angleZ", Math.PI / 2, false);
    expect(readValues3D(space, b, true)).toMatchObject({
      x: expect.closeTo(3),
      y: expect.closeTo(0),
      angleZ: expect.closeTo(Math.PI / 2),
    });
    setValue3D(document, [b], "x", 9, true);
    setValue3D(document, [b], "scaleZ", 4, false);
    expect(readValues3D(space, b, true)).toMatchObject({ x: expect.closeTo(9), scaleZ: expect.closeTo(4) });
    expect(document.history.undoLabels).toHaveLength(3);
  });

  it("keep their world transform under another parent, and a shear is refused with its residue", () => {
    const document = open(`{ "entities": [
      { "id": "a", "components": { "Transform3D": { "x": 5, "qz": 0.38268343, "qw": 0.92387953 } } },
      { "id": "even", "components": { "Transform3D": { "scaleX": 2, "scaleY": 2, "scaleZ": 2 } } },
      { "id": "wide", "components": { "Transform3D": { "scaleX": 3 } } } ] }`);
    const a = at(document, "a");
    const before = [...document.space3D!.worldOf(a)];
    moveEntities(document, [a], { parent: at(document, "even") });
    const after = [...document.space3D!.worldOf(a)];
    for (const [k, one] of after.entries()) expect(one).toBeCloseTo(before[k]!, 6);
    const text = document.save();
    expect(() => moveEntities(document, [a], { parent: at(document, "wide") })).toThrow(
      /right angles \(off by/,
    );
    expect(document.save()).toBe(text);
  });
});

describe("messages to the user", () => {
  it("contain no handles, codes or JSON", () => {
    expect(plainMessage("Cannot move tank#2 under gun#4v1: no. [hierarchy/cycle]")).toBe(
      "Cannot move tank under gun: no.",
    );
    for (const color of ["#aabbcc", "#112233", '"#112233"', "'#112233'"])
      expect(plainMessage(`The fill is ${color}.`)).toBe(`The fill is ${color}.`);
    expect(plainMessage("There is no /tank#1/#3.")).toBe("There is no /tank/#3.");
    const brief = "ecs/invalid-value (#1, component: Locks)";
    expect(plainMessage(brief)).toBe(brief);
    expect(
      plainMessage(
        "Cannot load a.json, it has 2 problems:\n  1:3: No quotes. [scene/syntax]\n  1:7: No colon. [scene/syntax]\n ",
      ),
    ).toBe("Cannot load a.json, it has 2 problems: 1:3: No quotes.");
    expect(worded({ x: 0.1234567, on: true, at: null })).toBe("x 0.123457, on yes, at –");
    expect(worded(new Float64Array([-2.2e-16, 1, -3]))).toBe("0, 1, -3");
    expect(worded([1e-20])).toBe("1e-20");
    expect(wordedAs("tint", 0x00ff00)).toBe("#00ff00");
  });

  it("leave out fields that do not apply", () => {
    const kinds = ["rect", "roundedRect", "circle"];
    expect(isApplicable("Shape", "radius", [{ kind: 0 }], kinds)).toBe(false);
    expect(isApplicable("Shape", "radius", [{ kind: 0 }, { kind: 2 }], kinds)).toBe(true);
    expect(isApplicable("Health", "radius", [{}], kinds)).toBe(true);
  });
});

describe("the mark of a row", () => {
  it("is the user's choice before the default, for icon and colour separately", () => {
    expect(rowMark({}, ["Transform2D"])).toBeUndefined();
    expect(rowMark({}, ["Shape", "Camera"])).toEqual({ icon: "shape", color: "#a56bd0" });
    expect(rowMark({ Health: { icon: "heart" } }, ["Shape", "Health"])).toEqual({ icon: "heart" });
  });
});
