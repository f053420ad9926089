import * as ecs from "espalier";
import { describeValue } from "espalier";
import { describe, expect, it } from "vitest";

const classes = Object.entries(ecs).filter(
  ([name, value]) => name.endsWith("Error") && typeof value === "function",
) as unknown as [string, new (...args: unknown[]) => ecs.EspalierError][];

describe("every error", () => {
  it.each(classes)(
    "%s is an EspalierError with its own name and a code at the end of its text",
    (name, Class) => {
      const error = new Class("it", [], [], "cause", "text");
      expect(error).toBeInstanceOf(Error);
      expect(error).toBeInstanceOf(ecs.EspalierError);
      expect(error.name).toBe(name);
      if (name !== "EspalierError") expect(error.code).toMatch(/^ecs\/[a-z]+(-[a-z]+)*$/);
      expect(error.message.endsWith(` [${error.code}]`)).toBe(true);
      expect(Array.isArray(error.entities)).toBe(true);
    },
  );

  it("has a code of its own", () => {
    const codes = classes
      .filter(([name]) => name !== "EspalierError")
      .map(([, Class]) => new Class("it", [], [], "cause", "text").code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("that is internal asks for a report", () => {
    expect(new ecs.InternalError("Two and two are five.").message).toBe(
      "Two and two are five. This is a fault in Espalier, please report it. [ecs/internal]",
    );
  });
});

describe("describe", () => {
  it("says what a value is without printing all of it", () => {
    const values = [
      `${"a".repeat(99)}b`,
      `${"a".repeat(99)}bc`,
      () => {},
      function named() {},
      [1, 2],
      {},
      null,
      undefined,
      3,
      Symbol("s"),
      5n,
    ];
    expect(values.map(describeValue)).toEqual([
      `"${"a".repeat(99)}b"`,
      `"${"a".repeat(60)}…${"a".repeat(37)}bc"`,
      "function (anonymous)",
      "function named",
      "an array of 2",
      "an object",
      "null",
      "undefined",
      "3",
      "Symbol(s)",
      "5",
    ]);
  });
});
