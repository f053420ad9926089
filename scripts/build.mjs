/** `npm run build`: the dist of every package, and the texts of the repository that npm wants inside the packages. */
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyDocs, copyGuides } from "./package-docs.mjs";
import { ensureInstalled, root } from "./workspace.mjs";

ensureInstalled();
const texts = { espalier: ["README.md", "LICENSE"], cli: ["LICENSE"], editor: ["LICENSE"] };

copyDocs(join(root, "packages/espalier/docs"));
copyGuides(join(root, "packages/editor/docs"), (name) => name.startsWith("editor"));
copyGuides(join(root, "packages/cli/docs"), (name) => /^(cli|import)/.test(name));
for (const [name, copied] of Object.entries(texts)) {
  const folder = join(root, "packages", name);
  for (const text of copied) copyFileSync(join(root, text), join(folder, text));
  await build(folder);
}

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
 * Box2D asks for modules of Node where it runs there; that a page has none is nothing to warn of.
 *
 * @param {import("rolldown").LogLevel} level
 * @param {import("rolldown").RollupLog} log
 * @param {(level: import("rolldown").LogLevel, log: import("rolldown").RollupLog) => void} pass
 */
function onLog(level, log, pass) {
  if (!/box2d3-wasm/.test(log.message) || !/externalized for browser/.test(log.message)) pass(level, log);
}

/**
 * Builds aside and puts the result in place at the end: whoever uses the last build meanwhile never sees half of one.
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
