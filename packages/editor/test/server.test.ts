import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addImage } from "../src/server/add-image.ts";
import { Refusal } from "../src/server/refusal.ts";
import { type EditorServer, startServer } from "../src/server/server.ts";

const outside = mkdtempSync(join(tmpdir(), "espalier-outside-"));
const folder = mkdtempSync(join(tmpdir(), "espalier-project-"));
let server: EditorServer;

beforeAll(async () => {
  const app = join(folder, ".app");
  mkdirSync(app);
  writeFileSync(join(app, "index.html"), `<meta name="espalier-server" content="" />`);
  mkdirSync(join(folder, "scenes"));
  writeFileSync(join(folder, "scenes/a.scene.json"), `{ "entities": [] }`);
  writeFileSync(join(folder, "tank.prefab.json"), `{ "entities": [{ "id": "tank" }] }`);
  writeFileSync(join(folder, "tank.png"), "png");
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(outside, "other.json"), "outside");
  symlinkSync(join(outside, "other.json"), join(folder, "link.json"));
  symlinkSync(outside, join(folder, "linked"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "listed.json"), "{}");
  symlinkSync(join(outside, "other.json"), join(folder, "link.scene.json"));
  server = await startServer({
    folder,
    app,
    open: "scenes/a.scene.json",
    importFile: async (name) => `imported ${name}`,
    modules: { entry: "game.mjs", files: { "game.mjs": join(folder, "secret.txt") } },
    files: ["listed.json"],
  });
});

afterAll(async () => {
  await server.close();
  for (const path of [folder, outside]) rmSync(path, { recursive: true });
});

describe("the address", () => {
  it("of a folder is the same in every run, and a different one while that is taken", async () => {
    const own = mkdtempSync(join(tmpdir(), "espalier-address-"));
    const start = () => startServer({ folder: own, app: join(folder, ".app") });
    try {
      const first = await start();
      const second = await start();
      expect(new URL(second.url).origin).not.toBe(new URL(first.url).origin);
      await Promise.all([first.close(), second.close()]);
      const third = await start();
      expect(new URL(third.url).origin).toBe(new URL(first.url).origin);
      await third.close();
    } finally {
      rmSync(own, { recursive: true });
    }
  });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request with any headers, which `fetch` does not allow. */
function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
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
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(options.body);
  });
}

const put = (path: string, text: string, version?: string) =>
  ask("/api/file", { method: "PUT", body: JSON.stringify({ path, text, version }) });

describe("the server of the editor", () => {
  it("binds to the loopback interface, and has the token in the printed address and not in the page", async () => {
    const url = new URL(server.url);
    expect([url.hostname, url.searchParams.get("token")]).toEqual(["127.0.0.1", server.token]);
    for (const path of ["/", `/${url.search}`, "/?ticket=", "/?ticket=0"]) {
      const { status, body, headers } = await ask(path, { headers: { "x-espalier-token": "" } });
      expect([status, body.includes("yes")]).toEqual([200, true]);
      expect(JSON.stringify([body, headers])).not.toContain(server.token);
    }
  });

  it("gives the token for the ticket that a browser is started with, once", async () => {
    const launch = new URL(server.launchUrl);
    expect(launch.href).not.toContain(server.token);
    const first = await ask(`/${launch.search}`, { headers: { "x-espalier-token": "" } });
    expect([first.status, first.headers.location]).toEqual([302, `/?token=${server.token}`]);
    const second = await ask(`/${launch.search}`, { headers: { "x-espalier-token": "" } });
    expect(second.status).toBe(200);
    expect(JSON.stringify(second)).not.toContain(server.token);
  });

  it("serves the code of the project only with the token, or with the cookie that comes with the project", async () => {
    const none = { "x-espalier-token": "" };
    expect((await ask("/own/game.mjs", { headers: none })).status).toBe(401);
    const given = (await ask("/api/project")).headers["set-cookie"]?.[0] ?? "";
    expect(given).toMatch(/HttpOnly; SameSite=Strict/);
    const cookie = given.split(";")[0] as string;
    expect((await ask("/own/game.mjs", { headers: { ...none, cookie } })).status).toBe(200);
    // It is for nothing else.
    expect(given).toContain("Path=/own/");
  });

  it.each(["/%", "/own/%", "/%ff", "//"])("answers 400 to the address %s", async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  it("sends the project: scenes, prefabs with their texts, images", async () => {
    const project = JSON.parse((await ask("/api/project")).body);
    expect(project).toMatchObject({ scenes: ["scenes/a.scene.json"], open: "scenes/a.scene.json" });
    expect(Object.keys(project.prefabs)).toEqual(["tank.prefab.json"]);
    expect(project.images.map(({ name }: { name: string }) => name)).toEqual(["tank.png"]);
    expect((await ask(project.images[0].url)).body).toBe("png");
  });

  it("refuses a foreign Host and a foreign Origin", async () => {
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
    "link.scene.json",
    "linked/other.json",
    "linked/other.scene.json",
    "linked/new.json",
    "secret.txt",
    "package.json",
    "tsconfig.json",
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

  it("writes what the project lists, and no other JSON", async () => {
    expect((await put("listed.json", "{ }")).status).toBe(200);
    expect((await put("package.json", "{ }")).status).toBe(403);
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe("{}");
  });

  it("keeps the permissions of a file, and refuses one that is read-only", async () => {
    const file = join(folder, "mode.scene.json");
    writeFileSync(file, "{}");
    chmodSync(file, 0o600);
    expect((await put("mode.scene.json", "{ }")).status).toBe(200);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o444);
    const { status, body } = await put("mode.scene.json", "other");
    expect([status, JSON.parse(body).error]).toEqual([
      403,
      "Cannot write mode.scene.json: it is read-only. Allow writing to it, or save as another file.",
    ]);
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["{ }", 0o444]);
    rmSync(file);
  });

  it("writes through a link inside the folder, which stays one", async () => {
    const [target, link] = [join(folder, "scenes/target.scene.json"), join(folder, "alias.scene.json")];
    writeFileSync(target, "{}");
    symlinkSync(target, link);
    expect(JSON.parse((await ask("/api/project")).body).scenes).toContain("alias.scene.json");
    expect((await put("alias.scene.json", "{ }")).status).toBe(200);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("{ }");
    for (const file of [target, link]) rmSync(file);
  });

  it("does not overwrite a file that was changed meanwhile", async () => {
    const { version } = JSON.parse((await ask("/api/file?path=scenes/a.scene.json")).body);
    writeFileSync(join(folder, "scenes/a.scene.json"), "theirs");
    const { status, body } = await put("scenes/a.scene.json", "ours", version);
    expect([status, JSON.parse(body).error]).toEqual([409, expect.stringContaining("changed on disk")]);
    expect(readFileSync(join(folder, "scenes/a.scene.json"), "utf8")).toBe("theirs");
  });

  it("reports files that are added, changed and removed", async () => {
    const response = await fetch(new URL(`/api/changes?token=${server.token}`, server.url));
    const reader = response.body!.getReader();
    const seen: string[] = [];
    const next = async () => {
      let received: string | undefined;
      while (received === undefined) {
        const { value, done } = await reader.read();
        if (done) return;
        received = /data: (.*)/.exec(new TextDecoder().decode(value))?.[1];
      }
      seen.push(JSON.parse(received) as string);
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
    // Under another address, so that no page shows the old one.
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

  it("reads and writes texts as they are, with the same refusals", async () => {
    writeFileSync(join(folder, "raw.scene.json"), "{}");
    const { body, headers } = await ask("/api/file?raw=1&path=raw.scene.json");
    const version = String(headers["x-espalier-version"]);
    expect([body, headers["content-type"]]).toEqual(["{}", "text/plain; charset=utf-8"]);
    const write = (at: string) => ask(`/api/file?path=${at}`, { method: "PUT", body: "{ } ü" });
    expect((await write(`raw.scene.json&version=${version}`)).status).toBe(200);
    expect(readFileSync(join(folder, "raw.scene.json"), "utf8")).toBe("{ } ü");
    expect((await write(`raw.scene.json&version=${version}`)).status).toBe(409);
    expect((await write("package.json")).status).toBeGreaterThanOrEqual(400);
    expect((await write("..%2Fout.scene.json")).status).toBeGreaterThanOrEqual(400);
    rmSync(join(folder, "raw.scene.json"));
  });

  it("refuses a body that is not JSON", async () => {
    expect((await ask("/api/file", { method: "PUT", body: "{" })).status).toBe(400);
    expect((await ask("/api/file", { method: "DELETE" })).status).toBe(404);
  });
});

describe("an image that is added", () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);
  const post = (name: string, headers: Record<string, string> = {}) =>
    ask(`/api/image?name=${encodeURIComponent(name)}`, { method: "POST", body: png, headers });

  /** Calls it with a project of its own. */
  function inProject(call: (own: string) => void): void {
    const own = mkdtempSync(join(tmpdir(), "espalier-images-"));
    try {
      call(own);
    } finally {
      rmSync(own, { recursive: true });
    }
  }

  it("becomes a new file beside the others, and never replaces one", () => {
    expect(addImage(folder, "tank.png", png)).toBe("tank-2.png");
    expect(readFileSync(join(folder, "tank.png"), "utf8")).toBe("png");
    expect(addImage(folder, "../../away/new one.png", png)).toBe("new-one.png");
    expect(existsSync(join(folder, "new-one.png"))).toBe(true);
  });

  it("is refused when it is not an image, by name or by content", () => {
    expect(() => addImage(folder, "page.html", png)).toThrow("is not an image that the editor knows");
    expect(() => addImage(folder, "script.png", Buffer.from("alert(1)"))).toThrow("that its name says");
    expect(() => addImage(folder, "photo.jpg", png)).toThrow("that its name says (image/jpeg)");
    expect(() => addImage(folder, "short.png", png.subarray(0, 6))).toThrow("that its name says");
  });

  it("stays in the folder, whatever its name, and is not hidden there", () => {
    inProject((own) => {
      for (const name of [
        "/etc/a.png",
        "..\\..\\b.png",
        "C:\\c.png",
        "a\0/../../d.png",
        "../e.PNG",
        "f.png/",
      ])
        expect(dirname(addImage(own, name, png))).toBe("images");
      for (const name of ["", ".", "..", ".png", "..png", ".hidden.png", "f.png\0.html"])
        expect(() => addImage(own, name, png)).toThrow(Refusal);
      expect(readdirSync(own)).toEqual(["images"]);
      expect(readdirSync(join(own, "images")).sort()).toEqual([
        "a.png",
        "b.png",
        "c.png",
        "d.png",
        "e.PNG",
        "f.png",
      ]);
    });
  });

  it("is refused with a name that is too long", () => {
    expect(() => addImage(folder, `${"ä".repeat(120)}.png`, png)).toThrow("too long");
  });

  it("is not written through a link that leads outside, also not where nothing is yet", () => {
    inProject((own) => {
      symlinkSync(outside, join(own, "images"));
      expect(() => addImage(own, "a.png", png)).toThrow("leads outside");
      rmSync(join(own, "images"));
      symlinkSync(join(outside, "none"), join(own, "images"));
      expect(() => addImage(own, "a.png", png)).toThrow(Refusal);
      rmSync(join(own, "images"));
      mkdirSync(join(own, "images"));
      symlinkSync(join(outside, "none.png"), join(own, "images/a.png"));
      expect(addImage(own, "a.png", png)).toBe("images/a-2.png");
    });
    expect(readdirSync(outside)).toEqual(["other.json"]);
  });

  it("is refused, without a path of the machine, when a file has the name of the folder", () => {
    inProject((own) => {
      writeFileSync(join(own, "images"), "");
      expect(() => addImage(own, "a.png", png)).toThrow(
        new Refusal(500, "Cannot write images/a.png (EEXIST)."),
      );
    });
  });

  it("needs the token and the own page, and has a largest size", async () => {
    expect((await post("asked.png", { "x-espalier-token": "" })).status).toBe(401);
    expect((await post("asked.png", { origin: "http://example.com" })).status).toBe(403);
    expect((await post("asked.png", { "content-length": String(65 * 2 ** 20) })).status).toBe(413);
    expect(existsSync(join(folder, "asked.png"))).toBe(false);
    expect(await post("asked.png")).toMatchObject({ status: 200, body: `{"path":"asked.png"}` });
    expect(readFileSync(join(folder, "asked.png")).equals(png)).toBe(true);
  });
});
