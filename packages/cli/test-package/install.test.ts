import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packInto, type Tarball } from "../../../test/install/tarballs.ts";
import { root } from "../../../test/structure/source-files.ts";
import { cliDependencies, createFolder, type Folder } from "./binary.ts";

let folder: Folder;
const npm = (...args: string[]) => {
  const ran = folder.run("npm", ...args);
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout;
};

const pack = (path: string) => packInto(folder.dir, path);

let cli: Tarball;
beforeAll(() => {
  folder = createFolder();
  const library = pack("packages/espalier");
  cli = pack("packages/cli");
  const needed = Object.values(cliDependencies()).map((path) => pack(path).filename);
  for (const project of ["library-only", "both", "elsewhere"]) {
    mkdirSync(join(folder.dir, project));
    writeFileSync(
      join(folder.dir, project, "package.json"),
      JSON.stringify({ name: project, private: true }),
    );
  }
  const install = (project: string, ...tarballs: string[]) =>
    npm(
      "install",
      "--offline",
      // What npm happens to have cached of optional peers changes how it resolves them.
      "--cache",
      "npm-cache",
      "--no-audit",
      "--no-fund",
      "--prefix",
      project,
      ...tarballs.map((name) => `./${name}`),
    );
  install("library-only", library.filename);
  install("both", library.filename, ...needed, cli.filename);
});
afterAll(() => folder.remove());

const inProject = (project: string, ...args: string[]) =>
  folder.run("npm", "exec", "--offline", "--prefix", project, "--", ...args);

describe("the packed command line", () => {
  it("contains the build, the template, its texts, and nothing else", () => {
    const outside = cli.files.filter(
      (file) => !/^(dist|template(-complete|-pixi|-physics|-react-three)?)\//.test(file),
    );
    expect(outside).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "docs/cli.md",
      "package.json",
      "skill/SKILL.md",
    ]);
    expect(cli.files).toContain("template/package.json");
    expect(cli.files.filter((file) => file.endsWith(".mjs")).length).toBeGreaterThan(2);
  });

  it("is accepted by publint", async () => {
    const { messages, pkg } = await publint({
      pkgDir: join(folder.dir, "both/node_modules/@espalier/cli"),
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});

describe("npx espalier", () => {
  it("works where both packages are installed", () => {
    const { status, stdout } = inProject("both", "espalier", "--version");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^@espalier\/cli \d/);
  });

  it("says how to get the command line where only the library is", () => {
    const { status, stderr } = inProject("library-only", "espalier", "check", "level.json");
    expect(status).toBe(3);
    expect(stderr).toContain(
      "The command line of Espalier is a package of its own, and it is not installed here.",
    );
    expect(stderr).toContain("npx @espalier/cli check level.json");
    expect(stderr).toContain("npm install --save-dev @espalier/cli");
    const inJson = inProject("library-only", "espalier", "check", "level.json", "--json");
    expect(inJson.status).toBe(3);
    expect(JSON.parse(inJson.stdout)).toMatchObject({
      error: expect.stringContaining("not installed"),
      install: expect.arrayContaining(["npm install --save-dev @espalier/cli"]),
    });
  });

  it("works from any folder, as a global install does", () => {
    folder.write("elsewhere/a.scene.json", `{ "entities": [{ "id": "a" }] }`);
    const launcher = join(folder.dir, "both/node_modules/espalier/bin/espalier.mjs");
    const { stdout } = folder.run(process.execPath, launcher, "tree", join("elsewhere", "a.scene.json"));
    expect(stdout).toBe("a\n");
  });

  it("prefers the command line of the project it is called in", () => {
    const manifest = "elsewhere/node_modules/@espalier/cli";
    folder.write(`${manifest}/package.json`, JSON.stringify({ name: "@espalier/cli", version: "9.9.9" }));
    folder.write(
      `${manifest}/dist/index.mjs`,
      "export const run = async (args) => (console.log('nine', String(args)), 7);",
    );
    const launcher = join(folder.dir, "both/node_modules/espalier/bin/espalier.mjs");
    const { status, stdout } = inFolder("elsewhere", launcher, "check", "x");
    expect([status, stdout]).toEqual([7, "nine check,x\n"]);
  });

  it("has a program of its own name, for npx @espalier/cli", () => {
    expect(inProject("both", "espalier-cli", "--version").stdout).toMatch(/^@espalier\/cli \d/);
  });

  it("says how to get what only some commands need", () => {
    folder.write("both/ship.gltf", JSON.stringify({ asset: { version: "2.0" } }));
    const launcher = join(folder.dir, "both/node_modules/espalier/bin/espalier.mjs");
    expect(inFolder("both", launcher, "import", "ship.gltf")).toEqual({
      status: 3,
      stdout: "",
      stderr:
        "Reading glTF needs the package @gltf-transform/core. Install it with: npm install --save-dev @gltf-transform/core\n",
    });
    expect(inFolder("both", launcher, "edit")).toEqual({
      status: 3,
      stdout: "",
      stderr:
        "The editor is a package of its own, because it has dependencies. Install it with: npm install --save-dev @espalier/editor\n",
    });
    cpSync(
      join(root, "node_modules/@gltf-transform"),
      join(folder.dir, "both/node_modules/@gltf-transform"),
      {
        recursive: true,
      },
    );
    cpSync(join(root, "node_modules/property-graph"), join(folder.dir, "both/node_modules/property-graph"), {
      recursive: true,
    });
    expect(inFolder("both", launcher, "import", "ship.gltf").status).toBe(0);
  });
});

function inFolder(project: string, launcher: string, ...args: string[]) {
  const code = `process.chdir(${JSON.stringify(join(folder.dir, project))}); process.argv.splice(1, 0, "espalier"); await import(${JSON.stringify(`file://${launcher}`)});`;
  return folder.run(process.execPath, "--input-type=module", "-e", code, ...args);
}
