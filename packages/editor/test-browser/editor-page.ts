/** The editor in a real browser, for tests. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Browser, Page } from "playwright-core";
import { root } from "../../../scripts/workspace.mjs";
import { launchChromium } from "../../../test/browser/chromium.ts";
import { type Served, serve } from "../../../test/browser/serve.ts";

/** Serves the editor from its source. */
export function serveEditor(): Promise<Served> {
  return serve(join(root, "packages/editor"), { plugins: [react()] });
}

export interface EditorPage {
  readonly page: Page;
  readonly errors: string[];
}

/** Opens a page of the editor and waits until it is there. */
export async function openEditor(
  browser: Browser,
  url: string,
  options: {
    readonly width?: number;
    readonly height?: number;
    readonly theme?: "dark" | "light";
    readonly scale?: number;
  } = {},
): Promise<EditorPage> {
  const { width = 1280, height = 720, theme = "dark", scale = 1 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: scale,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  await page.waitForSelector(".esp");
  return { page, errors };
}

export { launchChromium };
