import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSceneFormat, type Json } from "espalier/scene";
import { transformComponents } from "espalier/transform";
import { openSceneDocument, runVerb, type VerbName, verbs } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { filesIn, runArgs, runIn } from "./folder.ts";
import { connect, type Result } from "./mcp-client.ts";
import { cannon, gun, level, project } from "./verb-project.ts";

/** For every verb, parameters that work on the scene of `verb-project.ts`, and what comes before it on the command line. */
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
