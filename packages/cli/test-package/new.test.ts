import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../test/browser/chromium.ts";
import { serveFiles } from "../../../test/install/static-server.ts";
import { root } from "../../../test/structure/source-files.ts";
import { templateBudget } from "../../espalier/test-package/budgets.ts";
import { createFolder } from "./binary.ts";

// The package has no types of its own.
const { PNG } = createRequire(import.meta.url)("pngjs") as {
  readonly PNG: { readonly sync: { read(png: Buffer): { data: Buffer; width: number; height: number } } };
};

const folder = createFolder();
const servers: ChildProcess[] = [];
let browser: Browser | undefined;
afterAll(async () => {
  for (const server of servers) server.kill();
  await browser?.close();
  folder.remove();
});

const run = (command: string, ...args: string[]) => {
  const ran = folder.run(command, ...args);
  if (ran.status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${ran.stdout}\n${ran.stderr}`);
  return ran.stdout;
};

const tarballs = new Map<string, string>();

/** Packs a package of the repository as it is published, once; the name of the tarball. */
function pack(path: string): string {
  const known = tarballs.get(path);
  if (known !== undefined) return known;
  const [packed] = JSON.parse(
    run("npm", "pack", join(root, path), "--json", "--ignore-scripts", "--pack-destination", folder.dir),
  );
  tarballs.set(path, packed.filename);
  return packed.filename;
}

/** Unpacks a package of the repository, as it is published, into the project. */
function installPacked(project: string, path: string, name: string): void {
  const into = join(folder.dir, project, "node_modules", name);
  mkdirSync(join(into, ".."), { recursive: true });
  run("tar", "-xzf", pack(path));
  renameSync(join(folder.dir, "package"), into);
}

/** What `npm install` would put there: our packages from their tarballs, the tools from the repository. */
function installPackages(project: string): void {
  const modules = join(folder.dir, project, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  installPacked(project, "packages/espalier", "espalier");
  installPacked(project, "packages/cli", "@espalier/cli");
  for (const name of ["vite", "vitest", "typescript", "pixi.js", "@types"])
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
  for (const name of ["commander", "jiti"]) {
    const places = [join(root, "packages/cli/node_modules", name), join(root, "node_modules", name)];
    symlinkSync(places.find(existsSync) as string, join(modules, name), "junction");
  }
  for (const tool of ["vite", "vitest", "tsc"])
    symlinkSync(join(root, "node_modules/.bin", tool), join(modules, ".bin", tool));
  symlinkSync(join(modules, "espalier/bin/espalier.mjs"), join(modules, ".bin/espalier"));
}

/** Starts `npm run dev` and waits until it tells its address. */
async function startDev(project: string, port: number): Promise<string> {
  const server = spawn(
    "node",
    ["node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", String(port)],
    {
      cwd: join(folder.dir, project),
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
    },
  );
  servers.push(server);
  let said = "";
  return await new Promise((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
      if (found !== null) resolve(found[0]);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("exit", () => reject(new Error(`npm run dev ended:\n${said}`)));
  });
}

function colors(png: Buffer): number {
  const { data, width, height } = PNG.sync.read(png);
  const seen = new Set<number>();
  for (let y = 0; y < height; y += 3)
    for (let x = 0; x < width; x += 3) seen.add(data.readUInt32BE((y * width + x) * 4));
  return seen.size;
}

describe("espalier new", () => {
  it("makes a game with a scene, a prefab, a behaviour and a test", () => {
    const { status, stdout } = folder.espalier("new", "my-game", "--no-install");
    expect(status).toBe(0);
    expect(stdout).toBe(`✓ my-game
  .gitignore
  .vscode/settings.json
  README.md
  espalier.config.ts
  index.html
  package.json
  scenes/main.scene.json
  scenes/scene.schema.json
  scenes/tank.prefab.json
  src/driver.ts
  src/main.ts
  src/parts.ts
  src/renderer.ts
  src/scenes.ts
  test/game.test.ts
  tsconfig.json
  vite.config.ts

Next: cd my-game && npm install && npm run dev
`);
    installPackages("my-game");
  });

  it("makes a game whose own test passes, and that builds", () => {
    expect(run("npm", "test", "--silent", "--prefix", "my-game")).toContain("1 passed");
    run("npm", "run", "build", "--silent", "--prefix", "my-game");
    expect(readdirSync(join(folder.dir, "my-game/dist"))).toContain("index.html");
  });

  it("makes a game whose build runs in a sub-folder of a server", async () => {
    const parent = join(folder.dir, "my-game");
    const server = await serveFiles(parent);
    browser ??= await launchChromium();
    const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
    const failed: string[] = [];
    page.on("pageerror", (error) => failed.push(String(error)));
    page.on("response", (response) => {
      if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${server.url}dist/index.html`);
    await page.waitForFunction("window.game?.tick > 5");
    expect(colors(await page.screenshot())).toBeGreaterThan(8);
    expect(failed).toEqual([]);
    await page.close();
    await server.close();
  });

  it(`makes a game whose build stays within its budget of ${templateBudget.limit} bytes`, () => {
    const assets = join(folder.dir, "my-game/dist/assets");
    const scripts = readdirSync(assets).filter((file) => file.endsWith(".js"));
    const sizes = scripts.map((file) => gzipSync(readFileSync(join(assets, file)), { level: 9 }).length);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    console.log(
      `${templateBudget.title}: ${size} of ${templateBudget.limit} bytes (aim: ${templateBudget.aim})`,
    );
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(templateBudget.limit);
  });

  it("makes scenes that are sound", () => {
    expect(run("npm", "run", "--silent", "check", "--prefix", "my-game")).toContain("2 files, no problems");
  });

  it("brings the schema that its scenes name, so that editors complete them at once", () => {
    const readSchema = () => JSON.parse(folder.read("my-game/scenes/scene.schema.json"));
    const schema = readSchema();
    run("npm", "run", "--silent", "schema", "--prefix", "my-game");
    expect(readSchema()).toEqual(schema);
    for (const scene of ["main.scene.json", "tank.prefab.json"]) {
      expect(folder.read(`my-game/scenes/${scene}`)).toContain('"$schema": "./scene.schema.json"');
    }
  });

  it.each([
    ["canvas", "my-game", 5391],
    ["pixi", "pixi-game", 5392],
  ])(
    "shows the game in a browser, drawn with %s, and a saved scene changes it",
    async (renderer, project, port) => {
      if (!existsSync(join(folder.dir, project))) {
        expect(folder.espalier("new", project, "--no-install", "--renderer", renderer).status).toBe(0);
        installPackages(project);
        expect(JSON.parse(folder.read(`${project}/package.json`)).dependencies["pixi.js"]).toMatch(/^\^8/);
        run("npx", "--prefix", project, "tsc", "-p", project);
      }
      const url = await startDev(project, port);
      browser ??= await launchChromium();
      const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.goto(url);
      // The first time Vite prepares the packages and may load the page once more.
      await page.waitForFunction("window.game?.tick > 5");
      const before = (await page.evaluate("game.find('/player').x")) as number;
      await page.keyboard.down("KeyW");
      await page.waitForFunction(
        (x) =>
          (window as never as { game: { find(path: string): { x: number } } }).game.find("/player").x >
          x + 20,
        before,
      );
      await page.keyboard.up("KeyW");
      const shot = await page.screenshot({ path: join(root, `node_modules/.cache/starter-${renderer}.png`) });
      expect(colors(shot)).toBeGreaterThan(8);

      const scene = folder.read(`${project}/scenes/main.scene.json`);
      folder.write(`${project}/scenes/main.scene.json`, scene.replace('"speed": 160', '"speed": 10'));
      await page.waitForFunction(
        "JSON.stringify(game.world.toTable(game.world.query(game.format.component('Driver')))).includes('10')",
      );
      expect(await page.evaluate("game.find('/player').x")).toBeGreaterThan(before + 20);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  it("fills in names and versions", () => {
    const { name, dependencies, devDependencies } = JSON.parse(folder.read("my-game/package.json"));
    expect(name).toBe("my-game");
    expect(dependencies.espalier).toMatch(/^\^\d/);
    expect(devDependencies["@espalier/cli"]).toMatch(/^\^\d/);
    expect(devDependencies["@espalier/editor"]).toBe(devDependencies["@espalier/cli"]);
    expect(folder.read("my-game/index.html")).toContain("<title>my-game</title>");
    expect(
      JSON.parse(
        folder.espalier("new", "other", "--no-install", "--espalier", "file:x.tgz", "--json").stdout,
      ),
    ).toMatchObject({ folder: "other", renderer: "canvas", installed: false });
    expect(JSON.parse(folder.read("other/package.json")).dependencies.espalier).toBe("file:x.tgz");
  });

  it("does not touch what is there, and refuses what it does not know", () => {
    expect(folder.espalier("new", "my-game")).toEqual({
      status: 2,
      stdout: "",
      stderr: "Cannot make my-game: the folder is there and not empty. Choose another name.\n",
    });
    expect(folder.espalier("new", "¿name?")).toMatchObject({ status: 2 });
    expect(existsSync(join(folder.dir, "¿name?"))).toBe(false);
    expect(folder.espalier("new", "third", "--renderer", "svg")).toMatchObject({
      status: 2,
      stderr: 'Cannot draw with "svg". Choose canvas or pixi.\n',
    });
    expect(existsSync(join(folder.dir, "third"))).toBe(false);
  });
});
