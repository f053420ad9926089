import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../../scripts/workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "espalier-create-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const create = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "packages/create-espalier/index.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });

describe("npm create espalier", () => {
  it("makes a game, with the options of espalier new", () => {
    const { status, stdout } = create("my-game", "--no-install", "--renderer", "pixi", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ renderer: "pixi", installed: false });
    const { name, dependencies, scripts } = JSON.parse(
      readFileSync(join(folder, "my-game/package.json"), "utf8"),
    );
    expect(name).toBe("my-game");
    expect(dependencies).toHaveProperty(["pixi.js"]);
    expect(scripts.edit).toBe("espalier edit scenes/main.scene.json");
  });

  it("says what is missing where it cannot ask", () => {
    const { status, stderr } = create("--no-install");
    expect(status).toBe(2);
    expect(stderr).toContain("name");
  });
});
