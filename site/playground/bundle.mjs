/**
 * The worker that runs programs, with the library in it: bundled apart from the pages, because it wants the checks of
 * development, and pages are built for production.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { publicNames } from "../../scripts/public-names.mjs";
import { root } from "../../scripts/workspace.mjs";

/**
 * Writes `worker.js` and its parts.
 *
 * @param {string} outdir
 */
export async function bundlePlayground(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: { worker: join(root, "site/playground/worker.ts") },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    // Errors are shown by the names of their classes.
    keepNames: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["browser", "module", "import"],
    define: { "process.env.NODE_ENV": '"development"' },
    alias: Object.fromEntries(publicNames().map(({ name, source }) => [name, source])),
    // What the library draws with is installed in the root.
    nodePaths: [join(root, "node_modules")],
    logLevel: "warning",
  });
}
