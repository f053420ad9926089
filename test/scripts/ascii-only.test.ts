import { describe, expect, it } from "vitest";
import { escapeBeyondAscii } from "../../scripts/ascii-only.mjs";

describe("the build", () => {
  it("writes characters beyond ASCII as escapes that mean the same", () => {
    const source = '["…", `1→é😀`, /[└─]/u.test("─"), "plain"]';
    const escaped = escapeBeyondAscii(source);
    expect(escaped).toBe(
      '["\\u2026", `1\\u2192\\u00e9\\ud83d\\ude00`, /[\\u2514\\u2500]/u.test("\\u2500"), "plain"]',
    );
    // biome-ignore lint/security/noGlobalEval: the text is the test's own
    expect(eval(escaped)).toEqual(["…", "1→é😀", true, "plain"]);
  });
});
