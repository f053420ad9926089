import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { verbs } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { openProject } from "../src/mcp/project.ts";
import { serveHttp } from "../src/mcp/serve-http.ts";
import { bundleProgram } from "./bundled.ts";
import { filesIn, runArgs, runIn, tempFolder } from "./folder.ts";
import { clientOf, connect } from "./mcp-client.ts";
import { gun, level, project } from "./verb-project.ts";

describe("an agent", () => {
  it("sees components, fields, ranges and defaults in the schemas of tools", async () => {
    const { client } = await connect(project().dir);
    const { tools } = await client.listTools();
    const set = tools.find(({ name }) => name === "set");
    expect(set?.inputSchema).toMatchObject({
      required: ["file", "entity", "values"],
      additionalProperties: false,
      properties: {
        values: { properties: { Transform2D: { anyOf: [{ properties: { scaleX: { default: 1 } } }, {}] } } },
      },
    });
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(verbs), "batch", "screenshot", "diff", "branch", "accept"]),
    );
  });

  it("has everything it did listed under its name, and undone alone", async () => {
    const { dir } = project();
    const { call } = await connect(dir, { author: "Claude" });
    const { token } = await call("rename", {
      file: "level.scene.json",
      entity: "tank",
      name: "Tiger",
      reason: "asked for",
    });
    await runIn(dir, "rename", "level.scene.json", "crate", "box", "--author", "Ada");
    expect(await call("log", { file: "level.scene.json" })).toMatchObject({
      output: [{ author: "Claude", reason: "asked for" }, { author: "Ada" }],
    });
    expect((await call("undo", { file: "level.scene.json", edit: token })).text).toContain(
      '"Tiger" → "tank"',
    );
    expect(readFileSync(join(dir, "level.scene.json"), "utf8")).toContain('"box"');
  });

  it("gets errors with codes that it can act on, and nothing is written", async () => {
    const { dir } = project();
    const before = filesIn(dir);
    const { call } = await connect(dir);
    const file = "level.scene.json";
    expect(await call("rename", { file, entity: "tnak", name: "x" })).toMatchObject({
      code: "verbs/unknown-entity",
      nearest: ["tank"],
    });
    expect(await call("rename", { file, entity: "tank", name: "x", colour: 1 })).toMatchObject({
      code: "cli/usage",
      error: expect.stringContaining('no parameter "colour"'),
    });
    expect(await call("set", { file, entity: "tank", values: { Transform2D: { x: "wide" } } })).toMatchObject(
      {
        code: "scene/wrong-type",
        problems: [{ code: "scene/wrong-type" }],
      },
    );
    expect(await call("bogus")).toMatchObject({ error: expect.stringContaining("There is no tool") });
    expect(
      await call("batch", {
        file,
        steps: [{ verb: "reparent", parameters: { entities: ["level"], parent: "tank" } }],
      }),
    ).toMatchObject({
      code: "verbs/failed-step",
      step: 0,
    });
    expect(filesIn(dir)).toEqual(before);
  });

  it("learns from a refusal to undo which later edits to undo first", async () => {
    const { dir } = project();
    const { call } = await connect(dir);
    const file = "level.scene.json";
    const { token } = await call("create", { file, id: "box" });
    const later = await call("create", { file, id: "lid", parent: "box" });
    expect(await call("undo", { file, edit: token })).toMatchObject({
      code: "verbs/dependent-edits",
      edits: [later.token],
    });
    for (const edit of [later.token, token]) {
      expect(await call("undo", { file, edit })).toMatchObject({ output: { undone: edit } });
    }
    expect((await call("find", { file, name: "*" })).output).toMatchObject({ count: 5 });
  });

  it("reaches nothing outside of the folder, by no path, link or prefab, and writes scenes only", async () => {
    const { dir, write } = tempFolder();
    write("secret.scene.json", level);
    write("game/level.scene.json", level.replace("gun.prefab.json", "../secret.scene.json"));
    write("game/plain.scene.json", `{ "entities": [{ "id": "a" }] }`);
    symlinkSync(dir, join(dir, "game/out"));
    const { call } = await connect(join(dir, "game"));
    const outside = { error: expect.stringContaining("outside of the project") };
    expect(await call("show", { file: "../secret.scene.json" })).toMatchObject(outside);
    expect(await call("show", { file: "out/secret.scene.json" })).toMatchObject(outside);
    expect(await call("show", { file: join(dir, "secret.scene.json") })).toMatchObject(outside);
    expect(await call("show", { file: "level.scene.json" })).toMatchObject(outside);
    const file = "plain.scene.json";
    expect(await call("insert", { file, scene: "../secret.scene.json" })).toMatchObject(outside);
    for (const prefab of ["../a.prefab.json", "espalier.config.mjs", "package.json"]) {
      expect(await call("make-prefab", { file, entity: "a", prefab })).toHaveProperty("error");
    }
    expect(await call("show", { file: "package.json" })).toMatchObject({
      error: expect.stringContaining("scenes are called"),
    });
    expect(Object.keys(filesIn(dir))).toEqual([
      "game/level.scene.json",
      "game/plain.scene.json",
      "secret.scene.json",
    ]);
  });

  it("reads no prefab outside by diff, accept or an import, and no other file as a prefab", async () => {
    const { dir, write } = tempFolder();
    const secret = `{ "entities": [{ "id": "secret", "name": "secret" }] }`;
    write("secret.prefab.json", secret);
    write("game/.env", "KEY=secret");
    write("game/.gitkeep", "");
    symlinkSync(join(dir, "secret.prefab.json"), join(dir, "game/linked.prefab.json"));
    symlinkSync(dir, join(dir, "game/up"));
    const { call } = await connect(join(dir, "game"));
    const ways = [
      "../secret.prefab.json",
      "../secret",
      "linked.prefab.json",
      "linked",
      "up/secret.prefab.json",
      join(dir, "secret.prefab.json"),
      "../there-is-none.prefab.json",
    ];
    const scene = (prefab: string) => JSON.stringify({ entities: [{ id: "a", prefab }] });
    const outside = { error: expect.stringContaining("outside of the project") };
    const [file, other] = ["level.scene.json", "plain.scene.json"];
    write(`game/${other}`, `{ "entities": [] }`);
    for (const prefab of ways) {
      write(`game/${file}`, scene(prefab));
      write("game/level@b.scene.json", scene(prefab));
      write("game/level@b.scene.json.base", scene(prefab));
      expect(await call("show", { file }), prefab).toMatchObject(outside);
      expect(await call("diff", { a: other, b: file }), prefab).toMatchObject(outside);
      expect(await call("diff", { a: file, b: other }), prefab).toMatchObject(outside);
      expect(await call("accept", { file, name: "b" }), prefab).toMatchObject(outside);
      expect(await call("accept", { file, name: "b", entities: ["a"] }), prefab).toMatchObject(outside);
      expect(await call("instantiate", { file: other, prefab }), prefab).toMatchObject(outside);
    }
    for (const prefab of [pathToFileURL(join(dir, "secret.prefab.json")).href, ".env"]) {
      write(`game/${file}`, scene(prefab));
      const refused = await call("diff", { a: other, b: file });
      expect(refused, prefab).toHaveProperty("error");
      expect(JSON.stringify(refused)).not.toContain("KEY");
    }
  });

  it("reads no branch, base or journal through a link to the outside", async () => {
    const { dir, write } = tempFolder();
    const empty = `{ "entities": [] }`;
    write("secret.scene.json", `{ "entities": [{ "id": "secret" }] }`);
    write("secret.journal", "");
    const outside = { error: expect.stringContaining("outside of the project") };
    const { call } = await connect(dirname(write("game/level.scene.json", empty)));
    const file = "level.scene.json";
    write("game/level@a.scene.json", empty);
    symlinkSync(join(dir, "secret.scene.json"), join(dir, "game/level@a.scene.json.base"));
    symlinkSync(join(dir, "secret.scene.json"), join(dir, "game/level@b.scene.json"));
    write("game/level@b.scene.json.base", empty);
    expect(await call("accept", { file, name: "a" })).toMatchObject(outside);
    expect(await call("accept", { file, name: "b" })).toMatchObject(outside);
    symlinkSync(join(dir, "secret.journal"), join(dir, "game/level.scene.json.journal"));
    expect(await call("log", { file })).toMatchObject(outside);
  });

  it("learns nothing of scenes that an imported one instances from outside", async () => {
    const { dir, write } = tempFolder();
    write("project.godot", "");
    write("part.tscn", `[gd_scene format=3]\n[node name="Part" type="Node2D"]\n`);
    write(
      "game/level.tscn",
      `[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://part.tscn" id="1"]\n[node name="Level" type="Node2D"]\n[node name="Part" parent="." instance=ExtResource("1")]\n`,
    );
    write("game/level.scene.json", `{ "entities": [] }`);
    const { call } = await connect(join(dir, "game"));
    const { text } = await call("insert", { file: "level.scene.json", scene: "level.tscn", dryRun: true });
    expect(text).toBe("+ /Level (Transform2D)\n+ /Level/Part\n");
  });

  it("has arguments of the wrong kind refused by every tool", async () => {
    const { call } = await connect(project().dir);
    const file = "level.scene.json";
    await call("branch", { file, name: "b" });
    const error = (text: string) => ({ error: expect.stringContaining(text) });
    expect(await call("accept", { file, name: "b", entities: "tank" })).toMatchObject(
      error("entities is an array"),
    );
    expect(await call("accept", { file, name: "b", entities: [1] })).toMatchObject(
      error("an array of strings"),
    );
    expect(await call("accept", { file, name: "b", side: "mine" })).toMatchObject(
      error("one of ours, theirs"),
    );
    expect(await call("branch", { file, name: 7 })).toMatchObject(error("name is a string"));
    expect(await call("diff", { a: file, b: null })).toMatchObject(error("b is a string"));
    expect(await call("batch", { file, steps: [null] })).toMatchObject(error("an array of objects"));
    expect(await call("show", { file, dryRun: true })).toMatchObject(error('no parameter "dryRun"'));
    const steps = [{ verb: "create", parameters: {}, dryRun: true }];
    expect(await call("batch", { file, steps })).toMatchObject({
      code: "verbs/failed-step",
      ...error('no "dryRun"'),
    });
  });

  it("finds no scenes in an empty project, which is not an error, and creates the first", async () => {
    const { dir } = tempFolder();
    const { call } = await connect(dir);
    expect(await call("scenes")).toEqual({ scenes: [] });
    const file = "level.scene.json";
    await call("create-scene", { file });
    expect((await call("create", { file, name: "tank" })).text).toBe("+ /tank\n");
    expect(await call("scenes")).toEqual({ scenes: [file] });
    const before = filesIn(dir);
    expect(await call("create-scene", { file })).toMatchObject({
      error: expect.stringContaining("it already exists"),
    });
    for (const [name, code] of [
      ["../level.scene.json", "cli/outside"],
      ["level.json", "cli/usage"],
      ["package.json", "cli/usage"],
      [`${file}/level.scene.json`, "cli/usage"],
    ]) {
      expect(await call("create-scene", { file: name as string })).toMatchObject({ code });
    }
    expect(filesIn(dir)).toEqual(before);
  });

  it("changes nothing through a server that is read-only", async () => {
    const { client } = await connect(project().dir, { readOnly: true });
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.map(({ name }) => name)).toEqual([
      "scenes",
      "find",
      "get",
      "show",
      "validate",
      "log",
      "prefabs",
      "screenshot",
      "diff",
    ]);
  });

  it("reads scenes, trees, entities, problems, the schema and the skill as resources", async () => {
    const { client } = await connect(project().dir);
    const read = async (uri: string) =>
      String(((await client.readResource({ uri })).contents[0] as { text: string }).text);
    expect(await read("espalier://scene/level.scene.json")).toBe(level);
    expect(JSON.parse(await read("espalier://tree/level.scene.json"))).toMatchObject({ count: 5 });
    expect(JSON.parse(await read("espalier://entity/level.scene.json#tank"))).toMatchObject({
      world: { x: 15 },
    });
    expect(JSON.parse(await read("espalier://problems/level.scene.json"))).toEqual({ problems: [] });
    expect(JSON.parse(await read("espalier://schema"))).toHaveProperty("definitions");
    expect(await read("espalier://skill")).toContain("# Working on scenes of Espalier");
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["level.scene.json", "gun.prefab.json"]),
    );
    for (const [uri, message] of [
      ["espalier://scene/../x.scene.json", "outside of the project"],
      ["espalier://scene/%zz.scene.json", "%zz.scene.json: there is no such file"],
      ["espalier://entity/level.scene.json#nobody", 'Cannot find "nobody"'],
      ["espalier://entity/level.scene.json", "add the id of the entity"],
      ["espalier://bogus", "There is no resource"],
    ] as const) {
      // The code of the protocol for a wrong parameter, not the one for a fault of the server.
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
      });
    }
  });

  it("reads a scene by the address that the list gives, whatever its name", async () => {
    const { dir, write } = tempFolder();
    write("a#b ü%20?.scene.json", level.replaceAll("gun.prefab.json", "sub/gun.prefab.json"));
    write("sub/gun.prefab.json", gun);
    const { client } = await connect(dir);
    const { resources } = await client.listResources();
    const uri = resources.find(({ name }) => name.startsWith("a#b"))?.uri as string;
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { text: expect.stringContaining("sub/gun.prefab.json") },
    ]);
  });

  it("works on a branch, of which a person accepts some entities, then the rest", async () => {
    const { dir } = project();
    const { call } = await connect(dir);
    const { branch } = await call("branch", { file: "level.scene.json", name: "ideas" });
    expect(branch).toBe("level@ideas.scene.json");
    await call("rename", { file: branch, entity: "tank", name: "Tiger" });
    await call("set", { file: branch, entity: "crate", values: { Transform2D: { x: 9 } } });
    expect(readFileSync(join(dir, "level.scene.json"), "utf8")).toBe(level);
    expect((await call("diff", { a: "level.scene.json", b: branch })).text).toBe(
      '~ /level/Tiger name: "tank" → "Tiger"\n~ /level/crate Transform2D.x: 0 → 9\n',
    );
    const some = await runIn(dir, "accept", "level.scene.json", "ideas", "crate", "--json");
    expect(JSON.parse(some.stdout).text).toBe("~ /level/crate Transform2D.x: 0 → 9\n");
    await runIn(dir, "rename", "level.scene.json", "tank", "Puma");
    const refused = await runIn(dir, "accept", "level.scene.json", "ideas");
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('name tank: ours "Puma", theirs "Tiger"'),
    ]);
    expect((await runIn(dir, "accept", "level.scene.json", "ideas", "--theirs")).status).toBe(0);
    expect(readFileSync(join(dir, "level.scene.json"), "utf8")).toContain("Tiger");
    expect(existsSync(join(dir, "level@ideas.scene.json"))).toBe(false);
  });
});

describe("espalier mcp", () => {
  it("serves an agent on stdin and stdout", async () => {
    const { dir } = project();
    const program = await bundleProgram();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program.main, "mcp", dir],
      stderr: "ignore",
    });
    try {
      const { client, call } = await clientOf(transport as Transport);
      expect(
        await call("get", { file: "level.scene.json", entity: "tank", value: "Transform2D.x" }),
      ).toMatchObject({ output: 5 });
      await client.close();
    } finally {
      program.remove();
    }
  });

  it("refuses a folder that does not exist, and a port that something else uses", async () => {
    const { dir } = project();
    const none = await runArgs(dir, ["mcp", join(dir, "nowhere")]);
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("there is no such folder")]);
    const server = await serveHttp(await openProject(dir, {}), 0);
    try {
      const { port } = new URL(server.url);
      for (const args of [
        ["--http", "--port", port],
        ["--game", port],
      ]) {
        const { status, stderr } = await runArgs(dir, ["mcp", dir, ...args]);
        expect([status, stderr]).toEqual([
          2,
          expect.stringContaining(`Cannot use port ${port}: it is in use.`),
        ]);
      }
    } finally {
      await server.close();
    }
  });

  it("serves an agent on a port of this machine, with the token only, and no pages", async () => {
    const { dir } = project();
    const server = await serveHttp(await openProject(dir, {}), 0);
    try {
      const authorization = `Bearer ${server.token}`;
      const options = { requestInit: { headers: { authorization } } };
      const { client, call } = await clientOf(
        new StreamableHTTPClientTransport(new URL(server.url), options) as Transport,
      );
      expect(
        await call("get", { file: "level.scene.json", entity: "tank", value: "Transform2D.x" }),
      ).toMatchObject({ output: 5 });
      await client.close();
      const status = async (headers: { [name: string]: string }) =>
        (await fetch(server.url, { method: "POST", headers, body: "{}" })).status;
      expect(await status({})).toBe(401);
      expect(await status({ authorization: "Bearer guess" })).toBe(401);
      expect(await status({ authorization, origin: "http://evil.example" })).toBe(403);
      expect(await status({ authorization, origin: "null" })).toBe(403);
      const raw = (host: string, path = "/mcp") =>
        new Promise<number | undefined>((done, failed) => {
          request(new URL(path, server.url), { headers: { authorization, host } }, (answer) => {
            answer.resume();
            done(answer.statusCode);
          })
            .on("error", failed)
            .end();
        });
      // As when a page has its own name resolve to this machine.
      expect(await raw("evil.example")).toBe(403);
      expect(await raw(`evil.example:${new URL(server.url).port}`)).toBe(403);
      expect(await raw(new URL(server.url).host, "/other")).toBe(404);
      const post = (body: string) =>
        fetch(server.url, {
          method: "POST",
          headers: {
            authorization,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body,
        }).then(
          (answer) => answer.status,
          () => "closed",
        );
      expect(await post("not JSON")).toBe(400);
      expect(await post("7")).toBe(400);
      // The answer is lost where the connection ends while the rest is being sent.
      expect([413, "closed"]).toContain(await post(`"${"x".repeat(5 * 1024 * 1024)}"`));
    } finally {
      await server.close();
    }
  });
});
