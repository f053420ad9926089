import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DEVELOPMENT } from "espalier";
import { describe, expect, it } from "vitest";
import { readText } from "../src/files.ts";
import { importScene, run, Stop } from "../src/index.ts";
import { runIn, tempFolder } from "./folder.ts";

const scene = (id: string) => JSON.stringify({ entities: [{ id, name: id }] });

describe("the command line", () => {
  it.runIf(DEVELOPMENT)("answers with exit code 2 to an option of a config that does not exist", async () => {
    const { dir, write } = tempFolder();
    write("typo.mjs", "export const Health = 5; export default { components: [], prefabz: '.' };");
    write("a.scene.json", scene("a"));
    const { status, stderr } = await runIn(dir, "check", "a.scene.json", "-c", "typo.mjs");
    expect(status).toBe(2);
    expect(stderr).toContain("prefabz: there is no such option");
  });

  it("answers with exit code 2 and without a stack where it cannot read or write", async () => {
    const { dir, write } = tempFolder();
    write("file", "x");
    write("config.mjs", "throw null;");
    write("throws.mjs", "throw new Error('mine');");
    write("wrong.mjs", "export default { components: [5] };");
    write("prefabs.mjs", "export default { components: [], prefabs: 5 };");
    write("a.scene.json", scene("a"));
    mkdirSync(join(dir, "locked"));
    chmodSync(join(dir, "locked"), 0o000);
    const cases: [string, ...string[]][] = [
      ["a file with that name already exists", "new", "file", "--no-install"],
      ["empty string", "new", "", "--no-install"],
      ["it threw something that is not an error", "check", "a.scene.json", "-c", "config.mjs"],
      ["mine", "check", "a.scene.json", "-c", "throws.mjs"],
      ["5 among its components", "check", "a.scene.json", "-c", "wrong.mjs"],
      ["prefabs is the path of a folder", "check", "a.scene.json", "-c", "prefabs.mjs"],
      ["there is no such file or folder", "check", join(dir, "nowhere")],
      ["a part of the path is a file", "check", join(dir, "file/inside")],
      ["a part of the path is a file", "schema", "-o", join(dir, "file/inside.json")],
    ];
    if (process.getuid?.() !== 0) cases.push(["permission was denied", "check", "locked"]);
    for (const [message, ...args] of cases) {
      const { status, stderr } = await runIn(dir, ...args);
      expect([status, args], stderr).toEqual([2, args]);
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    chmodSync(join(dir, "locked"), 0o755);
  });

  it("refuses to read a pipe, which would never end", async () => {
    if (process.platform === "win32") return;
    const { dir } = tempFolder();
    execFileSync("mkfifo", [join(dir, "pipe.scene.json")]);
    const { status, stderr } = await runIn(dir, "check", "pipe.scene.json");
    expect(status).toBe(2);
    expect(stderr).toContain("it is not a file but a pipe or a device");
  });

  it("refuses a file that is too long for a string", () => {
    const { dir } = tempFolder();
    const file = join(dir, "large.scene.json");
    // Sparse: it takes no room on the disk.
    expect(spawnSync("truncate", ["-s", "600M", file]).status).toBe(0);
    expect(() => readText(file)).toThrow("it is too large");
  });

  it("prints no control characters that a terminal would obey", async () => {
    const { dir, write } = tempFolder();
    const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31mred\u001b[0m\u0007\u202etxt";
    write("a.scene.json", scene(`id${evil}`));
    write("bad.scene.json", JSON.stringify({ entities: [{ id: `x${evil}`, parent: `y${evil}` }] }));
    for (const [file, ...args] of [
      ["a", "tree"],
      ["bad", "check"],
      ["bad", "tree"],
      ["a", "tree", "--color"],
      ["bad", "check", "--json"],
    ]) {
      const { stdout, stderr } = await runIn(
        dir,
        ...args.slice(0, 1),
        `${file}.scene.json`,
        ...args.slice(1),
      );
      const allowed = (stdout + stderr).replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g"), "");
      expect(
        [...allowed].filter(
          (char) => char !== "\n" && (char < " " || (char > "~" && char < "\u00a0") || char === "\u202e"),
        ),
      ).toEqual([]);
      expect(allowed).toContain("red");
      if (file === "a") expect(allowed).not.toContain("owned");
    }
  });

  it("shortens messages that are longer than a line", async () => {
    const { dir, write } = tempFolder();
    const entities = [{ id: "x".repeat(5000) }, { id: "b", parent: "y".repeat(3000) }];
    write("a.scene.json", JSON.stringify({ entities }));
    const { status, stderr } = await runIn(dir, "tree", "a.scene.json");
    expect(status).toBe(1);
    expect(stderr).toContain("…");
    for (const line of stderr.split("\n")) expect(line.length).toBeLessThan(600);
  });

  it("shortens what is longer than a line", async () => {
    const { dir, write } = tempFolder();
    write("a.scene.json", scene("x".repeat(100_000)));
    write("bad.scene.json", JSON.stringify({ entities: [{ id: "a", parent: "y".repeat(100_000) }] }));
    const { stdout } = await runIn(dir, "tree", "a.scene.json");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(400);
    const checked = await runIn(dir, "check", "bad.scene.json");
    expect(Math.max(...checked.stdout.split("\n").map((line) => line.length))).toBeLessThan(800);
    expect(checked.stdout).toContain("[scene/missing-parent]");
  });

  it("shortens names of components that no configuration lists", async () => {
    const { dir, write } = tempFolder();
    const components = { ["X".repeat(5000)]: {} };
    write("a.scene.json", JSON.stringify({ entities: [{ id: "a", components }] }));
    const { stderr } = await runIn(dir, "check", "a.scene.json");
    expect(stderr).toContain("Not checked, because no espalier.config.mjs lists them: XXX");
    expect(stderr.length).toBeLessThan(400);
  });

  it("puts no tick on a broken prefab, nor on a scene that needs it", async () => {
    const { dir, write } = tempFolder();
    write("a.scene.json", JSON.stringify({ entities: [{ id: "i", prefab: "b.prefab.json" }] }));
    write("b.prefab.json", JSON.stringify({ entities: [{ id: "p", parent: "nobody" }] }));
    write("c.scene.json", scene("c"));
    const { status, stdout } = await runIn(dir, "check", dir);
    expect(status).toBe(1);
    expect(
      stdout
        .split("\n")
        .slice(0, 5)
        .map((line) => line.slice(0, 40)),
    ).toEqual([
      "✗ a.scene.json",
      "  needs b.prefab.json, which cannot be r",
      "✗ b.prefab.json",
      '  b.prefab.json:1:33 Entity "p" has the ',
      "✓ c.scene.json",
    ]);
    expect(stdout).toContain("1 problem in 2 of 3 files");
  });

  it("answers every bad argument of its functions", async () => {
    const bad = [
      undefined,
      null,
      Symbol("x"),
      5n,
      Object.create(null),
      () => {},
      "text",
      5,
      [5],
      [Symbol("x")],
      {},
    ];
    for (const value of bad) {
      expect([0, 2]).toContain(await quietly(() => run(value as never)));
      await expect(importScene(value as never)).rejects.toBeInstanceOf(Stop);
      if (value === undefined || (typeof value === "object" && value !== null)) continue;
      await expect(importScene("x.tscn", value as never)).rejects.toBeInstanceOf(Stop);
    }
  });
});

async function quietly<Result>(fn: () => Promise<Result>): Promise<Result> {
  const { stdout, stderr } = process;
  const writes = [stdout.write, stderr.write] as const;
  stdout.write = stderr.write = (() => true) as typeof stdout.write;
  try {
    return await fn();
  } finally {
    [stdout.write, stderr.write] = writes;
  }
}
