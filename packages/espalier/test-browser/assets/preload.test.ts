import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PNG as Png } from "pngjs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "../../../../scripts/workspace.mjs";
import { openPage, type Served, serve } from "../../../../test/browser/serve.ts";
import { closePages, sharedBrowser } from "../../../../test/browser/shared-browser.ts";
import type { Harness } from "./page/main.ts";

type Answer = (response: ServerResponse) => void;
type HarnessWindow = { harness: Harness };

let served: Served;
let server: Server;
let base: string;
let page: Page;
/** Method and path of everything that was asked for. */
const asked: string[] = [];
let answers: { [path: string]: Answer };

/** A picture of 64 by 32: the left half of one colour, the right of another. */
function picture(left: readonly number[], right: readonly number[]): Buffer {
  const png = new Png({ width: 64, height: 32 });
  for (let k = 0; k < 64 * 32; k++) png.data.set([...(k % 64 < 32 ? left : right), 255], k * 4);
  return Png.sync.write(png);
}
const red = [255, 0, 0];
const green = [0, 255, 0];
const blue = [0, 0, 255];

function wav(seconds: number): Buffer {
  const count = seconds * 8000;
  const bytes = Buffer.alloc(44 + count * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + count * 2, 4);
  bytes.write("WAVE", 8);
  bytes.write("fmt ", 12);
  for (const [offset, value, size] of [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, 8000, 4],
    [28, 16000, 4],
    [32, 2, 2],
    [34, 16, 2],
  ] as const)
    bytes.writeUIntLE(value, offset, size);
  bytes.write("data", 36);
  bytes.writeUInt32LE(count * 2, 40);
  return bytes;
}

const whole =
  (body: Buffer | string, type: string): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": type, "content-length": body.length }).end(body);

const frame = (x: number) => ({ frame: { x, y: 0, w: 32, h: 32 } });
const sheet = JSON.stringify({
  frames: { red: frame(0), green: frame(32) },
  animations: { blink: ["red", "green"] },
  meta: { image: "hero.png" },
});

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url!, "http://x").pathname;
    asked.push(`${request.method} ${path}`);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("cache-control", "no-store");
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("no");
    else answer(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  served = await serve(join(root, "packages/espalier/test-browser/assets/page"));
  ({ page } = await openPage(await sharedBrowser(), served.url, { width: 200, height: 200 }));
  await page.waitForFunction(() => "harness" in window);
});
afterAll(async () => {
  await closePages();
  await served?.close();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});
beforeEach(() => {
  asked.length = 0;
  answers = {
    "/hero.json": whole(sheet, "application/json"),
    "/hero.png": whole(picture(red, green), "image/png"),
    "/plain.png": whole(picture(blue, blue), "image/png"),
    // In pieces, without a length.
    "/pieces.png"(response) {
      const body = picture(green, green);
      response.writeHead(200, { "content-type": "image/png" });
      response.write(body.subarray(0, 40));
      setTimeout(() => response.end(body.subarray(40)), 20);
    },
    "/vector.svg": whole(
      `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="64" height="32" fill="#00f"/></svg>`,
      "image/svg+xml",
    ),
    "/boom.wav": whole(wav(0.5), "audio/wav"),
    "/theme.wav": whole(wav(1), "audio/wav"),
  };
});

const pixel = async () => {
  const { width, height, data } = Png.sync.read(await page.locator("canvas").screenshot());
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return [...data.subarray(at, at + 3)];
};
const show = (how: "canvas" | "pixi", textures: string[], sound = "") =>
  page.evaluate(([a, b, c, d]) => (window as unknown as HarnessWindow).harness.show(a, b, c, d), [
    how,
    base,
    textures,
    sound,
  ] as const);
const fail = (textures: string[], sound = "") =>
  page.evaluate(([a, b, c]) => (window as unknown as HarnessWindow).harness.fail(a, b, c), [
    base,
    textures,
    sound,
  ] as const);

describe.each(["canvas", "pixi"] as const)("assets with %s", (how) => {
  it("are drawn after preload: a sheet with its picture, and answers without a length", async () => {
    const { steps, clips } = await show(how, ["hero"]);
    expect(clips).toEqual(["blink"]);
    expect(await pixel()).toEqual(red);
    expect(asked.sort()).toEqual(["GET /hero.json", "GET /hero.png"]);
    const bytes = sheet.length + picture(red, green).length;
    // The scene, the sheet, the picture.
    expect(steps.at(-1)).toEqual({ done: 3, total: 3, bytes, totalBytes: bytes, fraction: 1 });

    const pieces = await show(how, ["pieces.png"]);
    expect(await pixel()).toEqual(green);
    const last = pieces.steps.at(-1)!;
    expect([last.done, last.total, last.fraction]).toEqual([2, 2, 1]);
    expect(pieces.steps.some(({ totalBytes, bytes: some }) => totalBytes === undefined && some > 0)).toBe(
      true,
    );
    const fractions = pieces.steps.map(({ fraction }) => fraction);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  });

  it("are fetched once, freed by unload, and fetched again when a scene needs them again", async () => {
    await show(how, ["hero"]);
    expect(asked).toHaveLength(2);
    const found = await page.evaluate(() => (window as unknown as HarnessWindow).harness.again());
    expect(found).toEqual({ freed: ["hero"], before: true, after: false, isThere: true });
    expect(asked).toHaveLength(4);
    expect(await pixel()).toEqual(red);
  });

  it("may be vectors", async () => {
    await show(how, ["vector"]);
    expect(await pixel()).toEqual(blue);
  });
});

describe("assets that cannot be loaded", () => {
  it("are listed together, each with address, status and entity, and nothing is put to use", async () => {
    const body = picture(red, red);
    const cut = { "content-type": "image/png", "content-length": body.length };
    answers["/cut.png"] = (response) => {
      response.writeHead(200, cut);
      response.write(body.subarray(0, 30), () => response.destroy());
    };
    answers["/cut-pieces.png"] = (response) => {
      response.writeHead(200, { "content-type": "image/png" });
      response.write(body.subarray(0, 30), () => setTimeout(() => response.destroy(), 20));
    };
    answers["/page.png"] = whole("<!doctype html><p>Hello", "text/html; charset=utf-8");
    answers["/lie.png"] = whole("<!doctype html><p>Hello", "image/png");
    const found = await fail(
      ["plain.png", "gone.png", "cut.png", "cut-pieces.png", "page.png", "lie.png"],
      "bang.wav",
    );
    expect(found.name).toBe("AssetLoadError");
    expect(found.used).toEqual([]);
    const rows = found.failures
      .map(([name, ...rest]) => [name, ...rest])
      .sort(([a], [b]) => (a! < b! ? -1 : 1));
    expect(rows).toEqual([
      ["bang.wav", "/bang.wav", 404, "the response is 404 Not Found", "/sound"],
      [
        "cut-pieces.png",
        "/cut-pieces.png",
        200,
        expect.stringMatching(/cut off after \d+ bytes/),
        "/sprite3",
      ],
      ["cut.png", "/cut.png", expect.any(Number), expect.stringMatching(/cut off|reached/), "/sprite2"],
      ["gone.png", "/gone.png", 404, "the response is 404 Not Found", "/sprite1"],
      [
        "lie.png",
        "/lie.png",
        0,
        "it is not a picture that this browser can show (image/png, 23 bytes)",
        "/sprite5",
      ],
      [
        "page.png",
        "/page.png",
        200,
        "the response is a page (text/html): the file probably does not exist",
        "/sprite4",
      ],
    ]);

    asked.length = 0;
    for (const name of ["gone", "cut", "cut-pieces", "page", "lie"])
      answers[`/${name}.png`] = whole(picture(blue, blue), "image/png");
    answers["/bang.wav"] = whole(wav(0.25), "audio/wav");
    expect(await page.evaluate(() => (window as unknown as HarnessWindow).harness.retry())).toBe(8);
    expect(asked).toHaveLength(6);
    expect(asked).not.toContain("GET /plain.png");
  });

  it("are cancelled on the way", async () => {
    let isClosed = false;
    answers["/slow.png"] = (response) => {
      response.writeHead(200, { "content-type": "image/png" });
      response.write(Buffer.alloc(2000));
      response.on("close", () => {
        isClosed = true;
      });
    };
    const found = await page.evaluate((a) => (window as unknown as HarnessWindow).harness.cancel(a), base);
    expect(found).toBe("LoadCancelledError false");
    await expect.poll(() => isClosed).toBe(true);
  });

  it("fail at preload, not at play, where they are sounds or music", async () => {
    const sounds = (names: string[]) =>
      page.evaluate(([a, b]) => (window as unknown as HarnessWindow).harness.sounds(a, b), [
        base,
        names,
      ] as const);
    const found = await sounds(["boom", "effects", "theme"]);
    expect(found.failed).toEqual([]);
    expect(found.known).toEqual(["boom", "hit", "step", "theme"]);
    expect(found.seconds.map((each) => Number(each?.toFixed(2)))).toEqual([0.5, 0.1, 0.05]);
    expect(found.left).toEqual([]);
    // Music is asked for, and not fetched before it plays.
    expect(asked).toContain("HEAD /theme.wav");
    expect(asked).not.toContain("GET /theme.wav");
    delete answers["/theme.wav"];
    delete answers["/boom.wav"];
    expect((await sounds(["theme", "boom"])).failed).toEqual(["theme 404", "boom 404"]);
  });
});
