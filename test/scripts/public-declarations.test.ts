import { describe, expect, it } from "vitest";
import { publicPart } from "../../scripts/public-declarations.mjs";

describe("publicPart", () => {
  it("drops what classes implement", () => {
    const text = [
      "export declare class A<T extends { a: 1 }> extends B<T> implements C<{ b: 2 }>, D {",
      "    implements: string;",
      "}",
      "declare abstract class E implements F { }",
      "/** A class that implements nothing. */",
      "interface G extends H { }",
    ];
    expect(publicPart(text.join("\n")).split("\n")).toEqual([
      "export declare class A<T extends { a: 1 }> extends B<T> {",
      text[1],
      text[2],
      "declare abstract class E { }",
      ...text.slice(4),
    ]);
  });

  it("drops members marked @internal, with their comments, and keeps exports marked so", () => {
    const text = [
      "/** @internal */",
      "export declare class A {",
      "    /** @internal */",
      "    constructor(x: number);",
      "    /** For users. */",
      "    b(): void;",
      "    /** What rooms use. @internal */",
      "    readonly c: { d: string };",
      "}",
      "/** @internal */",
      "export declare function e(a: A): void;",
      "export interface F {",
      "    /** @internal */",
      "    g?: string;",
      "    h: string;",
      "}",
    ];
    expect(publicPart(text.join("\n")).split("\n")).toEqual([
      "/** @internal */",
      "export declare class A {",
      "    /** For users. */",
      "    b(): void;",
      "}",
      "/** @internal */",
      "export declare function e(a: A): void;",
      "export interface F {",
      "    h: string;",
      "}",
    ]);
  });

  it("puts one name in place of all private and protected members, and keeps constructors", () => {
    const text = [
      "declare class A {",
      "    /** Kept where it is. */",
      "    readonly a: number;",
      "    /** How it is done. */",
      "    private readonly b;",
      "    private c(): void;",
      "    #d;",
      "    protected e: string;",
      "    private constructor();",
      "}",
      "declare class F {",
      "    private g;",
      "}",
    ];
    expect(publicPart(text.join("\n")).split("\n")).toEqual([
      "declare class A {",
      "    /** Kept where it is. */",
      "    readonly a: number;",
      "  #private;",
      "    private constructor();",
      "}",
      "declare class F {",
      "  #private;",
      "}",
    ]);
  });
});
