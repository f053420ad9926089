import { component, type Entity, object, shared, string } from "espalier";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { changeField } from "../src/document/values/change-field.ts";
import {
  fieldStates,
  isMixed,
  isShownAsNumber,
  numberOver,
  sharedComponents,
} from "../src/document/values/field-values.ts";
import { isAngle, spaced, stepOf } from "../src/document/values/number-style.ts";
import { mostSharedBy } from "../src/document/values/shared-by.ts";
import { withValueAt } from "../src/document/values/value-path.ts";
import { Aim, at, Health, open } from "./open.ts";

describe("the fields of a selection", () => {
  it("are those of components that all have, with the value of the last one", () => {
    const document = open();
    const [sky, tree] = [at(document, "sky"), at(document, "tree")];
    expect(sharedComponents(document, [sky, tree])).toEqual([Transform2D]);
    expect(sharedComponents(document, [tree])).toEqual(expect.arrayContaining([Transform2D, Aim]));
    expect(sharedComponents(document, [])).toEqual([]);
    const x = fieldStates(document, [sky, tree], Transform2D).find(({ name }) => name === "x")!;
    expect(x).toMatchObject({ value: -20, isMixed: true, values: [0, -20] });
    expect(isShownAsNumber(x)).toBe(true);
    expect(isShownAsNumber(fieldStates(document, [tree], Aim)[0]!)).toBe(false);
  });

  it("are undefined once an entity is dead or has lost the component", () => {
    const document = open();
    const [unit, sky] = [at(document, "unit"), at(document, "sky")];
    expect(numberOver(document, [unit], Health, "hp", 2)).toEqual({ value: 500, isMixed: false });
    expect(numberOver(document, [unit, sky], Health, "hp", 1)).toBeUndefined();
    document.tree.destroy(unit);
    expect(numberOver(document, [unit], Health, "hp", 1)).toBeUndefined();
    expect(numberOver(document, [], Health, "hp", 1)).toBeUndefined();
  });

  it("are mixed by value, not by identity", () => {
    expect(isMixed([{ a: 1 }, { a: 1 }])).toBe(false);
    expect(isMixed([{ a: 1 }, { a: 2 }])).toBe(true);
    expect(isMixed([Number.NaN, Number.NaN])).toBe(false);
    expect(isMixed([])).toBe(false);
  });
});

describe("values that entities share", () => {
  it("are counted, and an edit gives the entity values of its own", () => {
    const Look = component("Look", { sprite: string("tank.png") }, { storage: shared });
    const document = openDocument(
      createEditorFormat([Look, Health]),
      `{ "entities": [${["a", "b", "c"].map((id) => `{ "id": "${id}", "components": { "Look": {}, "Health": {} } }`)}] }`,
    );
    const [a, b, c] = ["a", "b", "c"].map((id) => at(document, id)) as [Entity, Entity, Entity];
    expect(mostSharedBy(document, [a], Look)).toBe(3);
    expect(mostSharedBy(document, [a], Health)).toBeUndefined();
    changeField(document, "Set", [a], { component: Look, field: "sprite", path: [] }, [], () => "wreck.png");
    expect([[a], [b], [a, b, c], []].map((all) => mostSharedBy(document, all, Look))).toEqual([
      1,
      2,
      2,
      undefined,
    ]);
    document.undo();
    expect(mostSharedBy(document, [a], Look)).toBe(3);
  });
});

describe("changing a field of several", () => {
  it("leaves entities alone that lack the component or the item", () => {
    const Bag = component("Bag", { items: object(() => ({ list: [1] }) as unknown) });
    const document = openDocument(
      createEditorFormat([Bag]),
      `{ "entities": [{ "id": "a", "components": { "Bag": {} } }, { "id": "b", "components": { "Bag": { "items": 3 } } }, { "id": "c" }] }`,
    );
    const all = ["a", "b", "c"].map((id) => at(document, id));
    const address = { component: Bag, field: "items", path: ["list", 0] };
    changeField(document, "Set", all, address, ["list"], (value) => withValueAt(value, address.path, 9));
    expect(all.map((entity) => document.world.get(entity, Bag)?.items)).toEqual([
      { list: [9] },
      3,
      undefined,
    ]);
    expect(document.history.undoLabels).toEqual(["Set"]);
    document.undo();
    expect(document.world.get(all[0]!, Bag)?.items).toEqual({ list: [1] });
  });
});

describe("the style of a number", () => {
  it("follows its name", () => {
    expect([isAngle("rotation"), isAngle("Angle"), isAngle("angles")]).toEqual([true, true, false]);
    expect([
      stepOf("rotation", false),
      stepOf("fillAlpha", false),
      stepOf("count", true),
      stepOf("width", false),
    ]).toEqual([1, 0.01, 1, 0.5]);
    expect([spaced("scaleX"), spaced("lineHeight2D"), spaced("x")]).toEqual([
      "scale x",
      "line height2 d",
      "x",
    ]);
  });
});
