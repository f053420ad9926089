import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicNames } from "../../../scripts/public-names.mjs";
import { coreRooms } from "../../../test/structure/rooms.ts";
import { root } from "../../../test/structure/source-files.ts";
import { installPacked, manifestOf, type Project } from "./packed.ts";

/** What needs no other library and no browser: these load everywhere. */
const names = publicNames()
  .filter(({ entry }) => entry === "index" || coreRooms.includes(entry))
  .map(({ name }) => name);

let project: Project;
beforeAll(() => {
  project = installPacked();
});
afterAll(() => project?.remove());

const read = (file: string) => readFileSync(join(project.dir, "node_modules/espalier", file), "utf8");

describe("the packed library", () => {
  it("contains the builds, the sources, texts, the launcher of the command line, and nothing else", () => {
    const outside = project.files.filter((file) => !/^(dist|docs|src)\//.test(file));
    expect(outside).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "bin/espalier.mjs", "package.json"]);
    const pages = project.files.filter((file) => file.startsWith("docs/"));
    expect(pages).toEqual(
      expect.arrayContaining(["docs/llms.txt", "docs/guide/ecs.md", "docs/errors/ecs.md"]),
    );
    expect(pages.filter((file) => !/\.(md|txt)$/.test(file))).toEqual([
      "docs/images/editor-animated.png",
      "docs/images/salvage.png",
    ]);
    const built = project.files.filter((file) => file.startsWith("dist/"));
    expect(built.filter((file) => !/\.(mjs|mjs\.map|d\.mts)$/.test(file))).toEqual([]);
    expect(built.filter((file) => file.includes("/internal/"))).toEqual([]);
    expect(project.files.filter((file) => /^src\//.test(file) && !/\.(tsx?|md)$/.test(file))).toEqual([]);
  });

  it("has code in ASCII, of which V8 keeps one byte for each character", () => {
    const code = project.files.filter((file) => /^dist\/.*\.mjs$/.test(file));
    expect(code.filter((file) => /[\u0080-\uffff]/.test(read(file)))).toEqual([]);
  });

  it("has source maps that lead to the sources in it", () => {
    const packed = new Set(project.files);
    const maps = project.files.filter((file) => file.endsWith(".map"));
    const sources = maps.flatMap((file) => {
      const map = JSON.parse(read(file)) as { sources: string[]; sourcesContent?: unknown };
      expect(map.sourcesContent, `${file} repeats sources`).toBeUndefined();
      return map.sources.map((source) => posix.join(posix.dirname(file), source));
    });
    expect(new Set(sources).size).toBeGreaterThan(300);
    expect(sources.filter((source) => !packed.has(source))).toEqual([]);
    const code = project.files.filter((file) => file.endsWith(".mjs") && !file.startsWith("bin/"));
    // What has no map has no code: it passes on what other files export.
    for (const file of code.filter((file) => !packed.has(`${file}.map`)))
      expect(
        read(file)
          .replace(/^(import|export) \{.*\}( from ".*")?;$/gm, "")
          .trim(),
        file,
      ).toBe("");
  });

  it("has a stack trace that names functions and, with source maps, lines of the source", () => {
    project.write("trace.mjs", `import { createWorld } from "espalier";\ncreateWorld().get(77);`);
    const { stderr } = spawnSync(process.execPath, ["--enable-source-maps", "trace.mjs"], {
      cwd: project.dir,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/at \S*require \(.*espalier\/src\/ecs\/entities\/entities\.ts:\d+:\d+\)/);
  });

  it("has declarations with doc comments and their examples, and without what is internal", () => {
    const declarations = project.files.filter((file) => file.endsWith(".d.mts"));
    expect(declarations.filter((file) => /^dist\/(development|production)\//.test(file))).toEqual([]);
    const text = declarations.map(read).join("");
    expect(text.match(/@example/g)?.length).toBeGreaterThan(80);
    expect(text).not.toContain("@internal");
  });

  it("depends on nothing but optional peers", () => {
    const { dependencies, optionalDependencies, ...manifest } = manifestOf(project);
    expect({ dependencies, optionalDependencies }).toEqual({});
    const { peerDependencies, peerDependenciesMeta } = manifest as {
      peerDependencies: Record<string, string>;
      peerDependenciesMeta: Record<string, { optional: boolean }>;
    };
    const optional = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional);
    expect(optional).toEqual(Object.keys(peerDependencies));
  });

  it("can be required: the same exports as by import", () => {
    const list = (load: (name: string) => string) =>
      names.map((name) => `[${JSON.stringify(name)}, Object.keys(${load(name)}).sort()]`).join(", ");
    project.write("list.mjs", `console.log(JSON.stringify([${list((name) => `await import("${name}")`)}]))`);
    project.write("list.cjs", `console.log(JSON.stringify([${list((name) => `require("${name}")`)}]))`);
    const asModule = JSON.parse(project.node("list.mjs"));
    expect(JSON.parse(project.node("list.cjs"))).toEqual(asModule);
    expect(asModule).toHaveLength(names.length);
  });

  it("offers its package.json", () => {
    expect(project.node("-p", `require("espalier/package.json").name`).trim()).toBe("espalier");
  });

  it("is accepted by publint", async () => {
    const pkgDir = join(project.dir, "node_modules/espalier");
    const { messages, pkg } = await publint({ pkgDir, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("is accepted by arethetypeswrong", () => {
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    // TypeScript 6 no longer has the resolution that reads no exports, and sub-paths cannot exist in it.
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [attw, project.tarball, "--profile", "esm-only", "--no-color", "--no-emoji"],
      { encoding: "utf8" },
    );
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});

/** What needs no other library, but the types of a page. */
const withPage = ["render", "animation", "canvas", "audio/web", "game"].map((room) => `espalier/${room}`);

/** What type-checks without them. */
const withoutPage = [...names, "espalier/signals", "espalier/physics", "espalier/audio"];

const program = `
const Health = component("Health", { hp: f32(100) });
const world = createWorld();
const tank = world.spawn(Health({ hp: 250 }));
`;

describe("a program that uses the packed library", () => {
  it.each([
    ["an ES module", "use.mjs", `import { component, createWorld, f32 } from "espalier";`],
    ["CommonJS that requires it", "use.cjs", `const { component, createWorld, f32 } = require("espalier");`],
  ])("runs as %s", (_kind, file, imports) => {
    project.write(file, `${imports}${program}console.log(world.isAlive(tank));`);
    expect(project.node(file).trim()).toBe("true");
  });

  it("type-checks with the types of a page: rooms that draw, move and listen", () => {
    const path = project.write("page.ts", withPage.map((name) => `export * from "${name}";`).join("\n"));
    const checked = ts.createProgram([path], {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      types: [],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    });
    const problems = ts.getPreEmitDiagnostics(checked);
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });

  it("needs the types of a page only in the rooms that the guide lists", () => {
    const guide = readFileSync(join(root, "docs/guide/builds.md"), "utf8");
    const listed = /## Types of a page\s+([\s\S]*?) refer to/.exec(guide)?.[1] ?? "";
    const entries = Object.keys(manifestOf(project).exports as object).filter(
      (name) => !name.endsWith(".json"),
    );
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts"],
      types: [],
      strict: true,
      noEmit: true,
    };
    const host = parsingOnce(ts.createCompilerHost(options));
    const needy = entries
      .map((name) => `espalier${name.slice(1)}`)
      .filter((name, index) => {
        const path = project.write(`alone-${index}.ts`, `export * from "${name}";`);
        const checked = ts.createProgram([path], options, host);
        // The library of the language lacks no names. Checking it again for every room would take most of the time.
        const files = checked.getSourceFiles().filter((file) => !checked.isSourceFileDefaultLibrary(file));
        // Peers are not installed here, so their modules are missing: 2304 and 2552 are names that are missing.
        return files
          .flatMap((file) => checked.getSemanticDiagnostics(file))
          .some(({ code }) => code === 2304 || code === 2552);
      });
    expect(needy.length).toBeGreaterThan(0);
    expect(needy.sort()).toEqual(
      [...listed.matchAll(/`(espalier\/[\w/]+)`/g)].map(([, name]) => name).sort(),
    );
  });

  it.each([
    ["use.mts", ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    ["use.cts", ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    ["use.ts", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ])("type-checks: %s", (file, module, moduleResolution) => {
    const path = project.write(
      file,
      [
        `import { component, createWorld, f32 } from "espalier";`,
        ...withoutPage.map((name, index) => `import * as entry${index} from "${name}";`),
        program,
        "// @ts-expect-error: a field holds a number, so the types are there",
        `world.spawn(Health({ hp: "full" }));`,
        `export { tank, ${withoutPage.map((_, index) => `entry${index}`).join(", ")} };`,
      ].join("\n"),
    );
    const checked = ts.createProgram([path], {
      module,
      moduleResolution,
      target: ts.ScriptTarget.ES2022,
      // Neither DOM nor Node: the types must stand alone.
      lib: ["lib.es2022.d.ts"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    });
    const problems = ts.getPreEmitDiagnostics(checked);
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });
});

/** A host that parses each file once, however many programs need it. */
function parsingOnce(host: ts.CompilerHost): ts.CompilerHost {
  const parsed = new Map<string, ts.SourceFile | undefined>();
  return {
    ...host,
    getSourceFile(name, ...rest) {
      if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, ...rest));
      return parsed.get(name);
    },
  };
}
