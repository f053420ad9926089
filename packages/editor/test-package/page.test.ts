import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { afterAll, describe, expect, it } from "vitest";
import { unpackAs } from "../../../test/install/tarballs.ts";
import { pageBuild } from "../page-build.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-page-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
unpackAs(join(folder, "editor"), "packages/editor");
const app = join(folder, "editor/dist/app");
const files = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** The packages whose modules are in the page, found by building it again: not by what lists their licences. */
async function bundledPackages(): Promise<string[]> {
  const config = pageBuild("dist");
  const result = await build({
    ...config,
    configFile: false,
    logLevel: "silent",
    build: { ...config.build, write: false },
  });
  const { output } = result as Rolldown.RolldownOutput;
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const names = modules.map((id) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))]
    .map((name) => name.replace("\\", "/"))
    .sort();
}

describe("the page of the editor", () => {
  it("contains the licence of every bundled package", async () => {
    const notices = readFileSync(join(app, "THIRD-PARTY-LICENSES.md"), "utf8");
    const listed = [...notices.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(([, name]) => name!);
    const bundled = await bundledPackages();
    expect(bundled).toEqual(
      expect.arrayContaining(["react", "pixi.js", "box2d3-wasm", "cmdk", "idb-keyval"]),
    );
    expect(bundled.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it("has one build of the physics engine, the one for pages that are not isolated", () => {
    const engines = files.filter((file) => file.endsWith(".wasm"));
    expect(engines).toEqual([expect.stringContaining("Box2D.compat")]);
    expect(files.filter((file) => file.includes("deluxe"))).toEqual([]);
  });

  it("has no empty files, and none twice", () => {
    const byContent = new Map<string, string[]>();
    for (const file of files) {
      const content = readFileSync(file);
      expect(content.length, file).toBeGreaterThan(0);
      const hash = createHash("sha256").update(content).digest("hex");
      byContent.set(hash, [...(byContent.get(hash) ?? []), file]);
    }
    expect([...byContent.values()].filter((same) => same.length > 1)).toEqual([]);
  });
});
