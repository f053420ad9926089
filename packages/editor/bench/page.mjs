/** A page of a folder, built as for users (production, React included), in a headless Chromium. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, preview, transformWithOxc } from "vite";
import { aliases } from "../../../scripts/public-names.mjs";

export const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/[\\/]$/, "");

/** @param {string} folder Holds an `index.html`. */
export async function openBuilt(folder, { width = 1280, height = 720, minify = true } = {}) {
  const { launchChromium } = await importTypeScript("test/browser/chromium.ts");
  const shared = { configFile: false, logLevel: "error", root: folder };
  // Built once, however often it is opened.
  if (!existsSync(join(folder, "dist")))
    await build({
      ...shared,
      mode: "production",
      plugins: [staticRooms(), react()],
      resolve: { alias: aliases("source") },
      worker: { format: "es" },
      build: { minify, chunkSizeWarningLimit: 10_000, reportCompressedSize: false, target: "es2022" },
    });
  const served = await preview({ ...shared, preview: { host: "127.0.0.1", port: 0 } });
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width, height } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`http://127.0.0.1:${served.httpServer.address().port}/`);
  return {
    page,
    errors,
    async close() {
      await browser.close();
      await served.close();
    },
  };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** The median with the bounds of its interval of 95 %: order statistics, which assume nothing of how the values lie. */
export function medianInterval(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const reach = 0.98 * Math.sqrt(sorted.length);
  const at = (place) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(place)))] ?? 0;
  const middle = (sorted.length - 1) / 2;
  return [at(Math.floor(middle - reach)), median(sorted), at(Math.ceil(middle + reach))];
}

/** The benchmark imports its rooms by computed names, which a bundler cannot follow. */
function staticRooms() {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what stands there
  const from = "rooms.map((room) => import(`espalier${room}`))";
  const to =
    '[import("espalier"), import("espalier/hierarchy"), import("espalier/transform"), import("espalier/inherit"), import("espalier/history"), import("espalier/scene")]';
  return {
    name: "espalier:static-rooms",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("bench/flagship/espalier.mjs")) return undefined;
      if (!code.includes(from)) this.error(`${id} imports its rooms in another way than expected.`);
      return { code: code.replace(from, to), map: null };
    },
  };
}

/** Loads a TypeScript file of the repository, without what it imports by relative paths. */
export async function importTypeScript(path) {
  const folder = join(root, "node_modules/.cache/espalier");
  mkdirSync(folder, { recursive: true });
  const { code } = await transformWithOxc(readFileSync(join(root, path), "utf8"), path);
  const target = join(folder, `bench-${process.pid}.mjs`);
  writeFileSync(target, code);
  return import(pathToFileURL(target).href);
}
