import { describe, expect, it } from "vitest";
import { minifiedCode } from "../../scripts/minify.mjs";

const source = `
import { requireAlive } from "./alive.mjs";
const limits = /* @__PURE__ */ makeLimits(3);
function makeLimits(count) {
  return new Array(count).fill(0);
}
var Inside = class {};
function refuse(reason) {
  throw new Error(reason);
}
/** Counts. */
export class Counter {
  total = 0;
  addTwice(amount) {
    requireAlive(amount);
    if (amount < 0) refuse(new Inside());
    const doubled = amount + amount;
    this.total += doubled;
    return doubled;
  }
}
export { limits };
`;

describe("minified code", () => {
  it("keeps the names of classes, methods, properties, imports and exports, and of functions that throw", async () => {
    const code = await minifiedCode(source);
    for (const name of ["Counter", "addTwice", "total", "requireAlive", "refuse", "limits", "Inside"])
      expect(code).toContain(name);
    for (const name of ["makeLimits", "amount", "doubled", "count", "reason", "Counts"])
      expect(code).not.toContain(name);
  });

  it("has a line for each statement", async () => {
    const lines = (await minifiedCode(source)).split("\n");
    expect(lines.some((line) => /^this\.total\+=\w$/.test(line))).toBe(true);
    expect(lines.some((line) => /^return \w\}/.test(line))).toBe(true);
  });

  it("still says which calls may be dropped when their result is not used", async () => {
    expect(await minifiedCode(source)).toMatch(/\/\*\s*[@#]__PURE__\s*\*\/\s*\w+\(3\)/);
  });
});
