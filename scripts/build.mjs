/** `npm run build`: packages/espalier/dist, and the texts of the repository that npm wants inside the package. */
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./workspace.mjs";

ensureInstalled();
const library = join(root, "packages/espalier");
for (const text of ["README.md", "LICENSE"]) copyFileSync(join(root, text), join(library, text));

// Built aside and put in place at the end: whoever uses the last build meanwhile never sees half of one.
const dist = join(library, "dist");
const outDir = `${dist}-${process.pid}`;
try {
  const { build } = await import("tsdown");
  await build({ cwd: library, outDir, logLevel: "warn" });
  rmSync(dist, { recursive: true, force: true });
  renameSync(outDir, dist);
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
