/**
 * The examples of the browser as plain files, for the documentation site: one folder each, on the source of the library.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { aliases } from "./public-names.mjs";
import { root } from "./workspace.mjs";

const folder = join(root, "examples/browser");

/** The names of the examples that have a page. */
export function galleryExamples() {
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "example.json")));
}

/**
 * Writes `<outDir>/<name>/index.html` and what the pages share. Paths are relative, so that they can be served from anywhere.
 *
 * @param {string} outDir
 */
export async function buildGallery(outDir) {
  await build({
    configFile: false,
    root: folder,
    base: "./",
    logLevel: "warn",
    resolve: { alias: aliases("source") },
    // Workers that import: plain scripts have no modules.
    worker: { format: "es" },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: Object.fromEntries(galleryExamples().map((name) => [name, join(folder, name, "index.html")])),
      },
    },
  });
}
