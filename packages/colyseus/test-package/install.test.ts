import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, describe, expect, it } from "vitest";
import { packInto } from "../../../test/install/tarballs.ts";
import { root } from "../../../test/structure/source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-colyseus-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packed package", () => {
  it("contains the build, its texts, and nothing else", () => {
    const { files } = packInto(folder, "packages/colyseus");
    expect(files.filter((file) => !file.startsWith("dist/"))).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "docs/multiplayer.md",
      "package.json",
    ]);
    for (const entry of ["index", "client", "server"]) {
      expect(files).toContain(`dist/${entry}.mjs`);
      expect(files).toContain(`dist/${entry}.d.mts`);
    }
  });

  it("has a manifest that publint finds nothing wrong with", async () => {
    const { messages, pkg } = await publint({ pkgDir: join(root, "packages/colyseus"), strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("has a client without code of the server", async () => {
    const { rolldown } = await import("rolldown");
    const build = await rolldown({
      input: join(root, "packages/colyseus/dist/client.mjs"),
      external: (name) => !name.startsWith(".") && !name.startsWith("/") && !/^[A-Z]:/.test(name),
    });
    const { output } = await build.generate({ format: "esm" });
    await build.close();
    const imported = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.imports : []));
    expect(imported.filter((name) => /^(@colyseus\/core|node:)/.test(name))).toEqual([]);
    expect(imported).toContain("@colyseus/sdk");
  });
});
