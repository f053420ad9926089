import { describe, expect, it } from "vitest";
import { compact } from "../../scripts/compact-declarations.mjs";

const text = (...lines: string[]) => `${lines.join("\n")}\n`;

describe("compact declarations", () => {
  it("have a paragraph of a comment in one line, and keep lists, code and tags apart", () => {
    const code = text(
      "/**",
      " * Moves it, with",
      " * everything below.",
      " *",
      " * - one",
      " *   and more",
      " * - two",
      " *",
      " * ```ts",
      " * a();",
      " * b();",
      " * ```",
      " *",
      " * @param at - Where,",
      " *   counted from 0.",
      " * @throws MoveError",
      " */",
      "declare function move(at: number): void;",
    );
    expect(compact(code)).toBe(
      text(
        "/**",
        " * Moves it, with everything below.",
        " *",
        " * - one and more",
        " * - two",
        " *",
        " * ```ts",
        " * a();",
        " * b();",
        " * ```",
        " *",
        " * @param at - Where, counted from 0.",
        " * @throws MoveError",
        " */",
        "declare function move(at: number): void;",
      ),
    );
  });

  it("have no examples, and what follows them stays", () => {
    const code = text(
      "interface A {",
      "  /**",
      "   * Says it.",
      "   *",
      "   * @example",
      "   * ```ts",
      "   * @decorated()",
      "   * say();",
      "   * ```",
      "   * @returns Nothing.",
      "   */",
      "  say(): void;",
      "  /**",
      "   * Short.",
      "   * @example",
      "   * say();",
      "   */",
      "  b: string;",
      "}",
    );
    expect(compact(code)).toBe(
      text(
        "interface A {",
        "  /**",
        "   * Says it.",
        "   *",
        "   * @returns Nothing.",
        "   */",
        "  say(): void;",
        "  /** Short. */",
        "  b: string;",
        "}",
      ),
    );
  });

  it("pass names on in one list when they declare nothing themselves", () => {
    const code = text(
      `import { A, B$1 as B, C } from "./a.mjs";`,
      `import { D } from "./d.mjs";`,
      `export { type A, B, C as E, D };`,
    );
    expect(compact(code)).toBe(
      text(`export { type A, B$1 as B, C as E } from "./a.mjs";`, `export { D } from "./d.mjs";`),
    );
  });

  it("are left alone where they import for a declaration of their own", () => {
    const code = text(`import { A } from "./a.mjs";`, "declare const a: A;", "export { A, a };");
    expect(compact(code)).toBe(code);
  });
});
