import { describe, expect, it } from "vitest";
import { packageSources } from "./source-files.ts";

/** A value written into a text as JSON: in a message it could be of any length. */
const quoted = /\$\{[^}]*JSON\.stringify\(/;

describe("every message of the library", () => {
  it("quotes values with describeValue, which shortens them", () => {
    const found = packageSources()
      .filter(({ path }) => path.startsWith("packages/espalier/src/"))
      .flatMap(({ path, text }) =>
        text.split("\n").flatMap((line, k) => (quoted.test(line) ? [`${path}:${k + 1}`] : [])),
      );
    expect(found).toEqual([]);
  });
});
