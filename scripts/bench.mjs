/**
 * `npm run bench [-- <suite>] [-- --json --quick]`: bench/run.mjs on a fresh build.
 *
 * The peer libraries have their own package.json and lockfile in bench/, so that only
 * those who measure install them. Nothing but the results goes to stdout.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, run } from "./workspace.mjs";

const bench = join(root, "bench");
ensureInstalled();
if (existsSync(join(bench, "package-lock.json"))) ensureInstalled(bench);
ensureBuilt();
process.exitCode = run(process.execPath, [join(bench, "run.mjs"), ...process.argv.slice(2)]);
