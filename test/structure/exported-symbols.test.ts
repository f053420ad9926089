import { describe, expect, it } from "vitest";
import { readSurface } from "./exported-symbols.ts";

const { symbols, globals } = readSurface();

describe("every exported name", () => {
  it("differs from the globals of ECMAScript and the DOM, so that editors offer its import", () => {
    expect(globals.has("print") && globals.has("Text") && globals.has("Map")).toBe(true);
    expect(
      symbols.filter(({ name }) => globals.has(name)).map(({ entry, name }) => `${entry} ${name}`),
    ).toEqual([]);
  });
});
