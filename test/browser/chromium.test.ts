import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { openPage, serve } from "./serve.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

it("a page imports the library by public name, and WebGL 2 is there", async () => {
  const folder = mkdtempSync(join(root, "node_modules/.cache-page-"));
  writeFileSync(
    join(folder, "index.html"),
    `<script type="module">
      import { createWorld } from "espalier";
      window.count = createWorld().count;
      window.webgl = document.createElement("canvas").getContext("webgl2") !== null;
    </script>`,
  );
  const served = await serve(folder);
  const browser = await sharedBrowser();
  try {
    const { page, errors } = await openPage(browser, served.url);
    await page.waitForFunction("window.webgl !== undefined");
    expect(await page.evaluate("[window.count, window.webgl]")).toEqual([0, true]);
    expect(errors.filter((text) => !text.includes("favicon"))).toEqual([]);
  } finally {
    await closePages();
    await served.close();
    rmSync(folder, { recursive: true });
  }
});
