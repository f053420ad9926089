import { Shape } from "espalier/render";
import { Transform3D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import {
  grown,
  overlaps,
  rectBetween,
  subtreeBounds,
  transformedRect,
  union,
  worldBounds,
} from "../src/document/space/bounds.ts";
import { localBounds, valuesOf } from "../src/document/space/drawn.ts";
import { keepWorlds, putAt, worldTransform } from "../src/document/space/keep-worlds.ts";
import { at, open } from "./open.ts";

const scene = (components: object) =>
  open(JSON.stringify({ entities: [{ id: "a", components: { Transform2D: { x: 10 }, ...components } }] }));
const boundsOf = (components: object) => {
  const document = scene(components);
  document.textureSize = () => ({ width: 40, height: 20 });
  document.textWidth = (line) => line.length * 10;
  return localBounds(document, at(document, "a"));
};

describe("what is drawn of an entity", () => {
  it("is the rectangle of its shape, with half of the line around it", () => {
    expect(boundsOf({ Shape: { width: 30, height: 10, strokeWidth: 4 } })).toEqual({
      left: -17,
      right: 17,
      top: -7,
      bottom: 7,
    });
    expect(boundsOf({ Shape: { kind: "circle", radius: 5 } })).toMatchObject({ left: -5, bottom: 5 });
    expect(boundsOf({ Shape: { kind: "polygon", points: [0, 0, 8, 2, -3, 9] } })).toEqual({
      left: -3,
      right: 8,
      top: 0,
      bottom: 9,
    });
  });

  it("is computed for a line with more points than a call has arguments", () => {
    const points = Array.from({ length: 400_000 }, (_, k) => k % 7);
    const document = scene({ Shape: { kind: "polygon" } });
    document.world.set(at(document, "a"), Shape, { points });
    expect(localBounds(document, at(document, "a"))).toEqual({ left: 0, right: 6, top: 0, bottom: 6 });
  });

  it("follows the anchor of a sprite and the longest line of a text", () => {
    expect(boundsOf({ Sprite: { texture: "x", anchorX: 0, anchorY: 1 } })).toEqual({
      left: -0,
      right: 40,
      top: -20,
      bottom: 0,
    });
    const text = boundsOf({ TextBlock: { text: "ab\nabcd", size: 10, lineHeight: 1.5 } })!;
    expect(text.right - text.left).toBe(40);
    expect(text.bottom - text.top).toBe(30);
  });

  it("is nothing without a drawing, and values are found by name", () => {
    expect(boundsOf({})).toBeUndefined();
    const document = scene({ Health: { hp: 3 } });
    expect(valuesOf(document, at(document, "a"), "Health")).toEqual({ hp: 3 });
    expect(valuesOf(document, at(document, "a"), "Shape")).toBeUndefined();
    expect(valuesOf(document, at(document, "a"), "Nothing")).toBeUndefined();
  });
});

describe("rectangles", () => {
  it("hold all corners under a matrix", () => {
    const turned = transformedRect(
      { left: -2, right: 2, top: -1, bottom: 1 },
      { a: 0, b: 1, c: -1, d: 0, x: 10, y: 20 },
    );
    expect(turned).toEqual({ left: 9, right: 11, top: 18, bottom: 22 });
  });

  it("are joined, grown, compared and made of two points", () => {
    const a = rectBetween({ x: 5, y: 1 }, { x: 0, y: 3 });
    expect(a).toEqual({ left: 0, right: 5, top: 1, bottom: 3 });
    expect(union(undefined, a)).toBe(a);
    expect(union(a, grown(a, 2))).toEqual({ left: -2, right: 7, top: -1, bottom: 5 });
    expect([overlaps(a, grown(a, 1)), overlaps(a, { left: 6, right: 7, top: 0, bottom: 9 })]).toEqual([
      true,
      false,
    ]);
  });

  it("of a subtree hold everything in it; of an entity without a drawing they are a point", () => {
    const document = open();
    const { x, y } = document.space.worldPosition(at(document, "sky"));
    expect(worldBounds(document, at(document, "sky"))).toEqual({ left: x, right: x, top: y, bottom: y });
    const all = subtreeBounds(document, [at(document, "level")])!;
    const door = worldBounds(document, at(document, "door"));
    expect(union(all, door)).toEqual(all);
    expect(subtreeBounds(document, [])).toBeUndefined();
  });
});

describe("keeping world transforms", () => {
  it("holds over several changes of the tree, and skips entities without a transform", () => {
    const document = open();
    const { tree, space } = document;
    const [door, coin, folder] = ["door", "coin", "folder"].map((id) => at(document, id));
    const before = [door!, coin!].map((entity) => space.worldPosition(entity));
    keepWorlds(document, [door!, coin!, folder!], () => {
      tree.attach(door!, coin!);
      tree.attach(coin!, at(document, "tree"));
    });
    for (const [k, entity] of [door!, coin!].entries()) {
      expect(space.worldPosition(entity).x).toBeCloseTo(before[k]!.x, 3);
      expect(space.worldPosition(entity).y).toBeCloseTo(before[k]!.y, 3);
    }
  });

  it("gives positions in 3D, and none for a folder", () => {
    const document = open(
      `{ "entities": [{ "id": "a", "components": { "Transform3D": { "x": 1, "z": 3 } } }, { "id": "b" }] }`,
    );
    const transform = worldTransform(document, at(document, "a"))!;
    expect(transform.kind).toBe("3d");
    document.space3D!.setPosition(at(document, "a"), 0, 0, 0);
    putAt(document, at(document, "a"), transform);
    expect(document.world.get(at(document, "a"), Transform3D)).toMatchObject({ x: 1, z: 3 });
    expect(worldTransform(document, at(document, "b"))).toBeUndefined();
  });
});
