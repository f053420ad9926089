/**
 * The packed library in everything else it is said to work in. Tools come from npm into the fresh folder; one that cannot be
 * installed here is skipped, and the run says so.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { installPacked, type Project } from "../../packages/espalier/test-package/packed.ts";
import { publicNames } from "../../scripts/public-names.mjs";
import { root } from "../../scripts/workspace.mjs";
import { coreRooms } from "../structure/rooms.ts";
import { inDevelopment, inProduction, printing, program } from "./program.ts";

const versions = {
  bun: "bun@1.4.4",
  deno: "deno@2.9.6",
  esbuild: "esbuild@0.28.2",
  webpack: "webpack@5.112.2",
  workerd: "workerd@1.20261104.1",
  "typescript-5": "typescript-5@npm:typescript@5.9.3",
  "typescript-6": "typescript-6@npm:typescript@6.0.3",
  "typescript-7": "typescript-7@npm:typescript@7.0.2",
};

let project: Project;
const missing = new Map<string, string>();
beforeAll(() => {
  project = installPacked();
  project.write("program.mjs", printing);
  project.write("entry.mjs", program);
  // All at once is much faster; one by one only to find out which of them cannot be had.
  if (install(...Object.values(versions)) === undefined) return;
  for (const [name, version] of Object.entries(versions)) {
    const problem = install(version);
    if (problem !== undefined) missing.set(name, problem);
  }
}, 600_000);
afterAll(() => project?.remove());

/** Why these could not be installed; `undefined` when they were. */
function install(...packages: string[]): string | undefined {
  try {
    run(
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--no-save",
      `./${tarballName()}`,
      ...packages,
    );
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function tarballName(): string {
  return project.tarball.slice(project.dir.length + 1);
}

function run(command: string, ...args: string[]): string {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env.NODE_ENV;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: project.dir,
    encoding: "utf8",
    env,
    // npm and the tools it links are command files there.
    shell: process.platform === "win32" && command !== process.execPath,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${error ?? ""}${stdout}${stderr}`);
  return `${stderr}\n${stdout}`;
}

/** The executable of an installed package; skips the test when the package could not be installed. */
function tool(context: TestContext, name: string, bin = name): string {
  requireInstalled(context, name);
  return join(project.dir, "node_modules/.bin", bin);
}

function requireInstalled(context: TestContext, name: string): void {
  const problem = missing.get(name);
  if (problem === undefined) return;
  console.warn(`SKIPPED: ${name} cannot be installed here.\n${problem}`);
  context.skip(`${name} cannot be installed here`);
}

/** What the program said: the last line that holds an object. Some tools print to stderr, or put a prefix before it. */
function said(output: string): unknown {
  const line = output
    .split("\n")
    .filter((text) => text.includes("{"))
    .at(-1);
  return JSON.parse(line?.slice(line.indexOf("{")) ?? "null");
}

/** Whether a bundle contains the messages of errors. Some bundlers keep a helper that no code calls any more. */
function hasProse(file: string): boolean {
  return readFileSync(join(project.dir, file), "utf8").split("Cannot ").length > 5;
}

describe("the installed library runs in", () => {
  it("Bun, which bundles it for production too", (context) => {
    const bun = tool(context, "bun");
    expect(said(run(bun, "program.mjs"))).toEqual(inDevelopment);
    run(bun, "build", "program.mjs", "--production", "--outfile=bun-production.mjs");
    expect(said(project.node("bun-production.mjs"))).toEqual(inProduction);
    expect(hasProse("bun-production.mjs")).toBe(false);
  });

  it("Deno", (context) => {
    const output = run(tool(context, "deno"), "run", "--quiet", "--allow-env=NODE_ENV", "program.mjs");
    expect(said(output)).toEqual(inDevelopment);
  });

  it("a Cloudflare worker, which has no process and forbids code from strings", (context) => {
    const workerd = tool(context, "workerd");
    const bundle = join(project.dir, "worker.js");
    project.write(
      "worker.mjs",
      `import { play } from "./entry.mjs";
      export default {
        test() {
          try { new Function(""); } catch { console.log(JSON.stringify(play())); return; }
          throw new Error("code from strings is allowed here, so this proves nothing");
        },
      };`,
    );
    run(
      tool(context, "esbuild"),
      "worker.mjs",
      "--bundle",
      "--format=esm",
      `--outfile=${bundle}`,
      "--platform=neutral",
    );
    project.write(
      "worker.capnp",
      `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
      const main :Workerd.Worker = (
        modules = [(name = "worker", esModule = embed "worker.js")],
        compatibilityDate = "2026-01-01",
      );`,
    );
    expect(said(run(workerd, "test", "worker.capnp"))).toEqual(inProduction);
  });
});

describe("the installed library is bundled by", () => {
  it("esbuild, minified into files that a page loads, by the command of the guide", (context) => {
    const esbuild = tool(context, "esbuild");
    const guide = readFileSync(join(root, "docs/guide/no-bundler.md"), "utf8");
    const [, ...args] = /^npx (esbuild .*)$/m.exec(guide)![1]!.split(" ");
    run(esbuild, ...args);
    project.write("public/espalier/package.json", `{ "type": "module" }`);
    project.write(
      "minified.mjs",
      `import { createWorld } from "./public/espalier/index.js";
      import { createHierarchy } from "./public/espalier/hierarchy.js";
      const tree = createHierarchy(createWorld());
      console.log(JSON.stringify({ depth: tree.depthOf(tree.attachNew(tree.world.spawn())) }));`,
    );
    expect(said(project.node("minified.mjs"))).toEqual({ depth: 1 });
  });

  it("esbuild, for production and with the condition `development`", (context) => {
    const esbuild = tool(context, "esbuild");
    const bundle = (out: string, ...args: string[]) => {
      run(esbuild, "program.mjs", "--bundle", "--format=esm", `--outfile=${out}`, ...args);
      return said(project.node(out));
    };
    expect(bundle("esbuild-production.mjs", "--minify")).toEqual(inProduction);
    expect(hasProse("esbuild-production.mjs")).toBe(false);
    expect(bundle("esbuild-development.mjs", "--conditions=development", "--minify")).toEqual(inDevelopment);
    expect(hasProse("esbuild-development.mjs")).toBe(true);
  });

  it.for([
    ["production", inProduction],
    ["development", inDevelopment],
  ] as const)("webpack, for %s", ([mode, result], context) => {
    requireInstalled(context, "webpack");
    project.write(
      "webpack.cjs",
      `const webpack = require("webpack");
      webpack({ mode: process.argv[2], devtool: false, entry: "./program.mjs", context: __dirname,
        output: { path: __dirname, filename: "webpack-" + process.argv[2] + ".cjs" } }, (error, stats) => {
        if (error || stats.hasErrors() || stats.hasWarnings()) { console.error(error ?? stats.toString()); process.exit(1); }
      });`,
    );
    project.node("webpack.cjs", mode);
    expect(said(project.node(`webpack-${mode}.cjs`))).toEqual(result);
    expect(hasProse(`webpack-${mode}.cjs`)).toBe(mode === "development");
  });
});

describe.each(["typescript-5", "typescript-6", "typescript-7"])("%s, strict", (compiler) => {
  it.for([
    ["nodenext", "use.mts"],
    ["nodenext", "use.cts"],
    ["bundler", "use.ts"],
  ] as const)("accepts the declarations: %s, %s", ([resolution, file], context) => {
    requireInstalled(context, compiler);
    const names = publicNames()
      .filter(({ entry }) => entry === "index" || coreRooms.includes(entry))
      .map(({ name }) => name);
    project.write(
      file,
      [
        `import { component, createWorld, f32 } from "espalier";`,
        ...names.map((name, index) => `import * as entry${index} from "${name}";`),
        `const Health = component("Health", { hp: f32(100) });`,
        "const world = createWorld();",
        "// @ts-expect-error: a field holds a number, so the types are there",
        `world.spawn(Health({ hp: "full" }));`,
        `export { ${names.map((_, index) => `entry${index}`).join(", ")} };`,
      ].join("\n"),
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: "es2022",
      // Neither DOM nor Node: the types must stand alone.
      lib: ["es2022"],
      types: [],
      module: resolution === "bundler" ? "esnext" : resolution,
      moduleResolution: resolution,
      skipLibCheck: false,
      noEmit: true,
    };
    project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
    const bin = project.node("-p", `require("${compiler}/package.json").bin.tsc`).trim();
    run(process.execPath, join(project.dir, "node_modules", compiler, bin), "-p", ".");
  });
});
