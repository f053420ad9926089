import { describe, expect, it } from "vitest";
import { dropImplements } from "../../scripts/without-implements.mjs";

describe("dropImplements", () => {
  it("drops what classes implement and nothing else", () => {
    const text = [
      "export declare class A<T extends { a: 1 }> extends B<T> implements C<{ b: 2 }>, D {",
      "    implements: string;",
      "}",
      "declare abstract class E implements F { }",
      "/** A class that implements nothing. */",
      "interface G extends H { }",
    ];
    expect(dropImplements(text.join("\n")).split("\n")).toEqual([
      "export declare class A<T extends { a: 1 }> extends B<T> {",
      text[1],
      text[2],
      "declare abstract class E { }",
      ...text.slice(4),
    ]);
  });
});
