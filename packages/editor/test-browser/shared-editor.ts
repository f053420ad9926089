/**
 * The preamble of tests that share one page of the editor: opened before all of them, closed after them, and without an error in its
 * console after each.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openEditor, type ServedEditor, serveEditor } from "./editor-page.ts";

/** What is there once the tests run. */
export interface SharedEditor {
  readonly browser: Browser;
  readonly served: ServedEditor;
  readonly page: Page;
  /** What the page complained about since the last test. */
  readonly errors: string[];
}

/** Call it at the top of a test file. @param prepare - Fills the project folder. */
export function shareEditor(prepare?: Parameters<typeof serveEditor>[0]): SharedEditor {
  const shared = {} as { -readonly [key in keyof SharedEditor]: SharedEditor[key] };
  beforeAll(async () => {
    const [browser, served] = await Promise.all([sharedBrowser(), serveEditor(prepare)]);
    const { page, errors } = await openEditor(browser, served.url);
    Object.assign(shared, { browser, served, page, errors });
  });
  afterAll(async () => {
    await closePages();
    await shared.served.close();
  });
  afterEach(() => {
    expect(shared.errors).toEqual([]);
  });
  return shared;
}

/** The names of the rows on the page. */
export async function rowNames(page: Page): Promise<(string | undefined)[]> {
  return await page
    .locator(".esp-row")
    .evaluateAll((rows) => rows.map((one) => (one as HTMLElement).dataset.name));
}
