/** `npm run api`: writes the reports of the public surface, `packages/<name>/api/<entry>.md`, on a fresh build. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apiReports } from "./api-report.mjs";
import { builtPackages, ensureBuilt, ensureInstalled } from "./workspace.mjs";

ensureInstalled();
ensureBuilt();
for (const folder of builtPackages) {
  rmSync(join(folder, "api"), { recursive: true, force: true });
  for (const [entry, text] of apiReports(folder)) {
    const file = join(folder, "api", `${entry}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
