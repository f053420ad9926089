/**
 * The worker and the page that run programs, with the library in them: bundled apart from the pages, because they want the checks of
 * development, and pages are built for production.
 */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { publicNames } from "../../scripts/public-names.mjs";
import { root } from "../../scripts/workspace.mjs";

/**
 * The build of Box2D without threads, for worker and frame alike. The package itself would choose the one with threads in any worker, and
 * that one wants files for its threads beside it.
 */
const box2d = join(root, "node_modules/box2d3-wasm/build/dist/es/compat/Box2D.compat");

/**
 * Writes `worker.js`, `frame.html` and their parts.
 *
 * @param {string} outdir
 */
export async function bundlePlayground(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: {
      worker: join(root, "site/playground/worker.ts"),
      frame: join(root, "site/playground/frame.ts"),
    },
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
    alias: {
      ...Object.fromEntries(publicNames().map(({ name, source }) => [name, source])),
      "@espalier/editor": join(root, "packages/editor/src/index.ts"),
      "box2d3-wasm": `${box2d}.mjs`,
    },
    // What Box2D asks for in Node.
    external: ["module"],
    // What the library draws with is installed in the root.
    nodePaths: [join(root, "node_modules")],
    logLevel: "warning",
  });
  copyFileSync(join(root, "site/playground/frame.html"), join(outdir, "frame.html"));
  // The bundled module looks for it beside itself.
  copyFileSync(`${box2d}.wasm`, join(outdir, "Box2D.compat.wasm"));
}
