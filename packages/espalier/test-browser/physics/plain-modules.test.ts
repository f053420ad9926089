import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { publicNames } from "../../../../scripts/public-names.mjs";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";

const types: { readonly [extension: string]: string } = {
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

const imports = {
  ...Object.fromEntries(
    publicNames().map(({ name, dist }) => [name, dist.slice(root.length).replaceAll("\\", "/")]),
  ),
  "box2d3-wasm": "/node_modules/box2d3-wasm/build/dist/es/entry.mjs",
};

const page = `<!doctype html>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
  import { createWorld } from "espalier";
  import { createHierarchy } from "espalier/hierarchy";
  import { Collider, createPhysics, RigidBody } from "espalier/physics";
  import { loadBox2D } from "espalier/physics/box2d";
  import { createTransforms2D } from "espalier/transform";

  const world = createWorld();
  const space = createTransforms2D(createHierarchy(world));
  const physics = createPhysics(space, await loadBox2D());
  const ball = world.spawn(space.at(0, 10), RigidBody, Collider({ shapes: [{ type: "circle", radius: 1 }] }));
  for (let k = 0; k < 60; k++) physics.step(1 / 60);
  window.height = space.localOf(ball).y;
</script>`;

// The build is what a page without a bundler loads.
it.skipIf(process.env.ESPALIER_TARGET !== "dist")(
  "a page without a bundler loads the engine through an import map",
  async () => {
    const server = createServer(({ url = "/" }, response) => {
      if (url === "/") {
        response.setHeader("Content-Type", "text/html").end(page);
        return;
      }
      try {
        const file = normalize(join(root, url));
        response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
        response.end(readFileSync(file));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await sharedBrowser();
    try {
      const { port } = server.address() as AddressInfo;
      const { page: opened, errors } = await openPage(browser, `http://127.0.0.1:${port}/`);
      await opened.waitForFunction("window.height !== undefined");
      expect(await opened.evaluate("window.height")).toBeCloseTo(4.9, 0);
      expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
    } finally {
      await closePages();
      server.close();
    }
  },
);
