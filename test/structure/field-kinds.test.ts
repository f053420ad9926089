/**
 * Two rules of the source: the behaviour of a kind of field is in one folder, and generated code in one file.
 */
import { describe, expect, it } from "vitest";
import { packageSources, read, repositoryFiles } from "./source-files.ts";

const ecs = "packages/espalier/src/ecs";

/** The names of all kinds, from the list itself. */
function kinds(): string[] {
  const [list] = read([`${ecs}/field-types/list.ts`]);
  const names = [...(list?.text ?? "").matchAll(/^ {2}(\w+): \w+Type,$/gm)].map(([, name]) => name as string);
  expect(names).toContain("f32");
  return names;
}

describe("a kind of field", () => {
  it("is compared by name in no file outside the folder of the kinds", () => {
    // These are also names of JavaScript types or of what users see in a field.
    const shared = ["string", "object", "entity", "entities"];
    const own = kinds().filter((name) => !shared.includes(name));
    const compared = new RegExp(
      `(?<!typeof )\\bkind [!=]== "(object|entity|${own.join("|")})"|case "(${own.join("|")})":`,
    );
    const found = packageSources()
      .filter(({ path, text }) => !path.startsWith(`${ecs}/field-types/`) && compared.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it("has a file of its own, and nothing else in the folder is longer than 150 lines", () => {
    const files = read(repositoryFiles().filter((path) => path.startsWith(`${ecs}/field-types/`)));
    const text = files.map((file) => file.text).join("\n");
    for (const kind of kinds()) expect(text).toMatch(new RegExp(`export const ${kind}Type:`));
    const long = files.filter((file) => file.text.split("\n").length > 150);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe("code from text", () => {
  it("is made in one file and used by two: components and queries", () => {
    const sources = packageSources();
    const makers = sources.filter(({ text }) => /new Function\b|\beval\(/.test(text));
    expect(makers.map(({ path }) => path)).toEqual([`${ecs}/components/generate.ts`]);
    const users = sources.filter(({ text }) =>
      /import \{[^}]*\b(compile|evaluateIn)\b[^}]*\} from "[./a-z]*generate\.ts"/.test(text),
    );
    expect(users.map(({ path }) => path).sort()).toEqual([
      `${ecs}/components/component-code.ts`,
      `${ecs}/queries/loop.ts`,
    ]);
  });
});
