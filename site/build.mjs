/**
 * `npm run docs [-- --base /espalier/] [--out folder]`: builds the documentation site into `site/dist`, on a fresh clone too.
 *
 * Pages are made from `docs/`, the reference from the doc comments of the source, the playground from the source of the library.
 * A link or an anchor that leads nowhere fails the build. `npm run docs -- --serve` shows the site and follows changes of `docs/` on a restart.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root } from "../scripts/workspace.mjs";

const { values } = parseArgs({
  options: {
    base: { type: "string", default: "/" },
    out: { type: "string", default: resolve(root, "site/dist") },
    serve: { type: "boolean", default: false },
  },
});
if (!/^\/(.*\/)?$/.test(values.base)) {
  console.error(`--base is ${values.base}; it starts and ends with a slash: /espalier/`);
  process.exit(1);
}

ensureInstalled();
ensureInstalled(resolve(root, "site"));
const { makePages, pagesFolder } = await import("./pages.mjs");
const { makeReference } = await import("./reference.mjs");
const { bundlePlayground } = await import("./playground/bundle.mjs");
const { buildGallery } = await import("../scripts/build-gallery.mjs");
makePages();
await Promise.all([
  makeReference(resolve(pagesFolder, "reference")),
  bundlePlayground(resolve(pagesFolder, "public/playground")),
  buildGallery(resolve(pagesFolder, "public/examples/live")),
]);

const { build, createServer } = await import("vitepress");
const site = resolve(root, "site");
if (values.serve) {
  const server = await createServer(site, { base: values.base });
  await server.listen();
  server.printUrls();
} else {
  await build(site, { base: values.base, outDir: resolve(values.out) });
  const { deadLinks } = await import("./dead-links.mjs");
  const dead = deadLinks(resolve(values.out), values.base);
  if (dead.length > 0) {
    console.error(`Links that lead nowhere:\n${dead.join("\n")}`);
    process.exitCode = 1;
  }
}
