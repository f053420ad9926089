import { bool, type Field, f32, string } from "espalier";
import { describe, expect, it } from "vitest";
import { pairsOf, stemOf } from "../src/document/values/field-pairs.ts";
import type { FieldState } from "../src/document/values/field-values.ts";

const state = (name: string, value: unknown = 0, field: Field = f32()): FieldState => ({
  name,
  field,
  value,
  isMixed: false,
  values: [value],
});

/** The names of rows; those of a pair together. */
const rows = (...states: FieldState[]) =>
  pairsOf(states).map((row) => ("name" in row ? row.name : row.map(({ name }) => name).join(" & ")));

describe("fields that are coordinates of one thing", () => {
  it("share a row when they are two numbers or two flags, one behind the other", () => {
    expect(rows(state("x"), state("y"))).toEqual(["x & y"]);
    expect(rows(state("alpha"), state("anchorX"), state("anchorY"), state("angle"))).toEqual([
      "alpha",
      "anchorX & anchorY",
      "angle",
    ]);
    expect(rows(state("flipX", true, bool()), state("flipY", false, bool()))).toEqual(["flipX & flipY"]);
    expect(stemOf("anchorX")).toBe("anchor");
    expect(stemOf("x")).toBe("");
  });

  it("have their own rows in 3D, with other kinds, or apart", () => {
    expect(rows(state("x"), state("y"), state("z"))).toEqual(["x", "y", "z"]);
    expect(rows(state("sizeX"), state("sizeY"), state("sizeZ"))).toEqual(["sizeX", "sizeY", "sizeZ"]);
    expect(rows(state("textX", "a", string()), state("textY", "b", string()))).toEqual(["textX", "textY"]);
    expect(rows(state("scaleX"), state("alpha"), state("scaleY"))).toEqual(["scaleX", "alpha", "scaleY"]);
    expect(rows(state("scaleX"), state("flipY", false, bool()))).toEqual(["scaleX", "flipY"]);
    // A word that ends with the letter is no axis.
    expect(rows(state("max"), state("may"))).toEqual(["max", "may"]);
    expect(rows(state("x"))).toEqual(["x"]);
  });
});
