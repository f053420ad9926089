import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EditorServer, startServer } from "../src/server/server.ts";

const outside = mkdtempSync(join(tmpdir(), "espalier-outside-"));
const folder = mkdtempSync(join(tmpdir(), "espalier-project-"));
let server: EditorServer;

beforeAll(async () => {
  const app = join(folder, ".app");
  mkdirSync(app);
  writeFileSync(join(app, "index.html"), `<meta name="espalier-token" content="" />`);
  mkdirSync(join(folder, "scenes"));
  writeFileSync(join(folder, "scenes/a.scene.json"), `{ "entities": [] }`);
  writeFileSync(join(folder, "tank.prefab.json"), `{ "entities": [{ "id": "tank" }] }`);
  writeFileSync(join(folder, "tank.png"), "png");
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(outside, "other.json"), "outside");
  symlinkSync(join(outside, "other.json"), join(folder, "link.json"));
  symlinkSync(outside, join(folder, "linked"));
  server = await startServer({
    folder,
    app,
    open: "scenes/a.scene.json",
    importFile: async (name) => `imported ${name}`,
  });
});

afterAll(async () => {
  await server.close();
  for (const path of [folder, outside]) rmSync(path, { recursive: true });
});

describe("the address", () => {
  it("of a folder is the same in every run, and another one while that is taken", async () => {
    const own = mkdtempSync(join(tmpdir(), "espalier-address-"));
    const start = () => startServer({ folder: own, app: join(folder, ".app") });
    try {
      const first = await start();
      const second = await start();
      expect(second.url).not.toBe(first.url);
      await Promise.all([first.close(), second.close()]);
      const third = await start();
      expect(third.url).toBe(first.url);
      await third.close();
    } finally {
      rmSync(own, { recursive: true });
    }
  });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A request with any headers, which `fetch` does not allow. */
function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const url = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: url.hostname,
        port: url.port,
        path,
        method: options.method ?? "GET",
        headers: { "x-espalier-token": server.token, ...options.headers },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          body += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    sent.on("error", reject);
    sent.end(options.body);
  });
}

const put = (path: string, text: string, version?: string) =>
  ask("/api/file", { method: "PUT", body: JSON.stringify({ path, text, version }) });

describe("the server of the editor", () => {
  it("binds to the loopback interface and serves the page with the token of this run", async () => {
    expect(new URL(server.url).hostname).toBe("127.0.0.1");
    const { status, body } = await ask("/", { headers: { "x-espalier-token": "" } });
    expect([status, body.includes(server.token)]).toEqual([200, true]);
  });

  it("sends the project: scenes, prefabs with their texts, images", async () => {
    const project = JSON.parse((await ask("/api/project")).body);
    expect(project).toMatchObject({ scenes: ["scenes/a.scene.json"], open: "scenes/a.scene.json" });
    expect(Object.keys(project.prefabs)).toEqual(["tank.prefab.json"]);
    expect(project.images.map(({ name }: { name: string }) => name)).toEqual(["tank.png"]);
    expect((await ask(project.images[0].url)).body).toBe("png");
  });

  it("refuses another Host and another Origin", async () => {
    const port = new URL(server.url).port;
    expect((await ask("/", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask("/api/project", { headers: { host: `evil.example:${port}` } })).status).toBe(403);
    expect((await ask("/api/project", { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await ask("/api/project", { headers: { origin: "null" } })).status).toBe(403);
    expect((await ask("/api/project", { headers: { origin: `http://127.0.0.1:${port}` } })).status).toBe(200);
  });

  it("refuses everything without the token", async () => {
    for (const token of ["", "0".repeat(48), server.token.slice(1)]) {
      const headers = { "x-espalier-token": token };
      expect((await ask("/api/project", { headers })).status).toBe(401);
      expect((await ask("/api/file?path=scenes/a.scene.json", { headers })).status).toBe(401);
      const body = JSON.stringify({ path: "scenes/a.scene.json", text: "x" });
      expect((await ask("/api/file", { method: "PUT", headers, body })).status).toBe(401);
    }
    expect(readFileSync(join(folder, "scenes/a.scene.json"), "utf8")).toBe(`{ "entities": [] }`);
  });

  it.each([
    "../outside.json",
    "scenes/../../x.json",
    "/etc/passwd.json",
    "link.json",
    "linked/other.json",
    "linked/new.json",
    "secret.txt",
    ".app/x.json",
    "node_modules/x.json",
    "",
    "a\0.json",
  ])("refuses to read and write %j", async (path) => {
    expect((await ask(`/api/file?path=${encodeURIComponent(path)}`)).status).toBeGreaterThanOrEqual(400);
    expect((await put(path, "changed")).status).toBeGreaterThanOrEqual(400);
    expect((await ask(`/api/image?path=${encodeURIComponent(path)}`)).status).toBeGreaterThanOrEqual(400);
    expect(readFileSync(join(outside, "other.json"), "utf8")).toBe("outside");
    expect(readdirSync(outside)).toEqual(["other.json"]);
  });

  it("serves only what belongs to the page", async () => {
    for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/secret.txt", "/tank.png"]) {
      const { status, body } = await ask(path);
      expect([status, body.includes("secret")]).toEqual([404, false]);
    }
  });

  it("writes a file as a whole and leaves nothing beside it", async () => {
    const { version } = JSON.parse((await ask("/api/file?path=scenes/a.scene.json")).body);
    const { status, body } = await put("scenes/a.scene.json", "next", version);
    expect(status).toBe(200);
    expect(JSON.parse(body).version).not.toBe(version);
    expect(readFileSync(join(folder, "scenes/a.scene.json"), "utf8")).toBe("next");
    expect(readdirSync(join(folder, "scenes"))).toEqual(["a.scene.json"]);
    expect((await put("new/deep.scene.json", "new")).status).toBe(200);
    expect(existsSync(join(folder, "new/deep.scene.json"))).toBe(true);
  });

  it("does not overwrite a file that was changed meanwhile", async () => {
    const { version } = JSON.parse((await ask("/api/file?path=scenes/a.scene.json")).body);
    writeFileSync(join(folder, "scenes/a.scene.json"), "theirs");
    const { status, body } = await put("scenes/a.scene.json", "ours", version);
    expect([status, JSON.parse(body).error]).toEqual([409, expect.stringContaining("changed on disk")]);
    expect(readFileSync(join(folder, "scenes/a.scene.json"), "utf8")).toBe("theirs");
  });

  it("reports files that are added, changed and removed", async () => {
    const response = await fetch(`${server.url}api/changes?token=${server.token}`);
    const reader = response.body!.getReader();
    const seen: string[] = [];
    const next = async () => {
      let told: string | undefined;
      while (told === undefined) {
        const { value, done } = await reader.read();
        if (done) return;
        told = /data: (.*)/.exec(new TextDecoder().decode(value))?.[1];
      }
      seen.push(JSON.parse(told) as string);
    };
    writeFileSync(join(folder, "scenes/b.scene.json"), "{}");
    await next();
    writeFileSync(join(folder, "leaf.png"), "png");
    await next();
    const image = async () =>
      JSON.parse((await ask("/api/project")).body).images[0] as { name: string; url: string };
    const before = await image();
    expect(before.name).toBe("leaf.png");
    writeFileSync(join(folder, "leaf.png"), "another png");
    await next();
    // Under another address, so that nobody shows the old one.
    expect((await image()).url).not.toBe(before.url);
    rmSync(join(folder, "leaf.png"));
    await next();
    await reader.cancel();
    expect(seen).toEqual(["scenes/b.scene.json", "leaf.png", "leaf.png", "leaf.png"]);
  });

  it("hands files of other programs to the importer", async () => {
    const { body } = await ask("/api/import?name=level.tscn", { method: "POST", body: "[gd_scene]" });
    expect(JSON.parse(body).text).toBe("imported level.tscn");
  });

  it("refuses a body that is not JSON", async () => {
    expect((await ask("/api/file", { method: "PUT", body: "{" })).status).toBe(400);
    expect((await ask("/api/file", { method: "DELETE" })).status).toBe(404);
  });
});
