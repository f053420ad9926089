import { component, object, shared, string } from "espalier";
import { Collider } from "espalier/physics";
import { Shape } from "espalier/render";
import { createSceneFormat, withCodec } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { insertItems } from "../src/commands/components/insert-items.ts";
import { moveItems } from "../src/commands/components/move-items.ts";
import { removeItems } from "../src/commands/components/remove-items.ts";
import { removeMember } from "../src/commands/components/remove-member.ts";
import { setInside } from "../src/commands/components/set-inside.ts";
import { setTag } from "../src/commands/components/set-tag.ts";
import { componentFrom, describeComponent } from "../src/document/described-components.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { FieldSchemas } from "../src/document/values/field-schemas.ts";
import { initialOf } from "../src/document/values/initial-value.ts";
import type { JsonSchema } from "../src/document/values/json-schema.ts";
import { librarySchemas } from "../src/document/values/library-schemas.ts";
import { numbersOf, pointsOf } from "../src/document/values/points.ts";
import { formOf, isNullable, newItem, type Tag, withTag } from "../src/document/values/value-form.ts";
import {
  hasValueAt,
  shownPath,
  valueAt,
  withItems,
  withMovedItems,
  withoutItems,
  withoutMember,
  withValueAt,
} from "../src/document/values/value-path.ts";

const shapes = librarySchemas["Collider.shapes"]!;
const shape = shapes.items!;
const gradient = librarySchemas["Shape.gradient"]!;

describe("a path inside a value", () => {
  const value = { list: [{ x: 1 }, { x: 2 }, { x: 3 }], other: { y: 4 } };

  it("is read, and gives undefined for missing values", () => {
    expect(valueAt(value, ["list", 1, "x"])).toBe(2);
    expect(valueAt(value, ["list", 7, "x"])).toBeUndefined();
    expect(valueAt(value, ["list", "length"])).toBe(3);
    expect(valueAt(value, ["toString"])).toBeUndefined();
    expect([hasValueAt(value, []), hasValueAt(value, ["other"]), hasValueAt(value, ["none"])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is changed in a copy, which shares what it does not change", () => {
    const before = structuredClone(value);
    const next = withValueAt(value, ["list", 1, "x"], 9) as typeof value;
    expect(next.list).toEqual([{ x: 1 }, { x: 9 }, { x: 3 }]);
    expect(next.other).toBe(value.other);
    expect(next.list[0]).toBe(value.list[0]);
    expect(value).toEqual(before);
    expect(withValueAt(value, [], 5)).toBe(5);
    const named = withValueAt({}, ["__proto__"], 1) as object;
    expect([Object.keys(named), Object.getPrototypeOf(named)]).toEqual([["__proto__"], Object.prototype]);
  });

  it("gains, loses and moves items, also several at once", () => {
    const list = [0, 1, 2, 3, 4, 5];
    expect(withItems(list, [], 2, [8, 9])).toEqual([0, 1, 8, 9, 2, 3, 4, 5]);
    expect(withoutItems(list, [], 2, 2)).toEqual([0, 1, 4, 5]);
    expect(withMovedItems(list, [], 0, 4, 2)).toEqual([2, 3, 4, 5, 0, 1]);
    expect(withMovedItems(list, [], 5, 0)).toEqual([5, 0, 1, 2, 3, 4]);
    expect(withoutMember({ a: 1, b: { c: 2, d: 3 } }, ["b", "c"])).toEqual({ a: 1, b: { d: 3 } });
  });

  it("is shown as in a program", () => {
    expect(shownPath(["Collider", "shapes", 0, "points", 2, "x"])).toBe("Collider.shapes[0].points[2].x");
  });
});

describe("the form of a value", () => {
  it("follows from the value where nothing else is given", () => {
    const kinds = [1, "a", true, "#aabbcc", null, [1], { a: 1 }, new Set()].map(
      (value) => formOf(undefined, value).kind,
    );
    expect(kinds).toEqual(["number", "text", "flag", "color", "nothing", "list", "group", "opaque"]);
  });

  it("follows from a schema, with the members that may be added", () => {
    const form = formOf(shape, { type: "circle", radius: 3, density: 2, odd: 1 });
    if (form.kind !== "group") throw new Error(form.kind);
    expect(form.tag).toEqual({
      name: "type",
      values: ["box", "circle", "capsule", "polygon", "segment", "chain"],
    });
    expect(form.members.map(({ name, isOptional }) => [name, isOptional])).toEqual([
      ["radius", false],
      ["density", true],
      ["odd", true],
    ]);
    expect(form.missing.map(({ name }) => name)).toContain("friction");
    expect(formOf(librarySchemas["Shape.points"], [1, 2]).kind).toBe("points");
    expect(formOf({ enum: ["a", "b"] }, "a")).toEqual({ kind: "choice", values: ["a", "b"] });
    expect([isNullable(gradient), isNullable(shape)]).toEqual([true, false]);
  });

  it("is that of the value where the schema does not fit it", () => {
    expect(formOf({ type: "number" }, "text").kind).toBe("text");
    expect(formOf({ type: "object", properties: {} }, [1]).kind).toBe("list");
    expect(formOf({ $ref: "#/nowhere" } as JsonSchema, { a: 1 }).kind).toBe("group");
  });

  it("of another tag keeps what both have in common", () => {
    const tag: Tag = { name: "type", values: [] };
    const circle = { type: "circle", radius: 7, friction: 0.1 };
    expect(withTag(shape, circle, tag, "capsule")).toMatchObject({
      type: "capsule",
      radius: 7,
      friction: 0.1,
    });
    expect(withTag(shape, circle, tag, "segment")).not.toHaveProperty("radius");
  });

  it("gives new items that the library takes", () => {
    const { misfit } = { misfit: (value: unknown) => Collider.schema.shapes.validate?.(value) };
    for (const type of ["box", "circle", "capsule", "polygon", "segment", "chain"]) {
      const made = withTag(shape, { type: "box" }, { name: "type", values: [] }, type);
      expect([type, misfit([made])]).toEqual([type, undefined]);
    }
    expect(misfit([newItem(shape, [])])).toBeUndefined();
    expect(Shape.schema.gradient.validate?.(initialOf(gradient))).toBeUndefined();
    expect(newItem(undefined, [1, { a: 2 }])).toEqual({ a: 2 });
    expect(newItem(undefined, [])).toBeUndefined();
  });

  it("of points is pairs of numbers", () => {
    expect(pointsOf([1, 2, 3])).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 0 },
    ]);
    expect(numbersOf(pointsOf([1, 2, 3, 4]))).toEqual([1, 2, 3, 4]);
  });
});

describe("what a project says about its objects", () => {
  const Inventory = component("Inventory", { slots: object((): readonly object[] => []) });
  const slots = z.array(z.object({ item: z.string(), count: z.int().min(1) }));
  const format = createSceneFormat({
    components: [withCodec(Inventory, { validate: z.object({ slots }) as never })],
  });

  it("comes from its validator", () => {
    const schema = new FieldSchemas(format).of(Inventory, "slots");
    expect(newItem(schema?.items, [])).toEqual({ item: "", count: 1 });
    expect(new FieldSchemas(createEditorFormat([Inventory])).of(Inventory, "slots")).toBeUndefined();
  });

  it("reaches an editor that has the component as data", () => {
    const described = JSON.parse(JSON.stringify(describeComponent(Inventory, format)));
    const known = componentFrom(described);
    const schema = new FieldSchemas(createEditorFormat([known])).of(known, "slots");
    const form = formOf(schema?.items, { item: "axe", count: 2 });
    expect(form.kind === "group" && form.members.map(({ name }) => name)).toEqual(["item", "count"]);
    expect(JSON.parse(JSON.stringify(describeComponent(known)))).toEqual(described);
  });

  it("keeps the storage of a component that is sent as data", () => {
    const Look = component("Look", { sprite: string("tank") }, { storage: shared });
    const described = JSON.parse(JSON.stringify(describeComponent(Look)));
    expect(componentFrom(described).storage).toBe("shared");
  });
});

describe("commands inside a field", () => {
  const circle = (radius: number) => ({ type: "circle", radius });
  const open = () => {
    const document = openDocument(
      createEditorFormat(),
      JSON.stringify({
        entities: [
          { id: "a", components: { Collider: { shapes: [circle(1), circle(2), circle(3)] } } },
          { id: "b", components: { Collider: { shapes: [circle(9)] } } },
          { id: "c" },
        ],
      }),
    );
    const entities = ["a", "b", "c"].map((id) => document.scene!.entity(id));
    const radii = (k: number) =>
      (document.world.get(entities[k]!, Collider)?.shapes ?? []).map(
        (one) => (one as { radius?: number }).radius,
      );
    const at = (...path: (string | number)[]) => ({ component: Collider, field: "shapes", path });
    return { document, entities, radii, at };
  };

  it("write one path of each entity that has it, and leave the rest", () => {
    const { document, entities, radii, at } = open();
    setInside(document, entities, at(1, "radius"), 20);
    expect([radii(0), radii(1)]).toEqual([[1, 20, 3], [9]]);
    expect(document.history.undoLabels).toEqual(["Set Collider.shapes[1].radius"]);
    document.undo();
    expect(radii(0)).toEqual([1, 2, 3]);
  });

  it("add, move and remove items and members, each as one step that can be undone", () => {
    const { document, entities, radii, at } = open();
    const start = document.save();
    insertItems(document, entities, at(), [circle(5)]);
    expect([radii(0), radii(1)]).toEqual([
      [1, 2, 3, 5],
      [9, 5],
    ]);
    moveItems(document, entities.slice(0, 1), at(), 3, 0);
    expect(radii(0)).toEqual([5, 1, 2, 3]);
    removeItems(document, entities.slice(0, 1), at(), 1, 2);
    expect(radii(0)).toEqual([5, 3]);
    setInside(document, entities, at(0, "density"), 4);
    removeMember(document, entities, at(0, "density"));
    expect(document.history.undoLabels).toHaveLength(5);
    document.jumpTo(0);
    expect(document.save()).toBe(start);
  });

  it("give groups another form, each with what it had", () => {
    const { document, entities, at } = open();
    setTag(document, entities, at(0), shape, { name: "type", values: [] }, "capsule");
    const first = entities.slice(0, 2).map((entity) => document.world.get(entity, Collider)?.shapes[0]);
    expect(first).toMatchObject([
      { type: "capsule", radius: 1 },
      { type: "capsule", radius: 9 },
    ]);
  });

  it("join the changes of one gesture", () => {
    const { document, entities, radii, at } = open();
    for (const radius of [4, 5, 6]) setInside(document, entities, at(0, "radius"), radius, { key: "scrub" });
    expect([radii(0)[0], radii(1)[0]]).toEqual([6, 6]);
    expect(document.history.undoLabels).toHaveLength(1);
  });

  it("are refused as a whole where one value does not fit", () => {
    const { document, entities, radii, at } = open();
    expect(() => setInside(document, entities, at(0, "radius"), -1)).toThrow(/radius must not be negative/);
    expect([radii(0), radii(1)]).toEqual([[1, 2, 3], [9]]);
    expect(document.history.undoLabels).toEqual([]);
  });
});
