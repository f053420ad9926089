import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openRelay } from "../../collab/src/relay/index.ts";
import { type EditorServer, startServer } from "../src/server/server.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-share-"));
let server: EditorServer;

beforeAll(async () => {
  const app = join(folder, ".app");
  mkdirSync(app);
  writeFileSync(
    join(app, "index.html"),
    `<meta name="espalier-server" content="" /><title>Espalier editor</title>`,
  );
  writeFileSync(join(folder, "a.scene.json"), `{ "entities": [] }`);
  writeFileSync(join(folder, "module.mjs"), "// the module");
  writeFileSync(join(folder, "engine.js"), "// the engine");
  server = await startServer({
    folder,
    app,
    share: { module: join(folder, "module.mjs"), engine: join(folder, "engine.js"), openRelay },
  });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, server.url), {
    ...init,
    headers: { "x-espalier-token": server.token, ...init.headers },
  });

describe("a server of scenes that are edited together", () => {
  it("names the module that joins rooms, which is served with the token only", async () => {
    const { share } = (await (await ask("/api/project")).json()) as { share: string };
    expect(await (await ask(share)).text()).toBe("// the module");
    expect((await ask(share, { headers: { "x-espalier-token": "" } })).status).toBe(401);
    const page = await (await ask("/")).text();
    const [, map = "{}"] = /<script type="importmap">(.*?)<\/script>/.exec(page) ?? [];
    const engine = (JSON.parse(map) as { imports: { [name: string]: string } }).imports[
      "loro-crdt"
    ] as string;
    expect(await (await ask(engine)).text()).toBe("// the engine");
  });

  it("has a relay for its own pages, and for no other page", async () => {
    const address = server.url.replace(/^http/, "ws").replace(/\?.*/, "api/share");
    const own = new WebSocket(address, { origin: new URL(server.url).origin });
    await once(own, "open");
    own.close();
    const refused = async (options: object) =>
      String((await once(new WebSocket(address, options), "error"))[0]);
    expect(await refused({ origin: "http://example.com" })).toContain("401");
    // A name that was made to lead to this machine.
    expect(await refused({ headers: { host: "example.com" } })).toContain("401");
  });

  it("keeps the text of a file for the members of one room, and reports when it changes", async () => {
    const events: string[] = [];
    const listening = get(new URL(`/api/changes?token=${server.token}`, server.url), (response) => {
      response.setEncoding("utf8");
      response.on("data", (part: string) => events.push(part));
    });
    await expect.poll(() => events.length).toBeGreaterThan(0);

    const baseOf = async (beginning: string) =>
      ((await (await ask(`/api/base?path=a.scene.json&beginning=${beginning}`)).json()) as { base?: object })
        .base;
    expect(await baseOf("one")).toBeUndefined();
    const set = (body: object) => ask("/api/base", { method: "PUT", body: JSON.stringify(body) });
    const base = { path: "a.scene.json", beginning: "one", page: "ada", text: "{}", version: "1" };
    expect((await set(base)).status).toBe(200);
    expect(await baseOf("one")).toEqual({ text: "{}", version: "1" });
    expect(await baseOf("two")).toBeUndefined();
    await expect
      .poll(() => events.join(""))
      .toContain(`event: base\ndata: {"path":"a.scene.json","page":"ada"}`);
    expect((await set({ path: "a.scene.json", beginning: 1, text: "{}" })).status).toBe(400);

    // Writing the file says it at once: no page sees the file without what it is.
    const { version } = (await (await ask("/api/file?path=a.scene.json")).json()) as { version: string };
    const at = `path=a.scene.json&version=${version}&beginning=two&page=bob`;
    const text = `{ "entities": [{ "id": "tank" }] }`;
    const written = await ask(`/api/file?${at}`, { method: "PUT", body: text });
    expect(await baseOf("two")).toEqual({ text, ...((await written.json()) as object) });
    listening.destroy();
  });
});
