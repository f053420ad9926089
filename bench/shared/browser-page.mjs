/**
 * A page in a headless Chromium that runs a bundled script: for what cannot be measured in Node. The Chromium is the one of
 * the browser tests.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const repository = new URL("../../", import.meta.url);

/** Opens a page in which `file`, bundled with everything it imports, has run. */
export async function openPage(file) {
  const { launchChromium } = await importTypeScript(new URL("test/browser/chromium.ts", repository));
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.on("pageerror", (error) => console.error(String(error)));
  await page.addScriptTag({ content: await bundle(fileURLToPath(file), "browser"), type: "module" });
  return page;
}

async function bundle(path, platform) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: "esm",
    platform,
    packages: platform === "node" ? "external" : "bundle",
    // The page and the library share one copy of Pixi.
    alias: { "pixi.js": fileURLToPath(new URL("node_modules/pixi.js", repository)) },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/** Node of this age cannot read types: the file is bundled beside the packages it imports. */
async function importTypeScript(url) {
  const folder = new URL("node_modules/.cache/espalier/", repository);
  mkdirSync(folder, { recursive: true });
  const target = new URL(`bench-${process.pid}.mjs`, folder);
  writeFileSync(target, await bundle(fileURLToPath(url), "node"));
  return import(pathToFileURL(fileURLToPath(target)).href);
}
