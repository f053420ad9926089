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
});
