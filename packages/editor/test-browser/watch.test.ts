import type { AddressInfo } from "node:net";
import { type Component, component, createWorld, f32, type Schema } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { closePages, sharedBrowser } from "../../../test/browser/shared-browser.ts";
import { type SocketLike, socketChannel } from "../src/devtool/channel.ts";
import { shareWorld } from "../src/devtool/share-world.ts";
import { openEditor, row, type ServedEditor, serveEditor } from "./editor-page.ts";

let browser: Browser;
let served: ServedEditor;

beforeAll(async () => {
  [browser, served] = await Promise.all([sharedBrowser(), serveEditor()]);
});
afterAll(async () => {
  await closePages();
  await served.close();
});

describe("a world elsewhere", () => {
  it("in Node is shown at ?watch=ws://…, follows it, and takes edits", async () => {
    const Health = component("Health", { hp: f32(100) });
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const tank = world.spawn(space.at(1, 2), Health);
    tree.setName(tank, "tank");
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    const ends: (() => void)[] = [() => server.close()];
    try {
      await new Promise<void>((resolve) => server.once("listening", resolve));
      server.once("connection", (socket) => {
        ends.push(shareWorld(socketChannel(socket as unknown as SocketLike), { world, tree, rate: 20 }));
        ends.push(() => (socket as unknown as SocketLike).close());
      });
      const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { page, errors } = await openEditor(
        browser,
        `${served.url}&watch=${encodeURIComponent(address)}`,
      );
      await row(page, "tank").click();
      const hp = page.getByLabel("Health hp", { exact: true });
      await hp.waitFor();
      world.set(tank, Health as Component<Schema>, { hp: 41 });
      await page.waitForFunction(
        () => (document.querySelector('[aria-label="Health hp"]') as HTMLInputElement).value === "41",
      );
      await hp.fill("7");
      await hp.press("Enter");
      await expect.poll(() => world.get(tank, Health)?.hp).toBe(7);
      tree.setName(tree.attachNew(tank, space.at(0, 1)), "turret");
      // The key opens a row only once the page has heard of its child.
      await page.locator('.esp-row[data-name="tank"][aria-expanded="false"]').waitFor();
      await row(page, "tank").press("ArrowRight");
      await row(page, "turret").waitFor();
      expect(errors).toEqual([]);
      await page.context().close();
    } finally {
      for (const end of ends.reverse()) end();
    }
  });

  it("is reported as absent until it answers, can be paused, and is reported as gone", async () => {
    const probe = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await new Promise<void>((resolve) => probe.once("listening", resolve));
    const port = (probe.address() as AddressInfo).port;
    probe.close();
    const address = `ws://127.0.0.1:${port}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${served.url}&watch=${encodeURIComponent(address)}`);
    await page.getByText(`Cannot reach ${address}. Start the game; this page keeps trying.`).waitFor();
    const world = createWorld();
    const tree = createHierarchy(world);
    tree.setName(tree.attachNew(null), "tank");
    const pausable = {
      isPaused: false,
      pause: () => {
        pausable.isPaused = true;
      },
      resume: () => {
        pausable.isPaused = false;
      },
      step: () => {},
    };
    const server = new WebSocketServer({ host: "127.0.0.1", port });
    const ends: (() => void)[] = [];
    try {
      server.once("connection", (socket) => {
        ends.push(
          shareWorld(socketChannel(socket as unknown as SocketLike), { world, tree, pausable, rate: 20 }),
          () => (socket as unknown as SocketLike).close(),
        );
      });
      await row(page, "tank").waitFor();
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await expect.poll(() => pausable.isPaused).toBe(true);
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await expect.poll(() => pausable.isPaused).toBe(false);
      server.close();
      for (const end of ends.splice(0)) end();
      await page.getByText("The game no longer answers.").waitFor();
    } finally {
      for (const end of ends) end();
      server.close();
      await context.close();
    }
  });
});
