/** What a client may write, value by value: the server and a predicting client read the same. */
import { InvalidReplicationError, replicate } from "@espalier/colyseus";
import { bool, component, enumOf, f32, i8 } from "espalier";
import { expect, test } from "vitest";
import { initialValues, valuesOf } from "../src/input-values.ts";

const Steer = component("Steer", {
  turn: f32(0.5),
  gear: i8(1),
  fires: bool(),
  tool: enumOf("drill", "laser"),
});
const { inputPlan } = replicate({ components: [], input: Steer });

test("a value that its field cannot hold is the default", () => {
  const initial = { turn: 0.5, gear: 1, fires: false, tool: "drill" };
  expect(initialValues(inputPlan)).toEqual(initial);
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, "1", null, undefined, {}, []]) {
    expect(valuesOf(inputPlan, { turn: wrong, gear: wrong, fires: wrong, tool: wrong })).toEqual(initial);
  }
  expect(valuesOf(inputPlan, { turn: 1e39, gear: 1.5, fires: 1, tool: 7 })).toMatchObject({
    gear: 1,
    fires: false,
    tool: "drill",
  });
  expect(valuesOf(inputPlan, { turn: -2, gear: -128, fires: true, tool: 1 })).toEqual({
    turn: -2,
    gear: -128,
    fires: true,
    tool: "laser",
  });
});

test("minus zero is a number like others", () => {
  expect(valuesOf(inputPlan, { turn: -0 }).turn).toBe(-0);
});

test("names of built-in properties are not fields", () => {
  expect(() => replicate({ components: [], input: Steer, bounds: { toString: true } as never })).toThrowError(
    InvalidReplicationError,
  );
});
