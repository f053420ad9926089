import { describe, expect, it } from "vitest";
import { mayImport } from "../structure/rooms.ts";
import { packageSources, read } from "../structure/source-files.ts";
import { documents, snippetsOf } from "./documents.ts";
import { codesIn, pageOf } from "./error-codes.ts";
import { runSnippet } from "./snippet-checks.ts";

/** Packages that have errors of their own. */
const packages = ["colyseus", "collab"];
const rooms = [...Object.keys(mayImport), ...packages];
const uses = packageSources().flatMap((file) => codesIn(file, rooms));
const isErrorsFile = (path: string, code: string) => {
  const room = code.split("/")[0] as string;
  return (
    path ===
    (packages.includes(room) ? `packages/${room}/src/errors.ts` : `packages/espalier/src/${room}/errors.ts`)
  );
};
/** What takes a server: the tests of the package run these pages. */
const needsServer = ["colyseus/invalid-input", "colyseus/mismatch"];
const codes = [
  ...new Set(uses.filter(({ path, code }) => isErrorsFile(path, code)).map(({ code }) => code)),
].sort();
/** What helps while a program is written, and protects nothing: see docs/guide/builds.md. */
const onlyInDevelopment = ["ecs/invalid-option"];
const isProduction = process.env.ESPALIER_TARGET === "production";
const pages = documents().filter((path) => path.startsWith("docs/errors/") && !path.endsWith("/index.md"));

describe("error codes", () => {
  it("are all listed in the errors.ts of their room", () => {
    const strays = uses.filter(({ code }) => !codes.includes(code) && !isFinding(code));
    expect(strays.map(({ path, line, code }) => `${path}:${line}: ${code}`)).toEqual([]);
  });

  it("are in the guide to testing where they are findings of checkWorld, which nothing throws", () => {
    const { text } = read(["docs/guide/testing.md"])[0]!;
    const findings = uses.map(({ code }) => code).filter(isFinding);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });

  it("have a page each, and every page has a code", () => {
    expect([...pages].sort()).toEqual(codes.map(pageOf).sort());
  });

  for (const code of codes.filter((code) => pages.includes(pageOf(code)))) {
    it.skipIf((isProduction && onlyInDevelopment.includes(code)) || needsServer.includes(code))(
      `have a page with the code as title, a broken and a fixed example: ${code}`,
      async () => {
        const page = pageOf(code);
        expect(read([page])[0]!.text.split("\n")[0]).toBe(`# ${code}`);
        const runnable = snippetsOf(page).filter((snippet) => snippet.run);
        const codesThrown: unknown[][] = [];
        for (const snippet of runnable) {
          const { thrown } = await runSnippet(snippet);
          codesThrown.push(thrown.map((error) => (error as { code?: unknown }).code));
        }
        const throwing = codesThrown.filter((seen) => seen.includes(code));
        expect(throwing.length, "snippets that announce and throw the code").toBeGreaterThanOrEqual(1);
        expect(codesThrown.length - throwing.length, "snippets that run without it").toBeGreaterThanOrEqual(
          1,
        );
      },
    );
  }
});

describe("codesIn", () => {
  it("finds codes in values and types, and nothing that only looks like one", () => {
    const text = [
      `import { x } from "ecs/index";`,
      `export type Code = "ecs/dead-entity" | "hierarchy/cycle";`,
      "throw new EcsError(`ecs/unknown-component`, text);",
      `const no = ["ecs/Dead", "ecs/", "render/x-y", "see ecs/dead-entity", "a/ecs/b"];`,
      `// "ecs/in-a-comment"`,
    ].join("\n");
    const found = codesIn({ path: "packages/espalier/src/ecs/errors.ts", text }, ["ecs", "hierarchy"]);
    expect(found.map(({ code, line }) => `${line} ${code}`)).toEqual([
      "2 ecs/dead-entity",
      "2 hierarchy/cycle",
      "3 ecs/unknown-component",
    ]);
  });
});

/** Whether it is the code of something that `checkWorld` lists. */
function isFinding(code: string): boolean {
  return code.endsWith("/inconsistent") || code === "ecs/failed-check";
}
