/** The longest task of a page while something happens, on the processor: other programs of the machine do not count. */
import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly message?: string; readonly name?: string } };
}

/** In milliseconds. */
export async function longestTask(
  browser: Browser,
  page: Page,
  run: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  let trace: Buffer;
  try {
    await page.evaluate("console.timeStamp('espalier')");
    await run();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const stamp = traceEvents.find(
    ({ name, args }) => name === "TimeStamp" && (args?.data?.message ?? args?.data?.name) === "espalier",
  );
  if (stamp === undefined) throw new Error("The trace does not say which thread the page runs in.");
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      name.endsWith("RunTask") && ph === "X" && pid === stamp.pid && tid === stamp.tid,
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
