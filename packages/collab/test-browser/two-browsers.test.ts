/** Two real browsers edit one scene through the relay. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, expect, it } from "vitest";
import { aliases } from "../../../scripts/public-names.mjs";
import { root } from "../../../scripts/workspace.mjs";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { openRelay } from "../src/relay/index.ts";

const program = `
import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat } from "espalier/scene";
import { joinScene } from "@espalier/collab";

const Health = component("Health", { hp: f32(100) });
const format = createSceneFormat({ components: [Health] });
window.start = async (url, name) => {
  const scene = format.load(createHierarchy(createWorld()), '{ "entities": [{ "id": "tank" }, { "id": "rock" }] }');
  const session = await joinScene(scene, { format, url, token: "secret", room: "level", user: { name } });
  const { tree } = scene;
  Object.assign(window, {
    damage: (id, hp) => session.undo.step("Damage", () => tree.world.has(scene.entity(id), Health) ? tree.world.set(scene.entity(id), Health, { hp }) : tree.world.add(scene.entity(id), Health({ hp }))),
    move: (id, parent) => session.undo.step("Move", () => tree.attach(scene.entity(id), scene.entity(parent))),
    undo: () => session.undo.undo(),
    point: (id) => session.setPresence({ selection: [scene.entity(id)], cursor: { x: 1, y: 2 } }),
    save: () => scene.save(),
    connection: () => session.status,
    others: () => session.others.map(({ name, selection, cursor }) => [name, selection.map((e) => scene.idOf(e)), cursor]),
  });
};
`;

const folder = mkdtempSync(join(tmpdir(), "espalier-collab-"));
const servers: Server[] = [];
afterAll(async () => {
  await closePages();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The program as one script: the engine's WebAssembly comes as text in it. */
async function bundle(): Promise<string> {
  const entry = join(folder, "main.js");
  writeFileSync(entry, program);
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: {
      alias: [
        ...aliases(process.env.ESPALIER_TARGET === "dist" ? "dist" : "source"),
        { find: /^loro-crdt$/, replacement: "loro-crdt/base64" },
      ],
    },
    build: {
      write: false,
      target: "esnext",
      minify: false,
      lib: { entry, formats: ["es"], fileName: "main" },
    },
  });
  const [{ output }] = result as unknown as [{ output: [{ code: string }] }];
  return output[0].code;
}

async function serve(script: string): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/main.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(
      isScript ? script : `<!doctype html><title>scene</title><script type="module" src="/main.js"></script>`,
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("two browsers have the same scene, see each other and undo their own edits", async () => {
  const address = await serve(await bundle());
  const relay = await openRelay({ token: "secret" });
  const browser = await sharedBrowser();
  const open = async (name: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(address);
    await page.waitForFunction("window.start !== undefined");
    await page.evaluate(`start(${JSON.stringify(relay.url)}, ${JSON.stringify(name)})`);
    return page;
  };
  const ada = await open("Ada");
  const bob = await open("Bob");
  const isSame = async () => (await ada.evaluate("save()")) === (await bob.evaluate("save()"));

  await Promise.all([ada.evaluate(`damage("tank", 5)`), bob.evaluate(`move("rock", "tank")`)]);
  await expect.poll(() => bob.evaluate("save()")).toContain(`"hp": 5`);
  await expect.poll(() => ada.evaluate("save()")).toContain(`"parent": "tank"`);
  await expect.poll(isSame).toBe(true);

  await bob.evaluate(`point("rock")`);
  await expect.poll(() => ada.evaluate("others()")).toEqual([["Bob", ["rock"], { x: 1, y: 2 }]]);

  await ada.evaluate("undo()");
  await expect.poll(() => bob.evaluate("save()")).not.toContain("Health");
  expect(await ada.evaluate("save()")).toContain(`"parent": "tank"`);

  // Away for a while.
  const { port } = relay;
  await relay.close();
  await expect.poll(() => ada.evaluate("connection()")).toBe("offline");
  await ada.evaluate(`damage("rock", 7)`);
  await bob.evaluate(`damage("tank", 9)`);
  const again = await openRelay({ port, token: "secret" });
  await expect.poll(() => bob.evaluate("save()"), { timeout: 60_000 }).toContain(`"hp": 7`);
  await expect.poll(() => ada.evaluate("save()"), { timeout: 60_000 }).toContain(`"hp": 9`);
  await expect.poll(isSame).toBe(true);
  await again.close();
});
