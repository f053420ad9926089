import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, runIn, tempFolder } from "./folder.ts";

const instance = (path: string) => `[gd_scene format=3]
[ext_resource type="PackedScene" path="${path}" id="1"]
[node name="Root" type="Node2D"]
[node name="I" parent="." instance=ExtResource("1")]
`;
const plain = `[gd_scene format=3]\n[node name="Plain" type="Node2D"]\n`;

describe("import --recursive", () => {
  it("does not follow a path that leads out of the project", async () => {
    const { dir, write } = tempFolder();
    write("outside/evil.tscn", plain);
    write("outside/evil.scene.json", "precious");
    write("game/project.godot", "");
    write("game/main.tscn", instance("res://../outside/evil.tscn"));
    const { status, stderr } = await runIn(dir, "import", "game/main.tscn", "-r", "--force");
    expect(status).toBe(0);
    expect(stderr).toContain("instance of res://../outside/evil.tscn, which is outside of the project");
    expect(filesIn(join(dir, "outside"))).toEqual({ "evil.tscn": plain, "evil.scene.json": "precious" });
    expect(filesIn(dir)["game/main.scene.json"]).not.toContain("outside");
  });

  it("does not follow symbolic links out of it, of folders and of files", async () => {
    const { dir, write } = tempFolder();
    write("outside/evil.tscn", plain);
    write("outside/precious.json", "precious");
    write("game/project.godot", "");
    write("game/inner.tscn", plain);
    symlinkSync(join(dir, "outside"), join(dir, "game/linked"));
    symlinkSync(join(dir, "outside/precious.json"), join(dir, "game/inner.scene.json"));
    write("game/main.tscn", instance("res://linked/evil.tscn"));
    await runIn(dir, "import", "game/main.tscn", "-r", "--force");
    write("game/second.tscn", instance("res://inner.tscn"));
    const { status, stderr } = await runIn(dir, "import", "game/second.tscn", "-r", "--force");
    expect(status).toBe(1);
    expect(stderr).toContain("it is outside of the project");
    expect(existsSync(join(dir, "game/second.scene.json"))).toBe(false);
    expect(filesIn(join(dir, "outside"))).toEqual({ "evil.tscn": plain, "precious.json": "precious" });
  });

  it("writes all scenes or none", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("main.tscn", instance("res://a/middle.tscn"));
    write("a/middle.tscn", instance("res://a/broken.tscn"));
    write("a/broken.tscn", "[gd_scene format=3]\n[node name=");
    const before = filesIn(dir);
    const { status } = await runIn(dir, "import", "main.tscn", "-r");
    expect(status).toBe(1);
    expect(filesIn(dir)).toEqual(before);
  });

  it("removes what it has written when a folder cannot be written", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("main.tscn", instance("res://a/inner.tscn"));
    write("a/inner.tscn", plain);
    write("main.scene.json", "former");
    chmodSync(join(dir, "a"), 0o555);
    const before = filesIn(dir);
    const { status, stderr } = await runIn(dir, "import", "main.tscn", "-r", "--force");
    chmodSync(join(dir, "a"), 0o755);
    if (process.getuid?.() === 0) return; // root writes everywhere
    expect(status).toBe(2);
    expect(stderr).toContain("permission was denied");
    expect(filesIn(dir)).toEqual(before);
  });

  it("uses prefabs that exist, and replaces them with --force", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("main.tscn", instance("res://inner.tscn"));
    write("inner.tscn", plain);
    write("inner.scene.json", `{ "entities": [{ "id": "mine" }] }`);
    const first = await runIn(dir, "import", "main.tscn", "-r");
    expect(first.status).toBe(0);
    expect(first.stderr).toContain("Used as they are: inner.scene.json");
    expect(filesIn(dir)["inner.scene.json"]).toContain("mine");
    const again = await runIn(dir, "import", "main.tscn", "-r");
    expect(again.status).toBe(2);
    expect(again.stderr).toContain("main.scene.json: it already exists");
    expect((await runIn(dir, "import", "main.tscn", "-r", "--force")).status).toBe(0);
    expect(filesIn(dir)["inner.scene.json"]).toContain("Plain");
  });
});

describe("a file that exists", () => {
  it.each([
    ["convert", "a.scene.json", "--flat", "-o", "b.scene.json"],
    ["schema", "-o", "b.scene.json"],
    ["import", "a.tscn", "-o", "b.scene.json"],
  ])("is replaced by %s only with --force", async (...args) => {
    const { dir, write } = tempFolder();
    write("a.scene.json", `{ "entities": [{ "id": "a" }] }`);
    write("a.tscn", plain);
    write("b.scene.json", "precious");
    const refused = await runIn(dir, ...args);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("b.scene.json: it already exists. Use --force");
    expect(filesIn(dir)["b.scene.json"]).toBe("precious");
    expect((await runIn(dir, ...args, "--force")).status).toBe(0);
    expect(filesIn(dir)["b.scene.json"]).not.toBe("precious");
    expect(Object.keys(filesIn(dir))).toEqual(["a.scene.json", "a.tscn", "b.scene.json"]);
  });
});
