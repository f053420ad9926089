import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../test/browser/chromium.ts";
import { serveFiles } from "../../../test/install/static-server.ts";
import { unpackAs } from "../../../test/install/tarballs.ts";
import { root } from "../../../test/structure/source-files.ts";
import { completeBudget, templateBudget } from "../../espalier/test-package/budgets.ts";
import { cliDependencies, createFolder, dependencyFolder } from "./binary.ts";

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

/** Runs a script of a project as `npm run` does, without the second that npm itself takes. */
const runScript = (project: string, name: string) => {
  const script = JSON.parse(folder.read(`${project}/package.json`)).scripts[name] as string;
  const cwd = join(folder.dir, project);
  const ran = spawnSync(script, {
    cwd,
    shell: true,
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_ENV: undefined,
      FORCE_COLOR: "0",
      NO_COLOR: "1",
      PATH: `${join(cwd, "node_modules/.bin")}${delimiter}${process.env.PATH}`,
    },
  });
  if (ran.status !== 0) throw new Error(`${script} failed:\n${ran.stdout}\n${ran.stderr}`);
  return ran.stdout;
};

/** What `npm install` would put there: our packages from their tarballs, the tools from the repository. */
function installPackages(project: string): void {
  const modules = join(folder.dir, project, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  unpackAs(join(modules, "espalier"), "packages/espalier");
  unpackAs(join(modules, "@espalier/cli"), "packages/cli");
  const { dependencies, devDependencies } = JSON.parse(folder.read(`${project}/package.json`));
  for (const name of [...Object.keys({ ...dependencies, ...devDependencies }), "@types"]) {
    const [from, to] = [join(root, "node_modules", name), join(modules, name)];
    if (existsSync(to) || !existsSync(from)) continue;
    mkdirSync(join(to, ".."), { recursive: true });
    symlinkSync(from, to, "junction");
  }
  for (const [name, from] of Object.entries({ ...cliDependencies(), jiti: dependencyFolder("jiti") })) {
    if (!existsSync(join(modules, name))) symlinkSync(join(root, from), join(modules, name), "junction");
  }
  for (const tool of ["vite", "vitest", "tsc"])
    symlinkSync(join(root, "node_modules/.bin", tool), join(modules, ".bin", tool));
  symlinkSync(join(modules, "espalier/bin/espalier.mjs"), join(modules, ".bin/espalier"));
}

/** Starts `npm run dev` and waits until it prints its address. */
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

/** The bytes of all scripts of a build, after gzip. */
function scriptSize(project: string): number {
  const assets = join(folder.dir, project, "dist/assets");
  const scripts = readdirSync(assets).filter((file) => file.endsWith(".js"));
  const sizes = scripts.map((file) => gzipSync(readFileSync(join(assets, file)), { level: 9 }).length);
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** Opens the build of a project below a sub-folder, and expects a picture and no errors. */
async function openBuild(project: string, use: (page: Page) => Promise<void>): Promise<void> {
  const server = await serveFiles(join(folder.dir, project));
  browser ??= await launchChromium();
  const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
  const failed: string[] = [];
  page.on("pageerror", (error) => failed.push(String(error)));
  page.on("response", (response) => {
    if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
  });
  try {
    await page.goto(`${server.url}dist/index.html`);
    await page.waitForFunction("window.game?.tick > 5");
    await use(page);
    const shot = await page.screenshot({ path: join(root, `node_modules/.cache/built-${project}.png`) });
    expect(colors(shot)).toBeGreaterThan(8);
    expect(failed).toEqual([]);
  } finally {
    await page.close();
    await server.close();
  }
}

/** Puts the player far away, and expects its blue hull in the middle of the picture. */
async function expectToFollow(page: Page): Promise<void> {
  await page.evaluate("game.find('/player').setPosition(1500, 0)");
  await page.waitForFunction("Math.abs(game.view().visible.minX + game.view().visible.maxX - 3000) < 10");
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  expect(data[at + 2]).toBeGreaterThan(data[at]! * 1.8);
}

/** Builds a project, opens it, and holds a key until an entity has gone to the right, with what is below it. */
async function buildAndDrive(
  project: string,
  key: string,
  parent: string,
  child: string,
  look?: (page: Page) => Promise<void>,
): Promise<void> {
  runScript(project, "build");
  await openBuild(project, async (page) => {
    const distance = (await page.evaluate(`${child} - ${parent}`)) as number;
    const before = (await page.evaluate(parent)) as number;
    await page.keyboard.down(key);
    await page.waitForFunction(`${parent} > ${before + 30}`);
    await page.keyboard.up(key);
    // The child came along.
    expect(Math.abs(((await page.evaluate(`${child} - ${parent}`)) as number) - distance)).toBeLessThan(20);
    await look?.(page);
  });
}

/** The files of a folder by their paths; of tools, those that the Node at hand runs. */
function filesOf(dir: string): { readonly [file: string]: string } {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    const text = readFileSync(path).toString("latin1");
    const isManifest = name === "package.json";
    const plain = isManifest ? text.replaceAll(/"(vite|vitest|node)": "[^"]*"/g, '"$1": ""') : text;
    return [path.slice(dir.length + 1).replaceAll("\\", "/"), plain] as const;
  });
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("espalier new", () => {
  it.each(["canvas", "pixi", "three", "physics", "react-three", "complete"])(
    "turns the template %s into what starters/ contains",
    (template) => {
      const made = createFolder();
      try {
        expect(made.espalier("new", template, "--no-install", "--template", template).status).toBe(0);
        expect(filesOf(join(made.dir, template))).toEqual(filesOf(join(root, "starters", template)));
      } finally {
        made.remove();
      }
    },
  );

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
    await openBuild("my-game", async () => {});
  });

  it.each([
    ["physics", "KeyD", "game.find('/car').x", "game.find('/car/cabin').absolutePosition.x"],
    ["react-three", "KeyW", "game.find('/player').x", "game.find('/player/turret').absolutePosition.x"],
  ])("makes a game of %s: sound, tested, built, and driven by keys", async (template, key, parent, child) => {
    const project = `${template}-game`;
    expect(folder.espalier("new", project, "--no-install", "--template", template).status).toBe(0);
    installPackages(project);
    expect(runScript(project, "check")).toContain("2 files, no problems");
    const schema = JSON.parse(folder.read(`${project}/scenes/scene.schema.json`));
    runScript(project, "schema");
    expect(JSON.parse(folder.read(`${project}/scenes/scene.schema.json`))).toEqual(schema);
    expect(runScript(project, "test")).toContain("1 passed");
    await buildAndDrive(project, key, parent, child, template === "physics" ? undefined : expectToFollow);
  });

  it("makes a game of three that builds, and is driven by keys", async () => {
    expect(folder.espalier("new", "three-game", "--no-install", "--template", "three").status).toBe(0);
    installPackages("three-game");
    const player = "game.find('/player')";
    const turret = `${player}.children[0].absolutePosition.x`;
    await buildAndDrive("three-game", "KeyW", `${player}.x`, turret, expectToFollow);
  });

  it("makes a game of physics whose build has one engine, the one that runs on every page", () => {
    const built = readdirSync(join(folder.dir, "physics-game/dist"), { recursive: true }).map(String);
    const engines = built.filter((file) => file.endsWith(".wasm"));
    expect(engines).toEqual([expect.stringContaining("Box2D.compat")]);
    expect(built.filter((file) => file.includes("deluxe"))).toEqual([]);
    for (const file of built.filter((each) => each.endsWith(".js")))
      expect(folder.read(`physics-game/dist/${file}`)).not.toContain("deluxe");
  });

  it(`makes a game whose build stays within its budget of ${templateBudget.limit} bytes`, () => {
    const size = scriptSize("my-game");
    console.log(
      `${templateBudget.title}: ${size} of ${templateBudget.limit} bytes (aim: ${templateBudget.aim})`,
    );
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(templateBudget.limit);
  });

  it(`makes a complete game: sound, tested, built, played, and at most ${completeBudget.limit} bytes more`, async () => {
    expect(folder.espalier("new", "complete-game", "--no-install", "--template", "complete").status).toBe(0);
    installPackages("complete-game");
    expect(runScript("complete-game", "check")).toContain("no problems");
    expect(runScript("complete-game", "test")).toContain("1 passed");
    runScript("complete-game", "build");
    await openBuild("complete-game", async (page) => {
      await page.click("#go-on");
      await page.waitForFunction("cave.now() === 'playing'");
      const before = (await page.evaluate("cave.hero().x")) as number;
      await page.keyboard.down("KeyD");
      await page.waitForFunction(`cave.hero().x > ${before + 10}`);
      await page.keyboard.up("KeyD");
    });
    const size = scriptSize("complete-game") - scriptSize("my-game");
    console.log(`${completeBudget.title}: ${size} of ${completeBudget.limit} bytes`);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(completeBudget.limit);
  });

  it("makes scenes that are sound", () => {
    expect(runScript("my-game", "check")).toContain("2 files, no problems");
  });

  it("brings the schema that its scenes name, so that editors complete them at once", () => {
    const readSchema = () => JSON.parse(folder.read("my-game/scenes/scene.schema.json"));
    const schema = readSchema();
    runScript("my-game", "schema");
    expect(readSchema()).toEqual(schema);
    for (const scene of ["main.scene.json", "tank.prefab.json"]) {
      expect(folder.read(`my-game/scenes/${scene}`)).toContain('"$schema": "./scene.schema.json"');
    }
  });

  it.each([
    ["canvas", "my-game", 5391],
    ["pixi", "pixi-game", 5392],
    ["react-three", "react-three-game", 5393],
  ])(
    "shows the game in a browser, drawn with %s, and a saved scene changes it",
    async (renderer, project, port) => {
      if (!existsSync(join(folder.dir, project))) {
        expect(folder.espalier("new", project, "--no-install", "--template", renderer).status).toBe(0);
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
        "JSON.stringify(game.world.query(game.format.component('Driver')).ids().map((id) => game.world.get(id, game.format.component('Driver')))).includes('10')",
      );
      expect(await page.evaluate("game.find('/player').x")).toBeGreaterThan(before + 20);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  it("fills in names and versions", () => {
    const { name, engines, dependencies, devDependencies } = JSON.parse(folder.read("my-game/package.json"));
    expect(name).toBe("my-game");
    expect(dependencies.espalier).toMatch(/^\^\d/);
    expect(devDependencies["@espalier/cli"]).toMatch(/^\^\d/);
    expect(engines.node).toMatch(/^(>=20\.19|\^22\.12\.0 )/);
    expect(devDependencies["@espalier/editor"]).toBe(devDependencies["@espalier/cli"]);
    expect(folder.read("my-game/index.html")).toContain("<title>my-game</title>");
    expect(
      JSON.parse(
        folder.espalier("new", "other", "--no-install", "--espalier", "file:x.tgz", "--json").stdout,
      ),
    ).toMatchObject({ folder: "other", template: "canvas", installed: false });
    expect(JSON.parse(folder.read("other/package.json")).dependencies.espalier).toBe("file:x.tgz");
  });

  it("does not touch existing files, and refuses unknown options", () => {
    expect(folder.espalier("new", "my-game")).toEqual({
      status: 2,
      stdout: "",
      stderr: "Cannot make my-game: the folder already exists and is not empty. Choose another name.\n",
    });
    expect(folder.espalier("new", "¿name?")).toMatchObject({ status: 2 });
    expect(existsSync(join(folder.dir, "¿name?"))).toBe(false);
    expect(folder.espalier("new", "third", "--template", "svg")).toMatchObject({
      status: 2,
      stderr: 'Cannot start from "svg". Choose canvas, pixi, three, physics, complete or react-three.\n',
    });
    expect(existsSync(join(folder.dir, "third"))).toBe(false);
  });
});
