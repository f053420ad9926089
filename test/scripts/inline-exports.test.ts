import { describe, expect, it } from "vitest";
import { inlineExports } from "../../scripts/inline-exports.mjs";

const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

describe("inline exports", () => {
  it("stand before what they export, in place of a list", () => {
    const code = `
function a() {}
var B = class {};
const c = 1;
export { a, B, c };
`;
    expect(lines(inlineExports(code))).toEqual([
      "export function a() {}",
      "export var B = class {};",
      "export const c = 1;",
    ]);
  });

  it("pass on what a module only imports, and keep importing what it uses", () => {
    const code = `
import { a, b$1 as b, used } from "./a.mjs";
used();
export { a, b as other, used };
`;
    expect(lines(inlineExports(code))).toEqual([
      `export { a, b$1 as other } from "./a.mjs";`,
      `import { used } from "./a.mjs";`,
      "used();",
      "export { used };",
    ]);
  });

  it("leave what has another name outside, or is declared beside something private, in the list", () => {
    const code = `
function a() {}
const b = 1, c = 2;
export { a as other, b };
`;
    expect(lines(inlineExports(code))).toEqual([
      "function a() {}",
      "const b = 1, c = 2;",
      "export { a as other, b };",
    ]);
  });

  it("leave a module alone that exports something twice", () => {
    const code = "function a() {}\nexport { a, a as b };\n";
    expect(inlineExports(code)).toBe(code);
  });
});
