import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleExample } from "../../scripts/bundle-example.mjs";
import { root } from "../structure/source-files.ts";

const target = process.env.ESPALIER_TARGET === "dist" ? "dist" : "source";
const folder = join(root, "examples");
const names = readdirSync(folder, { withFileTypes: true })
  // Those that run in a browser are in a folder of their own, and tested there. The arena is a server: packages/colyseus tests it.
  .filter((entry) => entry.isDirectory() && !["node_modules", "browser", "arena"].includes(entry.name))
  .map((entry) => entry.name);

const lines = (text: string) => text.replaceAll("\r\n", "\n").trimEnd().split("\n");

describe("examples", () => {
  it("have a program and its expected output each", () => {
    const files = names.flatMap((name) => [`${name}/main.ts`, `${name}/expected.txt`]);
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  for (const name of names.filter((name) => existsSync(join(folder, name, "main.ts")))) {
    it(`print what they say: ${name}`, async () => {
      const bundle = await bundleExample(name, target);
      const { status, stdout, stderr } = spawnSync(process.execPath, [bundle], {
        encoding: "utf8",
        timeout: 50_000,
        // No terminal and no colours, wherever the tests run.
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
      });
      expect(stderr).toBe("");
      expect(lines(stdout)).toEqual(lines(readFileSync(join(folder, name, "expected.txt"), "utf8")));
      expect(status).toBe(0);
    });
  }
});
