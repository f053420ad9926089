import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createSceneFormat, type Json } from "espalier/scene";
import { transformComponents } from "espalier/transform";
import { openSceneDocument, runVerb, type VerbName, verbs } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { openProject } from "../src/mcp/project.ts";
import { serveHttp } from "../src/mcp/serve-http.ts";
import { bundleProgram } from "./bundled.ts";
import { filesIn, runArgs, runIn, tempFolder } from "./folder.ts";
import { clientOf, connect, type Result } from "./mcp-client.ts";

const level = `{
  "entities": [
    { "id": "level", "name": "level", "components": { "Transform2D": { "x": 10 } } },
    { "id": "tank", "name": "tank", "parent": "level", "components": { "Transform2D": { "x": 5 } } },
    { "id": "crate", "name": "crate", "parent": "level", "components": { "Transform2D": {} } },
    { "id": "gun", "name": "gun", "parent": "tank", "prefab": "gun.prefab.json", "components": { "Transform2D": { "y": 2 } }, "overrides": { "sight": { "components": { "Transform2D": { "x": 4 } } } } }
  ]
}
`;
const gun = `{
  "entities": [
    { "id": "gun", "name": "gun", "components": { "Transform2D": {} } },
    { "id": "sight", "parent": "gun", "components": { "Transform2D": { "x": 1 } } }
  ]
}
`;
const cannon = gun.replaceAll("gun", "cannon");

function project() {
  const folder = tempFolder();
  folder.write("level.scene.json", level);
  folder.write("gun.prefab.json", gun);
  folder.write("cannon.prefab.json", cannon);
  folder.write("more.scene.json", `{ "entities": [{ "id": "more", "name": "more" }] }`);
  return folder;
}

/** For every verb, parameters that work on the scene above, and what comes before it on the command line. */
const calls: {
  readonly [Name in VerbName]: { readonly given: { [name: string]: Json }; readonly args: string[] };
} = {
  find: { given: { component: "Transform2D" }, args: ["--component", "Transform2D"] },
  get: { given: { entity: "tank", value: "Transform2D.x" }, args: ["tank", "Transform2D.x"] },
  show: { given: { entity: "gun/sight" }, args: ["gun/sight"] },
  validate: { given: {}, args: [] },
  log: { given: {}, args: [] },
  create: { given: { name: "flag", parent: "tank", at: 0 }, args: ["flag", "--parent", "tank", "--at", "0"] },
  delete: { given: { entities: ["crate", "gun"] }, args: ["crate", "gun"] },
  duplicate: { given: { entity: "tank", name: "twin" }, args: ["tank", "twin"] },
  rename: { given: { entity: "tank", name: "Tiger" }, args: ["tank", "Tiger"] },
  reparent: { given: { entities: ["tank"], parent: null }, args: ["tank", "--parent", "null"] },
  reorder: { given: { entity: "crate", at: 0 }, args: ["crate", "0"] },
  set: { given: { entity: "tank", values: { Transform2D: { x: 7 } } }, args: ["tank", "Transform2D.x=7"] },
  unset: { given: { entity: "gun", fields: ["Transform2D.y"] }, args: ["gun", "Transform2D.y"] },
  "add-component": {
    given: { entity: "tank", component: "InheritTransform", values: { rotation: false } },
    args: ["tank", "InheritTransform", "rotation=false"],
  },
  "remove-component": {
    given: { entity: "crate", component: "Transform2D" },
    args: ["crate", "Transform2D"],
  },
  group: { given: { entities: ["tank", "crate"], name: "both" }, args: ["tank", "crate", "--name", "both"] },
  align: { given: { axis: "x", entities: ["tank", "crate"] }, args: ["x", "tank", "crate"] },
  insert: {
    given: { scene: "more.scene.json", parent: "tank" },
    args: ["more.scene.json", "--parent", "tank"],
  },
  rewrite: { given: { scene: "more.scene.json" }, args: ["more.scene.json"] },
  "make-prefab": {
    given: { entity: "crate", prefab: "crate.prefab.json" },
    args: ["crate", "crate.prefab.json"],
  },
  prefabs: { given: {}, args: [] },
  "make-instance": {
    given: { entity: "crate", prefab: "cannon.prefab.json" },
    args: ["crate", "cannon.prefab.json"],
  },
  instantiate: {
    given: { prefab: "gun.prefab.json", parent: "crate" },
    args: ["gun.prefab.json", "--parent", "crate"],
  },
  apply: {
    given: { entity: "gun", overrides: ["sight Transform2D.x"] },
    args: ["gun", "sight Transform2D.x"],
  },
  revert: { given: { entity: "gun", overrides: ["Transform2D.y"] }, args: ["gun", "Transform2D.y"] },
  unpack: { given: { entity: "gun" }, args: ["gun"] },
  "replace-prefab": {
    given: { entity: "gun", prefab: "cannon.prefab.json" },
    args: ["gun", "cannon.prefab.json"],
  },
  undo: { given: {}, args: [] },
};

describe("a verb as a call, a command and a tool", () => {
  it.each(Object.keys(verbs) as VerbName[])("%s gives the same result and the same file", async (name) => {
    const { given, args } = calls[name];
    const [a, b] = [project().dir, project().dir];
    if (name === "undo") {
      for (const dir of [a, b]) await runIn(dir, "rename", "level.scene.json", "tank", "Tiger", "--journal");
    }
    const { call } = await connect(b);
    const byTool = await call(name, { file: "level.scene.json", ...given });
    const isWrite = !verbs[name].isReadOnly;
    const author = isWrite && name !== "undo" ? ["--author", "agent"] : [];
    const own = args.map((arg) => (arg === "more.scene.json" ? join(a, arg) : arg));
    const journal = isWrite ? ["--journal"] : [];
    const ran = await runArgs(a, [
      name,
      join(a, "level.scene.json"),
      ...own,
      ...author,
      ...journal,
      "--json",
    ]);
    const byCommand = JSON.parse(ran.stdout) as Result;
    expect(byCommand.error).toBeUndefined();
    const part = ({ changes, text, warnings, output, token }: Result) => ({
      changes,
      text,
      warnings,
      output,
      token,
    });
    expect(part(byTool)).toEqual(part(byCommand));
    const scenes = (dir: string) =>
      Object.fromEntries(Object.entries(filesIn(dir)).filter(([file]) => !file.endsWith(".journal")));
    expect(scenes(b)).toEqual(scenes(a));
    if (name === "undo") return;
    const document = openSceneDocument(createSceneFormat({ components: [transformComponents] }), level, {
      prefabs: { "gun.prefab.json": gun, "cannon.prefab.json": cannon },
    });
    const scene =
      given.scene === undefined
        ? {}
        : { scene: readFileSync(join(project().dir, "more.scene.json"), "utf8") };
    const byCall = runVerb(document, name, { ...given, ...scene } as never);
    const plain = JSON.parse(JSON.stringify({ ...byCall, token: byCall.token ?? null })) as Result;
    expect(part(plain)).toEqual(part(byTool));
  });
});

describe("a refusal of a call, a command and a tool", () => {
  it.each([
    ["verbs/unknown-entity", "rename", { entity: "tnak", name: "x" }, ["tnak", "x"]],
    ["verbs/ambiguous-path", "delete", { entities: ["/level/*"] }, ["/level/*"]],
    [
      "verbs/invalid-parameters",
      "set",
      { entity: "tank", values: { Transform2D: 5 } },
      ["tank", "Transform2D=5"],
    ],
    ["verbs/invalid-parameters", "find", { where: "Transform2D.w < 1" }, ["--where", "Transform2D.w < 1"]],
    ["verbs/not-an-instance", "unpack", { entity: "tank" }, ["tank"]],
    ["verbs/unknown-edit", "undo", { edit: "edit-9" }, ["edit-9"]],
    ["hierarchy/cycle", "reparent", { entities: ["level"], parent: "tank" }, ["level", "--parent", "tank"]],
    [
      "scene/wrong-type",
      "create",
      { components: { Transform2D: { x: "wide" } } },
      ["--components", "Transform2D.x=wide"],
    ],
  ] as const)(
    "has the code %s everywhere for %s, and nothing is written",
    async (code, verb, given, args) => {
      const { dir } = project();
      const before = filesIn(dir);
      const { call } = await connect(dir);
      expect(await call(verb, { file: "level.scene.json", ...given })).toMatchObject({ code });
      const { stdout, status } = await runArgs(dir, [verb, join(dir, "level.scene.json"), ...args, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ code });
      expect(status).toBeGreaterThan(0);
      const document = openSceneDocument(createSceneFormat({ components: [transformComponents] }), level, {
        prefabs: { "gun.prefab.json": gun },
      });
      let thrown: unknown;
      try {
        runVerb(document, verb, given as never);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code });
      expect(filesIn(dir)).toEqual(before);
    },
  );
});

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
