/** `npm run build`: the dist of every package, and the texts of the repository that npm wants inside the packages. */
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDocs, copyGuides, packageReadme, repositoryOf } from "./package-docs.mjs";
import { packageDir } from "./public-names.mjs";
import { ensureInstalled, root } from "./workspace.mjs";

ensureInstalled();
const names = ["espalier", "cli", "editor", "colyseus", "collab"];

copyDocs(join(packageDir, "docs"));
for (const name of [...names, "create-espalier"])
  copyFileSync(join(root, "LICENSE"), join(root, "packages", name, "LICENSE"));
writeFileSync(join(packageDir, "README.md"), packageReadme(packageDir, repositoryOf(packageDir)));
copyGuides(join(root, "packages/editor/docs"), (name) => name.startsWith("editor"));
copyGuides(join(root, "packages/colyseus/docs"), (name) => name.startsWith("multiplayer"));
copyGuides(join(root, "packages/cli/docs"), (name) => /^(cli|import)/.test(name));
copyGuides(join(root, "packages/collab/docs"), (name) => name.startsWith("shared-editing"));
for (const name of names) await build(join(root, "packages", name));

/**
 * A package with a page: built with Vite, beside its modules.
 *
 * @param {string} root
 * @param {string} outDir
 */
async function buildPage(root, outDir) {
  const vite = await import("vite");
  await vite.build({
    root,
    configFile: join(root, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir, emptyOutDir: true, rolldownOptions: { onLog } },
  });
}

/**
 * Box2D imports modules of Node when it runs there; a page without them needs no warning.
 *
 * @param {import("rolldown").LogLevel} level
 * @param {import("rolldown").RollupLog} log
 * @param {(level: import("rolldown").LogLevel, log: import("rolldown").RollupLog) => void} pass
 */
function onLog(level, log, pass) {
  if (!/box2d3-wasm/.test(log.message) || !/externalized for browser/.test(log.message)) pass(level, log);
}

/**
 * Builds in a temporary folder and moves the result in place at the end: users of the last build never see half of one.
 *
 * @param {string} folder
 */
async function build(folder) {
  const dist = join(folder, "dist");
  const outDir = `${dist}-${process.pid}`;
  try {
    const tsdown = await import("tsdown");
    await tsdown.build({ cwd: folder, outDir, logLevel: "warn" });
    if (existsSync(join(folder, "index.html"))) await buildPage(folder, join(outDir, "app"));
    rmSync(dist, { recursive: true, force: true });
    renameSync(outDir, dist);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
