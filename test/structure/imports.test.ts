import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cyclesAmong, importsOf } from "./imports.ts";
import { brokenRules, mayDepend, mayImport } from "./rooms.ts";
import { packageSources, read, repositoryFiles, root } from "./source-files.ts";

const isFile = (path: string) => existsSync(join(root, path));

describe("the library source", () => {
  const library = packageSources().filter((file) => file.path.startsWith("packages/espalier/src/"));

  it("is found", () => {
    expect(library.map((file) => file.path)).toContain("packages/espalier/src/ecs/index.ts");
  });

  it("imports other rooms only downwards and only through their index", () => {
    expect(library.flatMap((file) => brokenRules(file, isFile))).toEqual([]);
  });

  it("has the same rooms in the table as in the exports of its package.json", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "packages/espalier/package.json"), "utf8"));
    // `ecs` is the entry `espalier` itself; a part of a room that stands on a library has an entry of its own.
    const rooms = [...Object.keys(mayImport).filter((room) => room !== "ecs"), ...Object.keys(mayDepend)];
    const folders = rooms.filter((room) => isFile(`packages/espalier/src/${room}/index.ts`));
    const paths = new Set([".", ...folders.map((room) => `./${room}`), "./package.json"]);
    expect(Object.keys(exports).sort()).toEqual([...paths].sort());
  });
});

describe("docs/architecture.md", () => {
  it("shows the table that is checked", () => {
    const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const table = text.split("## Which room may import which")[1]!.split("\n## ")[0]!;
    const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, room, below]) => [
      room,
      [...below!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ]);
    expect(Object.fromEntries(rows)).toEqual(mayImport);
  });
});

describe("all packages", () => {
  it("have no import cycle", () => {
    expect(cyclesAmong(packageSources()).map((cycle) => cycle.join(" > "))).toEqual([]);
  });
});

describe("what stands outside the library", () => {
  it("imports it by public name, never by path", () => {
    const outside = repositoryFiles().filter(
      (path) => /\.(ts|tsx|mts|mjs|js)$/.test(path) && !path.startsWith("packages/espalier/src/"),
    );
    const intoSource = read(outside)
      .flatMap(importsOf)
      .filter(({ to, specifier }) =>
        to === undefined
          ? specifier.startsWith("espalier/src") || specifier.startsWith("espalier/dist")
          : to.startsWith("packages/espalier/src/"),
      );
    expect(intoSource.map(({ from, line, specifier }) => `${from}:${line}: ${specifier}`)).toEqual([]);
  });
});

describe("importsOf", () => {
  it("sees every way of importing, with its line", () => {
    const text = [
      `import a from "./a.ts";`,
      `import type { B } from "./b.ts";`,
      `export * from "./c.ts";`,
      `export type { D } from "./d.ts";`,
      `const e = await import("./e.ts");`,
      `let f: import("./f.ts").F;`,
      `import g = require("./g.ts");`,
      `require("./h.ts");`,
      `import "./i.ts";`,
      `import(a + "x");`,
      `import { z } from "zod";`,
    ].join("\n");
    const found = importsOf({ path: "packages/p/src/room/file.ts", text });
    expect(found.map(({ line, to, specifier }) => `${line} ${to ?? specifier}`)).toEqual([
      "1 packages/p/src/room/a.ts",
      "2 packages/p/src/room/b.ts",
      "3 packages/p/src/room/c.ts",
      "4 packages/p/src/room/d.ts",
      "5 packages/p/src/room/e.ts",
      "6 packages/p/src/room/f.ts",
      "7 packages/p/src/room/g.ts",
      "8 packages/p/src/room/h.ts",
      "9 packages/p/src/room/i.ts",
      "10 ?",
      "11 zod",
    ]);
  });

  it("is not misled by comments, strings and exports without a source", () => {
    const text = `// import "./a.ts";\nconst s = 'import "./b.ts"';\n/** {@link import("./c.ts")} */\nexport { s };`;
    expect(importsOf({ path: "a.ts", text })).toEqual([]);
  });
});

describe("cyclesAmong", () => {
  const files = (imports: Record<string, string[]>) =>
    Object.entries(imports).map(([path, targets]) => ({
      path: `${path}.ts`,
      text: targets.map((target) => `import type { X } from "./${target}.ts";`).join("\n"),
    }));

  it("finds a cycle through several files, even of types only", () => {
    const cycles = cyclesAmong(files({ a: ["b"], b: ["c"], c: ["d", "b"], d: [] }));
    expect(cycles).toEqual([["b.ts", "c.ts", "b.ts"]]);
  });

  it("finds a file that imports itself", () => {
    expect(cyclesAmong(files({ a: ["a"] }))).toEqual([["a.ts", "a.ts"]]);
  });

  it("finds two separate cycles", () => {
    const cycles = cyclesAmong(files({ a: ["b"], b: ["a"], c: ["d", "a"], d: ["c"] }));
    expect(cycles).toEqual([
      ["a.ts", "b.ts", "a.ts"],
      ["c.ts", "d.ts", "c.ts"],
    ]);
  });

  it("accepts a diamond and a file that does not exist", () => {
    expect(cyclesAmong(files({ a: ["b", "c"], b: ["d"], c: ["d", "gone"], d: [] }))).toEqual([]);
  });
});

describe("brokenRules", () => {
  const check = (path: string, specifier: string) =>
    brokenRules(
      { path: `packages/espalier/src/${path}`, text: `import type { X } from "${specifier}";` },
      (file) => file.endsWith(".ts"),
    ).map((problem) => problem.replace("packages/espalier/src/", ""));

  it("accepts a room's own files and the index of a room below", () => {
    expect(check("hierarchy/links.ts", "./errors.ts")).toEqual([]);
    expect(check("hierarchy/links.ts", "../ecs/index.ts")).toEqual([]);
    expect(check("index.ts", "./scene/index.ts")).toEqual([]);
  });

  it("refuses a room above", () => {
    expect(check("ecs/world.ts", "../hierarchy/index.ts")).toEqual([
      'ecs/world.ts:1: "../hierarchy/index.ts" points the wrong way: ecs may import no other room.',
    ]);
    expect(check("hierarchy/links.ts", "../inherit/index.ts")).toEqual([
      'hierarchy/links.ts:1: "../inherit/index.ts" points the wrong way: hierarchy may import ecs.',
    ]);
  });

  it("refuses the inside of a room below", () => {
    expect(check("hierarchy/links.ts", "../ecs/world.ts")).toEqual([
      'hierarchy/links.ts:1: "../ecs/world.ts" reaches inside ecs; import ecs/index.ts.',
    ]);
    expect(check("index.ts", "./ecs/world.ts")).toEqual([
      'index.ts:1: "./ecs/world.ts" reaches inside ecs; import ecs/index.ts.',
    ]);
  });

  it("refuses packages, public names, the package entry, missing files and files outside", () => {
    expect(check("ecs/world.ts", "zod")).toHaveLength(1);
    expect(check("hierarchy/links.ts", "espalier")).toHaveLength(1);
    expect(check("ecs/world.ts", "../index.ts")).toHaveLength(1);
    expect(check("ecs/world.ts", "./entity")).toHaveLength(1);
    expect(check("ecs/world.ts", "../../test/testing.ts")).toHaveLength(1);
  });

  it("refuses a file outside the rooms and a room that is not in the table", () => {
    expect(check("shared.ts", "./ecs/index.ts")).toHaveLength(1);
    expect(check("utils/math.ts", "./other.ts")).toHaveLength(1);
  });
});
