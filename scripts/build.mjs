/** `npm run build`: packages/espalier/dist, and the texts of the repository that npm wants inside the package. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, root } from "./workspace.mjs";

ensureInstalled();
const library = join(root, "packages/espalier");
for (const text of ["README.md", "LICENSE"]) copyFileSync(join(root, text), join(library, text));
const { build } = await import("tsdown");
await build({ cwd: library, logLevel: "warn" });
