/**
 * One browser for the browser tests, which run one file after the other in one worker: starting one for each file takes longer
 * than many a test. What a page keeps (storage, permissions) ends with its context, so files do not affect each other.
 */
import type { Browser } from "playwright-core";
import { launchBrowser } from "./chromium.ts";

/**
 * Pages are put together and 2D canvases drawn by the processor: a graphics card made of software takes several times as long for
 * both, and is busy for seconds after the last frame, for which closing waits. WebGL is still drawn by it.
 */
const flags = ["--disable-gpu-compositing", "--disable-accelerated-2d-canvas"];

let running: Promise<Browser> | undefined;

/** The browser, started when first asked for and again after a crash. It ends with the process: close pages, not the browser. */
export async function sharedBrowser(): Promise<Browser> {
  if (running === undefined || !(await running).isConnected()) running = launchBrowser(flags);
  return await running;
}

/** Closes all pages that are open, with what they keep. For the end of a file. */
export async function closePages(): Promise<void> {
  const browser = await running;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}
