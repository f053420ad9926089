import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, describe, expect, it } from "vitest";
import { packInto, unpackAs } from "../../../test/install/tarballs.ts";
import { root } from "../../../test/structure/source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-collab-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packed package", () => {
  it("contains the build, its texts, and nothing else", () => {
    const { files } = packInto(folder, "packages/collab");
    expect(files.filter((file) => !file.startsWith("dist/"))).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "docs/shared-editing.md",
      "package.json",
    ]);
    for (const entry of ["index", "relay"]) {
      expect(files).toContain(`dist/${entry}.mjs`);
      expect(files).toContain(`dist/${entry}.d.mts`);
    }
  });

  it("contains the licence of every package in the module for pages", () => {
    const target = join(folder, "unpacked");
    unpackAs(target, "packages/collab");
    const [module, notices] = ["page.mjs", "THIRD-PARTY-LICENSES.md"].map((name) =>
      readFileSync(join(target, "dist", name), "utf8"),
    ) as [string, string];
    const bundled = [...module.matchAll(/^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm)];
    const names = [...new Set(bundled.map(([, name]) => name as string))].sort();
    expect(names).toEqual(expect.arrayContaining(["loro-protocol", "loro-websocket"]));
    const listed = [...notices.matchAll(/^## (\S+) - \S+ \(MIT\)$/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(names);
    for (const text of notices.split("\n## ").slice(1))
      expect(text).toMatch(/Copyright[\s\S]*Permission is hereby granted/);
  });

  it("has a manifest that publint finds nothing wrong with", async () => {
    const { messages, pkg } = await publint({ pkgDir: join(root, "packages/collab"), strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });
});
