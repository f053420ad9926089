import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actions } from "../src/shell/actions/actions.ts";
import { english, type TextKey, translator } from "../src/texts.ts";

const source = join(import.meta.dirname, "../src");
const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((name) => /\.tsx?$/.test(name) && !/^texts\b/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));

describe("the texts of the editor", () => {
  it("are in the table: no component contains texts", () => {
    const words = files
      .filter(({ name }) => name.endsWith(".tsx"))
      .flatMap(({ name, text }) => [
        ...[...text.matchAll(/>\s*([^<>{}=;()&|?:]*[A-Za-z]{2,}[^<>{}=;()&|?:]*)\s*<\//g)].map(
          ([, found]) => `${name}: ${found?.trim()}`,
        ),
        ...[...text.matchAll(/\b(?:aria-label|title|placeholder|alt|label)="([^"]*[A-Za-z][^"]*)"/g)].map(
          ([, found]) => `${name}: ${found}`,
        ),
      ]);
    expect(words).toEqual([]);
  });

  it("have no entry that is never used", () => {
    const all = files.map(({ text }) => text).join("\n");
    const ids = new Set<string>(actions.map(({ id }) => `action.${id}`));
    // `mouse.${what}.how` and the like.
    const patterns = [...all.matchAll(/`([\w.]+\.)\$\{[^}]+\}([\w.]*)`/g)].map(
      ([, before, after]) => new RegExp(`^${before}[\\w-]+${after}$`),
    );
    const unused = (Object.keys(english) as TextKey[]).filter(
      (key) => !all.includes(`"${key}"`) && !ids.has(key) && !patterns.some((pattern) => pattern.test(key)),
    );
    expect(unused).toEqual([]);
  });

  it("are taken from a translation, and from English where it has none", () => {
    const t = translator({ "status.entities": "{count} Entitäten" });
    expect(t("status.entities", { count: 3 })).toBe("3 Entitäten");
    expect(t("inspector.none")).toBe("none");
  });
});
