/** The packed library where most users have it. The rest is in `environments.test.ts`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { UserConfig } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installPacked, type Project } from "../../packages/espalier/test-package/packed.ts";
import { publicNames } from "../../scripts/public-names.mjs";
import { root } from "../../scripts/workspace.mjs";
import { launchBrowser } from "../browser/chromium.ts";
import { pageFile } from "../docs/page-files.ts";
import { inDevelopment, inProduction, printing, program } from "./program.ts";
import { serveFiles } from "./static-server.ts";

let project: Project;
beforeAll(() => {
  project = installPacked();
  project.write("program.mjs", printing);
});
afterAll(() => project?.remove());

/** Runs Node in the folder: what it prints and what it warns of. */
function run(env: Record<string, string>, ...args: string[]) {
  const all = { ...process.env, NODE_ENV: "", ...env };
  return spawnSync(process.execPath, args, { cwd: project.dir, encoding: "utf8", env: all });
}

const said = (output: string): unknown => JSON.parse(output.trim());

describe("the installed library in Node", () => {
  it("is in development unless NODE_ENV is production", () => {
    expect(said(project.node("program.mjs"))).toEqual(inDevelopment);
    project.write("production.mjs", `process.env.NODE_ENV = "production";\nawait import("./program.mjs");`);
    expect(said(project.node("production.mjs"))).toEqual(inProduction);
  });

  it("follows the conditions `development` and `production`, whatever NODE_ENV is", () => {
    expect(said(project.node("--conditions=development", "production.mjs"))).toEqual(inDevelopment);
    expect(said(project.node("--conditions=production", "program.mjs"))).toEqual(inProduction);
  });

  it("warns once when a program loads two builds", () => {
    const files = ["index", "hierarchy", "transform"].map(
      (entry) => `await import("./node_modules/espalier/dist/production/${entry}.mjs");`,
    );
    project.write("mixed.mjs", `${files.join("\n")}\nawait import("./program.mjs");\n${files.join("\n")}`);
    const { stderr } = run({}, "--conditions=development", "mixed.mjs");
    expect(stderr.trim()).toBe(
      'Espalier is loaded from two builds, "production" and "development": they are separate copies. Load all rooms with the same export conditions, or from one folder.',
    );
    expect(run({}, "--conditions=development", "program.mjs").stderr).toBe("");
  });

  it("warns once of a NODE_ENV that chooses no build, and is in development then", () => {
    const { stdout, stderr } = run({ NODE_ENV: "prod" }, "program.mjs");
    expect(said(stdout)).toEqual(inDevelopment);
    expect(stderr.trim()).toBe(
      'NODE_ENV is "prod", which Espalier does not know: it takes its development build. Set it to "production" in what you ship.',
    );
    for (const NODE_ENV of ["", "test", "development", "production"])
      expect(run({ NODE_ENV }, "program.mjs").stderr).toBe("");
  });

  it("runs where code from strings is forbidden, as in workers of the edge", () => {
    expect(said(project.node("--disallow-code-generation-from-strings", "program.mjs"))).toEqual(
      inDevelopment,
    );
  });
});

describe("the files of the guide to getting started", () => {
  it("type-check with the settings that it gives", () => {
    mkdirSync(join(project.dir, "started/src"), { recursive: true });
    project.write("started/tsconfig.json", pageFile("docs/guide/getting-started.md", "tsconfig.json"));
    project.write("started/src/game.ts", pageFile("docs/guide/getting-started.md", "src/game.ts"));
    project.write("started/src/main.ts", pageFile("docs/guide/getting-started.md", "src/main.ts"));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", "started"], { cwd: project.dir, encoding: "utf8" });
  });
});

describe("the test of the guide to testing", () => {
  it("passes in Vitest", () => {
    for (const folder of ["src", "test"]) mkdirSync(join(project.dir, "arena", folder), { recursive: true });
    project.write("arena/src/arena.ts", pageFile("docs/guide/testing.md", "src/arena.ts"));
    project.write("arena/test/arena.test.ts", pageFile("docs/guide/testing.md", "test/arena.test.ts"));
    symlinkSync(join(root, "node_modules/vitest"), join(project.dir, "node_modules/vitest"), "junction");
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const said = execFileSync(process.execPath, [vitest, "run", "--root", "arena"], {
      cwd: project.dir,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, VITEST: undefined },
    });
    expect(said).toMatch(/Tests +1 passed \(1\)/);
  });
});

describe("the installed library in Vite", () => {
  it.each([
    ["production", inProduction],
    ["development", inDevelopment],
  ])("is bundled by a build for %s, and runs without a warning", (mode, result) => {
    project.write("entry.mjs", program);
    project.write("vite.config.mjs", `export default ${JSON.stringify(viteConfig(`vite-${mode}`))};`);
    // By command and not in this process: Vite looks at the NODE_ENV of its own.
    execFileSync(process.execPath, [join(root, "node_modules/vite/bin/vite.js"), "build", "--mode", mode], {
      cwd: project.dir,
      env: { ...process.env, NODE_ENV: mode },
    });
    // In a process of its own too: both bundles in one would be two builds in one program, which is warned of.
    project.write(
      `play-${mode}.mjs`,
      `import { play } from "./vite-${mode}/out.mjs";\nconsole.log(JSON.stringify(play()));`,
    );
    const { stdout, stderr } = run({}, `play-${mode}.mjs`);
    expect(said(stdout)).toEqual(result);
    expect(stderr).toBe("");
  });
});

function viteConfig(outDir: string): UserConfig {
  return {
    logLevel: "error",
    build: {
      outDir,
      rolldownOptions: {
        input: "entry.mjs",
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "out.mjs" },
      },
    },
  };
}

describe("the installed library in a browser, by import map", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveFiles>>;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await serveFiles(project.dir);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each([
    ["the plain files are for production, because there is no process", "dist", inProduction],
    ["the files for production are", "dist/production", inProduction],
    ["the files for development are", "dist/development", inDevelopment],
  ])("%s", async (_title, folder, result) => {
    const imports = Object.fromEntries(
      publicNames().map(({ name, entry }) => [name, `/node_modules/espalier/${folder}/${entry}.mjs`]),
    );
    project.write("page-program.mjs", program);
    const page = project.write(
      "page.html",
      [
        "<!doctype html>",
        `<script type="importmap">${JSON.stringify({ imports })}</script>`,
        `<script type="module">import { play } from "./page-program.mjs"; window.result = play();</script>`,
      ].join("\n"),
    );
    expect(page).toBe(join(project.dir, "page.html"));
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on("pageerror", (error) => errors.push(String(error)));
    await tab.goto(`${server.url}page.html`);
    await tab.waitForFunction("window.result !== undefined");
    expect(errors).toEqual([]);
    expect(await tab.evaluate("window.result")).toEqual(result);
    await tab.close();
  });

  it("runs the page of the guide to pages without a bundler", async () => {
    project.write("guide.html", pageFile("docs/guide/no-bundler.md", "guide.html"));
    const tab = await browser.newPage();
    await tab.goto(`${server.url}guide.html`);
    await tab.waitForFunction("document.querySelector('pre').textContent !== ''");
    expect(await tab.textContent("pre")).toBe("#1 [Transform2D]\n└─ #2 [Transform2D]");
    await tab.close();
  });
});
