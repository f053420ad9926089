/**
 * The documentation site, built by test/setup/site.ts and served as plain files below a path. Its links are checked by the build. Here: pages
 * ask no other server for anything, search works, and the playground runs, redraws the tree, shares and reports errors.
 */
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { deadLinks } from "../../site/dead-links.mjs";
import { canRun } from "../../site/playground/imports.mjs";
import { documents, snippetsOf } from "../docs/documents.ts";
import { base, type ProgramEnd, runNode } from "../setup/site.ts";
import { closePages, sharedBrowser } from "./shared-browser.ts";

/** For what waits for a worker to fetch the library, on a machine that is busy. */
const patiently = { timeout: 20_000 };
let folder: string;
let server: Server;
let browser: Browser;
let url: string;
let checked: Promise<ProgramEnd>;

/** A program of a guide that needs a page: which of the snippets of its page it is. */
interface ForPage {
  readonly path: string;
  /** For the title of a test. */
  readonly where: string;
  readonly code: string;
  readonly nth: number;
}

/** All of them. */
const forPages: readonly ForPage[] = documents().flatMap((document) =>
  snippetsOf(document)
    .filter(({ project, code }) => !project && canRun(code))
    .flatMap(({ browser: needsPage, path, line, code }, nth) =>
      needsPage ? [{ path, where: `${path}:${line}`, code, nth }] : [],
    ),
);

/** Whether a program draws on a canvas of its page. Others have elements, or only listen. */
const draws = (code: string): boolean => /canvas|PixiRenderer|PixiBackend/i.test(code);

/** The page of the site: `guide/game.html` is `docs/guide/game.md`. */
const pageOf = (path: string): string => path.replace(/^docs\/(.*)\.md$/, "$1.html");

beforeAll(async () => {
  folder = await builtSite();
  // The build has installed what the site needs, the compiler included.
  const tsc = join(root, "site/node_modules/typescript/bin/tsc");
  checked = runNode([tsc, "--noEmit", "-p", join(root, "site")]).ended;
  server = serveFiles(folder);
  await once(server, "listening");
  browser = await sharedBrowser();
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
}, 600_000);
afterAll(async () => {
  await closePages();
  server?.close();
});

describe("the site", () => {
  it("shows its pages without an error and requests nothing from other servers", async () => {
    const paths = [
      "",
      "guide/hierarchy.html",
      "reference/espalier/hierarchy/",
      "reference/espalier/hierarchy/functions/createHierarchy.html",
      "reference/@espalier/colyseus/client/functions/follow.html",
      "changelog.html",
      "errors/",
      "gallery.html",
    ];
    // All at once: each waits half a second for requests that do not come.
    const visit = async (path: string) => {
      const { page, problems } = await open(path);
      await page.waitForSelector("h1");
      await page.waitForLoadState("networkidle");
      const missing = await page.evaluate<string[]>(
        "[...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src)",
      );
      expect([...problems, ...missing], path).toEqual([]);
      await page.close();
    };
    await Promise.all(paths.map(visit));
  });

  it("lists the guides for assistants, in learning order, without a dead link", () => {
    const list = readFileSync(join(folder, "llms.txt"), "utf8");
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]!);
    expect(links[0]).toBe("guide/getting-started.html");
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
  });

  it("has the examples of the gallery as pages of their own", async () => {
    const { page } = await open("gallery.html");
    const links = await page
      .locator(".gallery a")
      .evaluateAll((all) => all.map((link) => (link as never as { href: string }).href));
    expect(links.length).toBeGreaterThan(3);
    await page.close();
    for (const link of links) {
      const opened = await open(`${link.slice(url.length)}?time=3`);
      await opened.page.waitForFunction("window.ready === true", undefined, { timeout: 60_000 });
      expect(opened.problems, link).toEqual([]);
      await opened.page.close();
    }
  });

  it("finds pages by a word, without a network, guides first and the page of the exported name with them", async () => {
    const { page, problems } = await open("guide/ecs.html");
    await page.locator(".VPNavBarSearch button").click();
    const found = async (word: string) => {
      await page.locator("#localsearch-input").fill(word);
      const links = page.locator("#localsearch-list a");
      await expect.poll(() => links.count(), patiently).toBeGreaterThan(0);
      return links.evaluateAll((all) => all.map((link) => (link as never as { href: string }).href));
    };
    const finds = (word: string, first: string, also: string) =>
      expect
        .poll(async () => {
          const links = (await found(word)).map((link) => link.slice(url.length).split("#")[0]);
          return { first: links[0], also: links.find((link) => link === also) };
        }, patiently)
        .toEqual({ first, also });
    await finds("printTree", "guide/hierarchy.html", "reference/espalier/hierarchy/functions/printTree.html");
    await finds(
      "Transform2D",
      "guide/transforms.html",
      "reference/espalier/transform/variables/Transform2D.html",
    );
    await finds("reparentChild", "guide/coming-from-pixi.html", "guide/coming-from-pixi.html");
    expect(problems).toEqual([]);
    await page.close();
  });

  it("shows the version with the changelog, and an icon", async () => {
    const { page } = await open("guide/ecs.html");
    const { version } = JSON.parse(readFileSync(join(root, "packages/espalier/package.json"), "utf8"));
    await page.getByRole("button", { name: version }).first().hover();
    await page.getByRole("link", { name: "Changelog" }).first().click();
    await expect.poll(() => page.locator("h1").first().textContent(), patiently).toContain("Changelog");
    const icon = await page.locator('link[rel="icon"]').getAttribute("href");
    expect((await page.request.get(new URL(icon ?? "", url).href)).status()).toBe(200);
    await page.close();
  });

  it("names links that lead to no page or to no heading", () => {
    const made = mkdtempSync(join(tmpdir(), "espalier-links-"));
    writeFileSync(join(made, "index.html"), '<h2 id="top">x</h2><a href="#top"></a><a href="#gone"></a>');
    writeFileSync(
      join(made, "a.html"),
      '<a href="/b/#top"></a><a href="./index.html#no"></a><a href="c.html"></a><a href="https://x.y/z"></a>',
    );
    expect(deadLinks(made, "/b/")).toEqual([
      "a.html: ./index.html#no",
      "a.html: c.html",
      "index.html: #gone",
    ]);
    rmSync(made, { recursive: true });
  });
});

describe("the playground", () => {
  it("runs a snippet of a guide, and again after an edit: the tree is redrawn", async () => {
    const { page, problems } = await open("guide/hierarchy.html");
    const snippet = page.locator(".snippet").first();
    await snippet.getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => labels(page), patiently).toEqual(["tank#1", "turret#2", "barrel#3", "tracks#4"]);

    await snippet.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("\ntree.setName(tree.attachNew(named.tracks), 'mud');\n");
    await snippet.getByRole("button", { name: "Run" }).click();
    await expect
      .poll(() => labels(page), patiently)
      .toEqual(["tank#1", "turret#2", "barrel#3", "tracks#4", "mud#5"]);

    // One step back: the tree as it was before the name was given.
    await snippet.getByRole("button", { name: "Step back" }).click();
    await expect.poll(() => labels(page), patiently).toEqual(["tank#1", "turret#2", "barrel#3", "tracks#4"]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it("says of which file of a project a program is that cannot be run in the page", async () => {
    const { page } = await open("guide/testing.html");
    await page.getByText("Not run here: it is test/arena.test.ts of a project.").waitFor(patiently);
    await page.close();
  });

  it("gives a snippet that continues another what stands above it", async () => {
    const { page } = await open("guide/hierarchy.html");
    const snippet = page.locator(".snippet").nth(1);
    await snippet.getByRole("button", { name: "Run" }).click();
    const lines = async () =>
      (await snippet.locator(".output .line").allInnerTexts()).map((line) => line.replace(/\s+/g, " "));
    await expect.poll(lines, patiently).toHaveLength(4);
    const [attached, children, answer, error] = await lines();
    expect([attached, children, answer]).toEqual(["2 true", "3 [3, 2, 4]", "4 false"]);
    expect(error).toContain("5 CircularHierarchyError: Cannot move tank#1 under barrel#3");
    const link = snippet.locator(".output .line a");
    expect(await link.textContent()).toBe("hierarchy/cycle");
    await link.click();
    await expect.poll(() => page.locator("h1").textContent()).toContain("hierarchy/cycle");
    await page.close();
  });

  it("puts a program into an address that shows it again elsewhere", async () => {
    const { page } = await open("playground.html");
    await expect.poll(() => labels(page), patiently).toContain("barrel#3");
    const code =
      'import { createWorld } from "espalier";\nconst world = createWorld();\nworld.spawnMany(3);\nconsole.log("größe ✓", world.count);';
    await page.locator(".cm-content").fill(code);
    await page.getByRole("button", { name: "Share" }).click();
    await expect.poll(() => page.url()).toContain("#code=");
    const shared = page.url();
    await page.close();

    const other = await open(shared.slice(url.length));
    await expect
      .poll(() => other.page.locator(".output .line").allInnerTexts(), patiently)
      .toContainEqual(expect.stringContaining("größe ✓ 3"));
    await expect.poll(() => labels(other.page)).toEqual(["#1", "#2", "#3"]);
    expect((await other.page.locator(".cm-line").allInnerTexts()).join("\n")).toBe(code);
    expect(other.problems).toEqual([]);
    await other.page.close();
  });

  it("says where a program is wrong, and ends one that never ends", async () => {
    const { page } = await open("playground.html");
    await expect.poll(() => labels(page), patiently).toContain("barrel#3");
    const run = async (code: string) => {
      await page.locator(".cm-content").fill(code);
      await page.getByRole("button", { name: "Run" }).click();
    };
    const errors = () => page.locator(".line.error").allInnerTexts();
    await run("const a = 1;\nconst b = ;");
    await expect.poll(errors, patiently).toContainEqual(expect.stringMatching(/^2\s/));
    await run('import fs from "fs";\nfs.readFileSync("x");');
    await expect
      .poll(errors, patiently)
      .toContainEqual(expect.stringContaining('The playground has no "fs"'));
    await run("for (;;) {}");
    await expect
      .poll(errors, { timeout: 15_000 })
      .toContainEqual(expect.stringContaining("longer than five seconds"));
    await page.close();
  });

  it.each(forPages.filter(({ code }) => draws(code)))(
    "gives a program of a guide a page, where it draws: $where",
    async ({ path, nth }) => {
      const { page, problems } = await open(pageOf(path));
      const snippet = page.locator(".snippet").nth(nth);
      await snippet.getByRole("button", { name: "Run" }).click();
      const canvas = snippet.frameLocator(".screen").locator("canvas").last();
      await expect.poll(async () => coloursIn(await canvas.screenshot()), patiently).toBeGreaterThan(1);
      expect(await snippet.locator(".line.error").allInnerTexts()).toEqual([]);
      await expect.poll(() => labels(page), patiently).not.toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it.each(forPages.filter(({ code }) => !draws(code)))(
    "gives a program of a guide a page, where it runs to its end: $where",
    async ({ path, nth }) => {
      const { page, problems } = await open(pageOf(path));
      const snippet = page.locator(".snippet").nth(nth);
      await snippet.getByRole("button", { name: "Run" }).click();
      await expect
        .poll(async () => (await snippet.locator(".output").textContent())?.trim(), patiently)
        .not.toMatch(/^(Running…|Output appears here\.)$/);
      expect(await snippet.locator(".line.error").allInnerTexts()).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it("runs a program with React in a page, and draws the tree again when a click changes it", async () => {
    const { path, nth } = forPages.find(({ code }) => code.includes("Hurt all")) as ForPage;
    const { page, problems } = await open(pageOf(path));
    const snippet = page.locator(".snippet").nth(nth);
    await snippet.getByRole("button", { name: "Run" }).click();
    const screen = snippet.frameLocator(".screen");
    await screen.getByRole("button", { name: "Hurt all" }).click(patiently);
    await expect.poll(() => screen.locator("li").allInnerTexts(), patiently).toEqual(["60", "10"]);
    await expect
      .poll(() => page.locator(".tree-view .node").allInnerTexts(), patiently)
      .toContainEqual(expect.stringMatching(/hp: 60/));
    expect(problems).toEqual([]);
    await page.close();
  });

  it("shows the editor over a world of the program, and runs a shared program with a page only when asked", async () => {
    const { page, problems } = await open("playground.html");
    await page.locator("select").selectOption("The editor");
    const editor = page.frameLocator(".screen");
    await editor.getByText("turret").first().waitFor(patiently);
    await page.getByRole("button", { name: "Share" }).click();
    await expect.poll(() => page.url()).toContain("#code=");
    const shared = page.url();
    expect(problems).toEqual([]);
    await page.close();

    const other = await open(shared.slice(url.length));
    await expect
      .poll(() => other.page.locator(".cm-content").textContent(), patiently)
      .toContain("mountEditor");
    expect(await other.page.locator(".screen").count()).toBe(0);
    await other.page.getByRole("button", { name: "Run" }).click();
    await other.page.frameLocator(".screen").getByText("turret").first().waitFor(patiently);
    await other.page.close();
  });

  it("runs every snippet of the guides, every example and some of the error pages, without an error they do not announce", async () => {
    const snippetsIn = (folder: string) =>
      documents()
        .filter((path) => path.startsWith(folder))
        .flatMap(snippetsOf)
        .filter((snippet) => snippet.run && canRun(snippet.code))
        .map(({ path, line, code }) => ({ where: `${path}:${line}`, code }));
    // Error pages are many and alike, and each program takes a worker.
    const errors = snippetsIn("docs/errors/").filter((_, index) => index % 4 === 0);
    const snippets = [...snippetsIn("docs/guide/"), ...errors];
    const examples = readdirSync(join(root, "examples"))
      .map((name) => `examples/${name}/main.ts`)
      .filter((path) => existsSync(join(root, path)))
      .map((path) => ({ where: path, code: readFileSync(join(root, path), "utf8") }))
      .filter(({ code }) => canRun(code));
    const programs = [...snippets, ...examples];
    expect(examples.length).toBeGreaterThan(10);
    expect(programs.length).toBeGreaterThan(200);
    const { page } = await open("playground.html");
    const wrong = await page.evaluate(runAll, { programs, worker: `${base}playground/worker.js` });
    expect(wrong).toEqual([]);
    await page.close();
  });
});

describe("the programs of the site", () => {
  // The last one: the compiler works while pages are waited for.
  it("type-check", async () => {
    expect(await checked).toEqual({ code: 0, output: "" });
  });
});

/** How many colours a picture has. */
function coloursIn(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size;
}

/** Waits for the build, and gives the folder it wrote. */
async function builtSite(): Promise<string> {
  const { folder, end } = inject("site");
  while (!existsSync(end)) await delay(100);
  const { code, output } = JSON.parse(readFileSync(end, "utf8")) as ProgramEnd;
  if (code !== 0) throw new Error(`The site does not build:\n${output}`);
  return folder;
}

/**
 * In the page: runs programs in workers, a few at a time, and gives the errors that were not announced. A worker runs several, one
 * after the other, because starting it takes longer than most programs.
 */
async function runAll(input: {
  programs: { where: string; code: string }[];
  worker: string;
}): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...input.programs];
  const one = (worker: Worker, { where, code }: { where: string; code: string }) =>
    new Promise<void>((done) => {
      const timer = setTimeout(() => {
        wrong.push(`${where}: did not end`);
        done();
      }, 30_000);
      worker.onmessage = ({ data }) => {
        if (data.type === "error" && !data.expected)
          wrong.push(`${where}, line ${data.line}: ${data.name}: ${data.text}`);
        if (data.type !== "done") return;
        clearTimeout(timer);
        done();
      };
      worker.postMessage({ code });
    });
  const lane = async () => {
    while (waiting.length > 0) {
      const worker = new Worker(input.worker, { type: "module" });
      for (const program of waiting.splice(-8)) await one(worker, program);
      worker.terminate();
    }
  };
  await Promise.all([lane(), lane()]);
  return wrong;
}

/** What the tree shows, entity by entity. */
function labels(page: Page): Promise<string[]> {
  return page.locator(".tree-view .node strong").allInnerTexts();
}

async function open(path: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      problems.push(`asked for ${request.url()}`);
  });
  await page.goto(`${url}${path}`);
  return { page, problems };
}

const types: { readonly [end: string]: string } = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Files as they are, below `base`; nothing else. */
function serveFiles(folder: string): Server {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    try {
      if (!path.startsWith(base)) throw new Error("outside");
      const file = normalize(`/${path.slice(base.length)}${path.endsWith("/") ? "index.html" : ""}`);
      const content = readFileSync(join(folder, file));
      response
        .writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
        .end(content);
    } catch {
      response.writeHead(404).end("Not found");
    }
  });
  return server.listen(0, "127.0.0.1");
}
