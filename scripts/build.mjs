/** `npm run build`: the dist of every package, and the texts of the repository that npm wants inside the packages. */
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./workspace.mjs";

ensureInstalled();
const texts = { espalier: ["README.md", "LICENSE"], cli: ["LICENSE"] };

for (const [name, copied] of Object.entries(texts)) {
  const folder = join(root, "packages", name);
  for (const text of copied) copyFileSync(join(root, text), join(folder, text));
  await build(folder);
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
    rmSync(dist, { recursive: true, force: true });
    renameSync(outDir, dist);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
