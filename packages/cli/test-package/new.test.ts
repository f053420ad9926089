import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../../test/structure/source-files.ts";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

/** What `npm install` would put there, from the workspace. */
function linkPackages(project: string): void {
  const modules = join(folder.dir, project, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const name of ["espalier", "@espalier", "@types", "typescript"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
  }
  symlinkSync(join(root, "node_modules/.bin/tsc"), join(modules, ".bin/tsc"));
  symlinkSync(join(root, "packages/espalier/bin/espalier.mjs"), join(modules, ".bin/espalier"));
}

describe("espalier new", () => {
  it("makes a project that runs with npm start", () => {
    const { status, stdout } = folder.espalier("new", "my-game", "--no-install");
    expect(status).toBe(0);
    expect(stdout).toBe(`✓ my-game
  .vscode/settings.json
  README.md
  espalier.config.mjs
  .gitignore
  package.json
  scenes/main.scene.json
  scenes/scene.schema.json
  scenes/tank.prefab.json
  src/components.ts
  src/main.ts
  tsconfig.json

Next: cd my-game && npm install && npm start
`);
    linkPackages("my-game");
    const started = folder.run("npm", "start", "--silent", "--prefix", "my-game");
    expect(started.stdout).toBe(`frame 0: player is at 10.0, 0.0
frame 0: player/barrel is at 22.0, 4.0
frame 0: enemy/barrel is at 112.0, 54.0
frame 1: player is at 15.0, 0.0
frame 1: player/barrel is at 27.0, 4.0
frame 1: enemy/barrel is at 108.6, 59.3
frame 2: player is at 20.0, 0.0
frame 2: player/barrel is at 32.0, 4.0
frame 2: enemy/barrel is at 103.1, 62.3
frame 3: player is at 25.0, 0.0
frame 3: player/barrel is at 37.0, 4.0
frame 3: enemy/barrel is at 96.9, 62.3
`);
    expect(started.status).toBe(0);
  });

  it("makes scenes that are sound, and scripts that work", () => {
    expect(folder.run("npm", "run", "--silent", "check", "--prefix", "my-game").stdout).toContain(
      "2 files, no problems",
    );
  });

  it("brings the schema that its scenes name, so that editors complete them at once", () => {
    const readSchema = () => JSON.parse(folder.read("my-game/scenes/scene.schema.json"));
    const schema = readSchema();
    expect(folder.run("npm", "run", "--silent", "schema", "--prefix", "my-game").status).toBe(0);
    expect(readSchema()).toEqual(schema);
    for (const scene of ["main.scene.json", "tank.prefab.json"]) {
      expect(folder.read(`my-game/scenes/${scene}`)).toContain('"$schema": "./scene.schema.json"');
    }
  });

  it("fills in names and versions", () => {
    const { name, dependencies, devDependencies } = JSON.parse(folder.read("my-game/package.json"));
    expect(name).toBe("my-game");
    expect(dependencies.espalier).toMatch(/^\^\d/);
    expect(devDependencies["@espalier/cli"]).toMatch(/^\^\d/);
    expect(
      JSON.parse(
        folder.espalier("new", "other", "--no-install", "--espalier", "file:x.tgz", "--json").stdout,
      ),
    ).toMatchObject({
      folder: "other",
      installed: false,
    });
    expect(JSON.parse(folder.read("other/package.json")).dependencies.espalier).toBe("file:x.tgz");
  });

  it("does not touch what is there", () => {
    expect(folder.espalier("new", "my-game")).toEqual({
      status: 2,
      stdout: "",
      stderr: "Cannot make my-game: the folder is there and not empty. Choose another name.\n",
    });
    expect(folder.espalier("new", "¿name?")).toMatchObject({ status: 2 });
    expect(existsSync(join(folder.dir, "¿name?"))).toBe(false);
  });
});
