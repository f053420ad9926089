/**
 * The packed library beside the oldest and the newest version of each optional peer: it installs without a conflict, its adapter
 * type-checks against the types of that version, and works.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installPacked, type Project } from "../../packages/espalier/test-package/packed.ts";
import { root } from "../../scripts/workspace.mjs";
import { launchChromium } from "../browser/chromium.ts";
import { serveFiles } from "./static-server.ts";
import { packInto } from "./tarballs.ts";

let library: Project;
let editor: string;
let browser: Browser;
beforeAll(async () => {
  library = installPacked();
  editor = join(library.dir, packInto(library.dir, "packages/editor").filename);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  library?.remove();
});

/** A project with the library and these packages, installed as a user does: a conflict of peers is an error. */
function install(name: string, ...packages: string[]): string {
  const dir = join(library.dir, name);
  mkdirSync(dir);
  writeFileSync(join(dir, "package.json"), `{ "name": "a-user", "private": true, "type": "module" }`);
  run(dir, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...packages);
  run(dir, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", library.tarball);
  return dir;
}

function run(cwd: string, command: string, ...args: string[]): string {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
  delete env.NODE_ENV;
  const shell = process.platform === "win32" && command === "npm";
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", env, shell });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

function write(dir: string, name: string, text: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

function typeCheck(dir: string, file: string): void {
  const options =
    "--strict --noEmit --skipLibCheck --target es2022 --module esnext --moduleResolution bundler";
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  run(dir, process.execPath, compiler, ...options.split(" "), file);
}

/** Builds `main.ts` for a page, opens it, and gives it when the program has set `window.ready`. */
async function openBuilt<Result>(dir: string, use: (page: Page) => Promise<Result>): Promise<Result> {
  write(dir, "index.html", `<!doctype html><body><script type="module" src="./main.ts"></script></body>`);
  run(dir, process.execPath, join(root, "node_modules/vite/bin/vite.js"), "build", "--base", "./");
  const server = await serveFiles(join(dir, "dist"));
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  try {
    await page.goto(`${server.url}index.html`);
    await page.waitForFunction("window.ready").catch((error) => {
      throw new Error(`${error}\n${errors.join("\n")}`);
    });
    expect(errors).toEqual([]);
    return await use(page);
  } finally {
    await page.close();
    await server.close();
  }
}

describe("espalier/react", () => {
  it.each([
    ["18.0.0", "18.0.0"],
    ["19.3.1", "19.3.0"],
  ])("renders with React %s", (version, types) => {
    const dir = install(
      `react-${version}`,
      `react@${version}`,
      `react-dom@${version}`,
      `@types/react@${types}`,
      `@types/react-dom@${types}`,
    );
    write(
      dir,
      "use.mts",
      `import { component, createWorld, f32 } from "espalier";
      import { useComponent, WorldProvider } from "espalier/react";
      import { createElement } from "react";
      import { renderToStaticMarkup } from "react-dom/server";
      const Health = component("Health", { hp: f32(100) });
      const world = createWorld();
      const tank = world.spawn(Health({ hp: 7 }));
      const Bar = () => createElement("b", null, useComponent(tank, Health)?.hp);
      console.log(renderToStaticMarkup(createElement(WorldProvider, { world }, createElement(Bar))));`,
    );
    typeCheck(dir, "use.mts");
    expect(runTypeScript(dir, "use.mts")).toBe("<b>7</b>");
  });
});

/** Runs a program of TypeScript by taking its types away: Node 20 does not. */
function runTypeScript(dir: string, file: string): string {
  const options = "--target es2022 --module esnext --moduleResolution bundler --skipLibCheck --noCheck";
  run(dir, process.execPath, join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), file);
  return run(dir, process.execPath, file.replace(/ts$/, "js")).trim();
}

describe("espalier/three", () => {
  it.each(["0.160.0", "0.187.0"])("drives objects and their children with three.js %s", (version) => {
    const dir = install(`three-${version}`, `three@${version}`, `@types/three@${version}`);
    write(
      dir,
      "use.mts",
      `import { createWorld } from "espalier";
      import { createHierarchy } from "espalier/hierarchy";
      import { createThreeSync } from "espalier/three";
      import { createTransforms3D } from "espalier/transform";
      import { Object3D, PerspectiveCamera, Scene } from "three";
      const space = createTransforms3D(createHierarchy(createWorld()));
      const sync = createThreeSync(space);
      const scene = new Scene();
      scene.add(sync.root);
      const tank = space.tree.world.spawn(space.at(1, 2, 3));
      const hull = sync.attach(tank, new Object3D());
      const lamp = new Object3D();
      lamp.position.x = 10;
      hull.add(lamp);
      const camera = sync.attach(space.tree.attachNew(tank, space.at(0, 0, 5)), new PerspectiveCamera());
      space.setPosition(tank, 4, 5, 6);
      sync.sync();
      scene.updateMatrixWorld();
      const at = (object: Object3D) => object.matrixWorld.elements.slice(12, 15);
      sync.detach(tank);
      console.log(JSON.stringify([at(hull), at(lamp), camera.matrixWorldInverse.elements[14], sync.root.children.length]));`,
    );
    typeCheck(dir, "use.mts");
    expect(JSON.parse(runTypeScript(dir, "use.mts"))).toEqual([[4, 5, 6], [14, 5, 6], -11, 1]);
  });
});

describe("espalier/vite", () => {
  it.each(["5.0.0", "8.3.8"])("sends saved scenes to the page with Vite %s", async (version) => {
    const dir = install(`vite-${version}`, `vite@${version}`);
    write(
      dir,
      "use.mts",
      `import { espalier } from "espalier/vite";\nimport { defineConfig } from "vite";\nexport default defineConfig({ plugins: [espalier()] });`,
    );
    typeCheck(dir, "use.mts");
    write(dir, "index.html", `<!doctype html><script type="module" src="/main.js"></script>`);
    write(dir, "level.scene.json", `{ "entities": [] }`);
    write(
      dir,
      "main.js",
      `import text from "./level.scene.json?raw";
      import.meta.hot.on("espalier:scene", (change) => { window.change = change; });
      window.ready = text;`,
    );
    write(
      dir,
      "serve.mjs",
      `import { espalier } from "espalier/vite";
      import { createServer } from "vite";
      const server = await createServer({ configFile: false, plugins: [espalier()], server: { host: "127.0.0.1", port: 0 } });
      await server.listen();
      console.log(server.httpServer.address().port);
      process.stdin.on("end", () => server.close().then(() => process.exit())).resume();`,
    );
    const { spawn } = await import("node:child_process");
    const server = spawn(process.execPath, ["serve.mjs"], { cwd: dir, stdio: ["pipe", "pipe", "inherit"] });
    try {
      const port = await new Promise<string>((resolve, reject) => {
        server.stdout.once("data", (text) => resolve(String(text).trim()));
        server.once("exit", () => reject(new Error("the server of Vite ended")));
      });
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForFunction("window.ready");
      await page.waitForTimeout(500);
      write(dir, "level.scene.json", `{ "entities": [{ "id": "tank" }] }`);
      await page.waitForFunction("window.change");
      expect(await page.evaluate("window.change")).toEqual({
        file: "level.scene.json",
        content: `{ "entities": [{ "id": "tank" }] }`,
      });
      await page.close();
    } finally {
      server.stdin.end();
    }
  });
});

describe("espalier/pixi", () => {
  const program = `
    import { createWorld } from "espalier";
    import { createHierarchy } from "espalier/hierarchy";
    import { createPixiRenderer } from "espalier/pixi";
    import { Camera, ParticleEmitter, rect } from "espalier/render";
    import { createTransforms2D } from "espalier/transform";
    import { autoDetectRenderer } from "pixi.js";
    const space = createTransforms2D(createHierarchy(createWorld()));
    space.tree.world.spawn(space.at(0, 0), rect(300, 300, { fill: 0xff0000 }));
    space.tree.world.spawn(space.at(0, 0), Camera);
    space.tree.world.spawn(space.at(0, 0), ParticleEmitter({ rate: 10 }));
    const renderer = await autoDetectRenderer({ width: 400, height: 400, preference: "webgl" });
    document.body.append(renderer.canvas as HTMLCanvasElement);
    let code = "";
    try {
      createPixiRenderer(space, { renderer, width: 400, height: 400 }).render();
    } catch (error) {
      code = (error as { code: string }).code;
    }
    Object.assign(window, { code, ready: true });`;

  it.each(["8.8.0", "8.22.0"])("draws with PixiJS %s", async (version) => {
    const dir = install(`pixi-${version}`, `pixi.js@${version}`);
    write(dir, "main.ts", program);
    typeCheck(dir, "main.ts");
    await openBuilt(dir, async (page) => {
      expect(await page.evaluate("window.code")).toBe("");
      const shown = await page.screenshot({ clip: { x: 200, y: 200, width: 1, height: 1 } });
      const { PNG } = await import("pngjs");
      expect([...PNG.sync.read(shown).data.subarray(0, 3)]).toEqual([255, 0, 0]);
    });
  });

  it("is refused at the installation with a PixiJS before 8.8, and in words where that was forced", async () => {
    expect(() => install("pixi-8.7.0", "pixi.js@8.7.0")).toThrow("ERESOLVE");
    const dir = join(library.dir, "pixi-8.7.0");
    run(dir, "npm", "install", "--legacy-peer-deps", "--no-audit", "--no-fund", library.tarball);
    write(dir, "main.ts", program);
    await openBuilt(dir, async (page) =>
      expect(await page.evaluate("window.code")).toBe("render/unavailable"),
    );
  });
});

describe("@espalier/editor", () => {
  it.each(["18.0.0", "19.3.1"])("shares React %s with the project, and needs no PixiJS", async (version) => {
    const dir = install(`editor-${version}`, `react@${version}`, `react-dom@${version}`);
    run(dir, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", editor);
    const found = JSON.parse(run(dir, "npm", "ls", "react", "react-dom", "--json", "--all"));
    const versions = [...JSON.stringify(found).matchAll(/"react(?:-dom)?":\{"version":"([^"]+)"/g)];
    expect(new Set(versions.map(([, found]) => found))).toEqual(new Set([version]));
    expect(JSON.parse(readFileSync(join(dir, "node_modules/react/package.json"), "utf8")).version).toBe(
      version,
    );
    write(
      dir,
      "main.ts",
      `import { mountEditor } from "@espalier/editor";
      import { createWorld } from "espalier";
      import { createHierarchy } from "espalier/hierarchy";
      import { circle } from "espalier/render";
      import { createTransforms2D } from "espalier/transform";
      const world = createWorld();
      const tree = createHierarchy(world);
      const space = createTransforms2D(tree);
      tree.setName(world.spawn(space.at(0, 0), circle(5)), "tank");
      const element = document.createElement("div");
      element.style.height = "500px";
      document.body.append(element);
      mountEditor(element, { world, tree, space }).open();
      Object.assign(window, { ready: true });`,
    );
    await openBuilt(dir, async (page) => {
      await page.getByText("tank").first().waitFor();
    });
  });
});
