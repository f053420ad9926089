/**
 * Pages for browser tests: a folder with an `index.html`, served by Vite with the library's public names
 * resolved to the source or, with `ESPALIER_TARGET=dist`, to the development build.
 */
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { createServer, type InlineConfig, type ViteDevServer } from "vite";
import { aliases } from "../../scripts/public-names.mjs";
import { root } from "../../scripts/workspace.mjs";

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `folder` on a free port of the loopback interface. */
export async function serve(folder: string, config: InlineConfig = {}): Promise<Served> {
  // A server of Vite resolves the condition `development`.
  const target = process.env.ESPALIER_TARGET === "dist" ? "development" : "source";
  const server: ViteDevServer = await createServer({
    configFile: false,
    logLevel: "error",
    root: folder,
    ...config,
    resolve: { ...config.resolve, alias: aliases(target) },
    server: { host: "127.0.0.1", port: 0, hmr: false, watch: null, fs: { allow: [root] }, ...config.server },
  });
  await server.listen();
  const { port } = server.httpServer!.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Opens a page and collects what it prints as errors and what it throws. */
export async function openPage(
  browser: Browser,
  url: string,
  viewport = { width: 1280, height: 720 },
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  return { page, errors };
}
