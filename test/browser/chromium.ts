/**
 * One headless Chromium for the browser tests, from the first source that has one: `CHROME_PATH`, a system
 * Chromium or Chrome, the one packed in `@sparticuz/chromium`. Fails loudly when there is none.
 */
import { existsSync } from "node:fs";
import { type Browser, chromium, firefox, webkit } from "playwright-core";

const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** WebGL by software; no sandbox, because CI often runs as root; no background traffic. */
const flags = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
  "--use-angle=swiftshader",
  "--force-color-profile=srgb",
];

/** The executable to start. */
export async function chromiumPath(): Promise<string> {
  const given = process.env.CHROME_PATH;
  if (given !== undefined && given !== "") {
    if (!existsSync(given)) throw new Error(`CHROME_PATH is ${given}, and no such file exists.`);
    return given;
  }
  const installed = systemPaths.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    return await packed.executablePath();
  } catch (error) {
    throw new Error(
      "No Chromium found for the browser tests. Set CHROME_PATH to one, or install chromium or Chrome.",
      { cause: error },
    );
  }
}

/**
 * The browser of `ESPALIER_BROWSER`: `firefox` or `webkit`, as `npx playwright-core install` installs them, or Chromium from wherever it is.
 * For tests that hold in every browser; those that compare pictures are for Chromium.
 *
 * @param more - Flags for Chromium.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const name = process.env.ESPALIER_BROWSER || "chromium";
  if (name === "chromium") return launchChromium(more);
  if (name === "firefox") return firefox.launch({ headless: true });
  if (name === "webkit") return webkit.launch({ headless: true });
  throw new Error(`ESPALIER_BROWSER is ${name}; it can be chromium, firefox or webkit.`);
}

/**
 * Starts it. Close it when done.
 *
 * @param more - Flags beside those that all tests have.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const args = [...flags, ...more];
  return await chromium.launch({ executablePath: await chromiumPath(), args, headless: true });
}
