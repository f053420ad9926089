/**
 * A page in a headless Chromium that runs a bundled script: for what cannot be measured in Node. The Chromium is the one of
 * the browser tests.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const repository = new URL("../../", import.meta.url);

/** Isolated from other origins, a page has a clock of 5 µs; otherwise of 100. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Opens a page in which `file`, bundled with everything it imports, has run. It can collect garbage: `gc()`. */
export async function openPage(file) {
  const { open } = await servePage(file);
  return open();
}

/**
 * The same for several pages of one browser, each in a process of its own: `open("?subject=three")`. Closing the browser ends
 * everything.
 */
export async function servePage(file) {
  const { launchChromium } = await importTypeScript(new URL("test/browser/chromium.ts", repository));
  const script = await bundle(fileURLToPath(file), "browser");
  const server = createServer(({ url }, response) => {
    const isScript = url === "/page.mjs";
    const type = isScript ? "text/javascript" : "text/html";
    response.writeHead(200, { ...headers, "Content-Type": `${type}; charset=utf-8` });
    response.end(isScript ? script : '<!doctype html><body><script type="module" src="/page.mjs"></script>');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const browser = await launchChromium([
    "--js-flags=--expose-gc",
    "--autoplay-policy=no-user-gesture-required",
  ]);
  async function open(query = "") {
    const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/${query}`);
    if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error("the page has a coarse clock");
    return page;
  }
  return { browser, open };
}

async function bundle(path, platform) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: "esm",
    platform,
    packages: platform === "node" ? "external" : "bundle",
    // The page and the library share one copy of Pixi and of three.js.
    alias: { "pixi.js": installed("pixi.js"), three: installed("three") },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  return outputFiles[0].text;
}

function installed(name) {
  return fileURLToPath(new URL(`node_modules/${name}`, repository));
}

/** Node of this age cannot read types: the file is bundled beside the packages it imports. */
async function importTypeScript(url) {
  const folder = new URL("node_modules/.cache/espalier/", repository);
  mkdirSync(folder, { recursive: true });
  const target = new URL(`bench-${process.pid}.mjs`, folder);
  writeFileSync(target, await bundle(fileURLToPath(url), "node"));
  return import(pathToFileURL(fileURLToPath(target)).href);
}
