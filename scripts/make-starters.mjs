/**
 * Writes `starters/`: each template as a plain folder, as `espalier new` makes it, for sandboxes that open a folder of a repository by its address. A test
 * compares. `node scripts/make-starters.mjs`, after a change of a template.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, root } from "./workspace.mjs";

ensureBuilt();
const folder = join(root, "starters");
const program = join(root, "packages/cli/dist/main.mjs");
mkdirSync(folder, { recursive: true });
for (const name of ["canvas", "pixi", "three", "physics", "react-three", "complete"]) {
  rmSync(join(folder, name), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [program, "new", name, "--no-install", "--template", name], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.exit(1);
}
