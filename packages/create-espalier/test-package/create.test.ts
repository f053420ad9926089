import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../../scripts/workspace.mjs";
import { packInto, unpackAs } from "../../../test/install/tarballs.ts";
import { cliDependencies } from "../../cli/test-package/binary.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-create-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// As npm installs it: the command beside the packages that it depends on.
const modules = join(folder, "installed/node_modules");
for (const name of ["create-espalier", "espalier", "cli"])
  unpackAs(join(modules, name === "cli" ? "@espalier/cli" : name), `packages/${name}`);
for (const [name, path] of Object.entries(cliDependencies()))
  cpSync(join(root, path), join(modules, name), { recursive: true });

const create = (...args: string[]) =>
  spawnSync(process.execPath, [join(modules, "create-espalier/index.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });

describe("npm create espalier", () => {
  it("makes a game, with the options of espalier new", () => {
    const { status, stdout } = create("my-game", "--no-install", "--template", "pixi", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ template: "pixi", installed: false });
    const { name, dependencies, scripts } = JSON.parse(
      readFileSync(join(folder, "my-game/package.json"), "utf8"),
    );
    expect(name).toBe("my-game");
    expect(dependencies).toHaveProperty(["pixi.js"]);
    expect(scripts.edit).toBe("espalier edit scenes/main.scene.json");
  });

  it("contains its program, its texts, and nothing else", () => {
    expect(packInto(folder, "packages/create-espalier").files).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "index.mjs",
      "package.json",
    ]);
  });

  it("says what is missing where it cannot ask", () => {
    const { status, stderr } = create("--no-install");
    expect(status).toBe(2);
    expect(stderr).toContain("name");
  });
});
