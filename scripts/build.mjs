/** `npm run build`: packages/espalier/dist, and the texts of the repository that npm wants inside the package. */
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root, tool } from "./workspace.mjs";

ensureInstalled();
const library = join(root, "packages/espalier");
for (const text of ["README.md", "LICENSE"]) {
  if (existsSync(join(root, text))) copyFileSync(join(root, text), join(library, text));
}
process.exitCode = tool("tsdown/dist/run.mjs", ["--logLevel", "warn"], { cwd: library });
