import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verbs } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { filesIn, runIn, tempFolder } from "./folder.ts";

const level = `{
  "entities": [
    { "id": "level", "name": "level", "components": { "Transform2D": { "x": 10 } } },
    { "id": "tank", "name": "tank", "parent": "level", "components": { "Transform2D": { "x": 5 } } },
    { "id": "crate", "name": "crate", "parent": "level" }
  ]
}
`;

function project(text = level) {
  const { dir, write } = tempFolder();
  write("level.scene.json", text);
  const read = (name = "level.scene.json") => readFileSync(join(dir, name), "utf8");
  const run = (verb: string, ...args: string[]) => runIn(dir, verb, "level.scene.json", ...args);
  return { dir, write, read, run };
}

describe("a verb on the command line", () => {
  it("changes the file and prints the difference", async () => {
    const { run, read } = project();
    const { status, stdout } = await run("set", "tank", "Transform2D.x=7", "Transform2D.y=1");
    expect([status, stdout]).toEqual([
      0,
      "~ /level/tank Transform2D.x: 5 → 7\n~ /level/tank Transform2D.y: 0 → 1\n",
    ]);
    expect(read()).toContain('"Transform2D": { "x": 7, "y": 1 }');
    expect(read()).not.toContain("version");
  });

  it("knows the components of the library without a config, and prints a token when undo can use it", async () => {
    const { run, read } = project();
    const added = await run("add-component", "crate", "Shape", "width=30");
    expect(added).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Shape"),
      stderr: "✓ level.scene.json\n",
    });
    expect(read()).toContain('"Shape": { "width": 30 }');
    expect((await run("find", "--where", "Shape.width = 30")).stdout).toContain("crate");
    expect((await run("find", "--where", "Shape.width > 30")).stderr).toBe("Nothing found.\n");
    expect((await run("set", "crate", "Shape.width=31", "--journal")).stderr).toBe(
      "✓ level.scene.json (edit-1)\n",
    );
    expect((await run("undo", "edit-1")).stdout).toBe("~ /level/crate Shape.width: 31 → 30\n");
  });

  it("writes nothing in a dry run", async () => {
    const { run, read } = project();
    const { stdout, stderr } = await run("rm", "crate", "--dry-run");
    expect(stdout).toBe("- /level/crate\n");
    expect(stderr).toContain("nothing was written");
    expect(read()).toBe(level);
  });

  it("has names for everyday use: add, move, rm, cp", async () => {
    const { run, read } = project();
    expect((await run("add", "flag", "--parent", "level", "--before", "tank")).stdout).toBe(
      "+ /level/flag\n",
    );
    expect((await run("move", "crate", "--parent", "tank")).stdout).toBe(
      '> /level/tank/crate parent: "level" → "tank"\n',
    );
    expect((await run("cp", "tank", "tank 2", "--json")).stdout).toContain(
      '"output":{"id":"tank-2","copied":2}',
    );
    expect((await run("rm", "/level/tank")).status).toBe(0);
    expect(read()).toContain("tank 2");
  });

  it("prints values, as JSON when asked", async () => {
    const { run } = project();
    expect((await run("get", "tank", "Transform2D.x")).stdout).toBe("5\n");
    expect(JSON.parse((await run("find", "--component", "Transform2D", "--json")).stdout)).toMatchObject({
      output: { count: 2 },
      written: [],
    });
    expect((await run("find", "/level/*")).stdout).toBe("tank  /level/tank\ncrate  /level/crate\n");
  });

  it("keeps nested files nested, and says that comments are lost", async () => {
    const { run, read } = project(`{
  // The first level.
  "entities": [{ "id": "a", "children": [{ "id": "b" }] }]
}`);
    const { stderr } = await run("rename", "b", "Berta");
    expect(stderr).toContain("The comments of level.scene.json are not kept.");
    expect(JSON.parse(read()).entities[0].children[0]).toEqual({ id: "b", name: "Berta" });
  });

  it("makes a prefab file beside the scene, and undo takes both back", async () => {
    const { dir, run, read } = project();
    const { status } = await run("make-prefab", "tank", "tank.prefab.json", "--journal");
    expect(status).toBe(0);
    expect(filesIn(dir)["tank.prefab.json"]).toContain('"tank"');
    expect(JSON.parse(read()).entities[1]).toMatchObject({ id: "tank", prefab: "tank.prefab.json" });
    expect((await run("undo")).status).toBe(0);
    expect(Object.keys(filesIn(dir))).toEqual(["level.scene.json", "level.scene.json.journal"]);
    expect(JSON.parse(read())).toMatchObject({ entities: [{}, { id: "tank", name: "tank" }, {}] });
  });

  it("inserts a scene file", async () => {
    const { run, write, read } = project();
    write("more.scene.json", `{ "entities": [{ "id": "tank", "name": "second" }] }`);
    expect((await run("insert", "more.scene.json", "--parent", "crate")).stdout).toBe(
      "+ /level/crate/second\n",
    );
    expect(read()).toContain('"id": "second"');
  });

  it("inserts a scene of another folder with the prefabs that are beside it there", async () => {
    const { run, write, read } = project();
    write("parts/lamp.prefab.json", `{ "entities": [{ "id": "lamp", "name": "right" }] }`);
    write("lamp.prefab.json", `{ "entities": [{ "id": "lamp", "name": "wrong" }] }`);
    const room = `{ "entities": [{ "id": "room", "children": [{ "id": "one", "prefab": "lamp.prefab.json" }] }] }`;
    const file = write("parts/room.scene.json", room);
    expect((await run("insert", file)).status).toBe(0);
    expect(JSON.parse(read()).entities).toContainEqual(
      expect.objectContaining({ id: "one", prefab: "parts/lamp.prefab.json" }),
    );
    expect(JSON.parse((await run("show", "one", "--json")).stdout).output).toMatchObject({ name: "right" });
  });

  it.each([
    [["set", "tank", "Transform2D=5"], 2, "an object with its fields, got 5"],
    [["set", "tank", "__proto__.x=1"], 2, 'no component "__proto__"'],
    [["set", "tnak", "Transform2D.x=1"], 2, 'Did you mean "tank"?'],
    [["set", "tank", "Transform2d.x=1"], 2, 'Did you mean "Transform2D"?'],
    [["set", "tank", "Transform2D.x=wide"], 1, "scene/wrong-type"],
    [["set", "tank", "Transform2D.x.y=1"], 2, "Component.field=value"],
    [["move", "level", "--parent", "tank"], 1, "its own ancestor"],
    [["undo", "edit-9"], 2, 'no edit "edit-9"'],
    [["reorder", "tank", "first"], 2, "at is a number"],
  ])("refuses %j and writes nothing", async ([verb = "", ...args], code, help) => {
    const { run, read } = project();
    const { status, stderr } = await run(verb, ...args);
    expect([status, stderr]).toEqual([code, expect.stringContaining(help)]);
    expect(read()).toBe(level);
  });

  it("gives failures as a line of JSON with their code", async () => {
    const { run } = project();
    const { stdout } = await run("rename", "nope", "x", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      code: "verbs/unknown-entity",
      error: expect.stringContaining("nope"),
    });
  });

  it.each([
    ["an argument that is missing", ["set", "level.scene.json"]],
    ["an unknown option", ["find", "level.scene.json", "--bogus"]],
    ["an unknown command", ["bogus"]],
  ])("gives a code for %s, too", async (_, args) => {
    const { stdout, status } = await runIn(project().dir, ...args, "--json");
    expect([status, JSON.parse(stdout)]).toEqual([2, { error: expect.any(String), code: "cli/usage" }]);
  });

  it("reports what is wrong with a step of a batch, not only its number", async () => {
    const { run, write } = project();
    write("steps.json", `[{ "verb": "rename", "entity": "tnak", "name": "x" }]`);
    const { stdout } = await run("batch", "steps.json", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ code: "verbs/failed-step", step: 0, nearest: ["tank"] });
  });

  it("exists for every verb of the library", async () => {
    const { dir } = tempFolder();
    const { stdout } = await runIn(dir, "--help");
    for (const name of Object.keys(verbs)) expect(stdout).toContain(`  ${name}`);
  });
});

describe("batch", () => {
  it("runs the steps of a file as one edit, or none of them", async () => {
    const { run, write, read } = project();
    write(
      "steps.json",
      `[{ "verb": "rename", "entity": "tank", "name": "Tiger" }, { "verb": "delete", "entities": ["crate"] }]`,
    );
    expect((await run("batch", "steps.json")).stdout).toBe(
      '- /level/crate\n~ /level/Tiger name: "tank" → "Tiger"\n',
    );
    const before = read();
    write(
      "cycle.json",
      `[{ "verb": "rename", "entity": "tank", "name": "x" }, { "verb": "reparent", "entities": ["level"], "parent": "tank" }]`,
    );
    const { status, stderr } = await run("batch", "cycle.json");
    expect([status, stderr]).toEqual([1, expect.stringContaining("step 2 (reparent) is refused")]);
    expect(read()).toBe(before);
    write("bad.json", `{}`);
    expect((await run("batch", "bad.json")).status).toBe(2);
  });
});

describe("a journal", () => {
  it("is kept once begun: log lists authors and reasons, and undo takes back one edit alone", async () => {
    const { run, read } = project();
    await run("rename", "tank", "Tiger", "--author", "Ada", "--reason", "a better name", "--journal");
    await run("rename", "crate", "box", "--author", "agent");
    const { stdout } = await run("log");
    expect(stdout).toContain(
      'edit-1 rename by Ada: a better name\n  ~ /level/Tiger name: "tank" → "Tiger"\n',
    );
    expect(stdout).toContain("edit-2 rename by agent");
    expect((await run("undo", "edit-1")).status).toBe(0);
    expect(JSON.parse(read()).entities[1].name).toBe("tank");
    expect(read()).toContain('"name": "box"');
  });

  it("does not undo edits from before a change of another program", async () => {
    const { dir, run, read } = project();
    await run("rename", "tank", "Tiger", "--journal");
    writeFileSync(join(dir, "level.scene.json"), read().replace("box", "box").replace('"x": 10', '"x": 11'));
    const { status, stderr } = await run("undo", "edit-1");
    expect([status, stderr]).toEqual([2, expect.stringContaining("changed outside the log")]);
    expect((await run("log")).stdout).toContain("outside");
  });

  it("that is broken is refused with its line", async () => {
    const { run, write } = project();
    write("level.scene.json.journal", "{}\n");
    const { status, stderr } = await run("log");
    expect([status, stderr]).toEqual([1, expect.stringContaining("line 1 is not an edit")]);
  });
});

describe("diff", () => {
  it("prints what differs by entity, and ends with 1", async () => {
    const { dir, write } = project();
    write("b.scene.json", level.replace('"x": 5', '"x": 6'));
    const { status, stdout } = await runIn(dir, "diff", "level.scene.json", "b.scene.json");
    expect([status, stdout]).toEqual([1, "~ /level/tank Transform2D.x: 5 → 6\n"]);
    const same = await runIn(dir, "diff", "level.scene.json", "level.scene.json", "--json");
    expect([same.status, JSON.parse(same.stdout).changes]).toEqual([0, []]);
  });
});

describe("a prefab that is composed of others", () => {
  it("is checked, drawn as an instance, compared and kept by a conversion", async () => {
    const { dir, write } = tempFolder();
    write("tank.prefab.json", `{ "entities": [{ "id": "tank", "children": [{ "id": "turret" }] }] }`);
    write("burning.prefab.json", `{ "entities": [{ "id": "burning", "children": [{ "id": "flame" }] }] }`);
    write("flag.prefab.json", `{ "entities": [{ "id": "flag" }] }`);
    const compose = (...names: string[]) =>
      `${JSON.stringify({ version: 1, compose: names, entities: [] })}\n`;
    write("wreck.prefab.json", compose("tank", "burning"));
    write("other.prefab.json", compose("tank", "flag"));
    expect((await runIn(dir, "check", "wreck.prefab.json")).status).toBe(0);
    const drawn = await runIn(dir, "tree", "wreck.prefab.json");
    expect(drawn.stdout.split("\n").map((line) => line.trim())).toEqual([
      "wreck prefab ./wreck.prefab.json",
      "├─ wreck/tank/turret",
      "└─ wreck/burning/flame",
      "",
    ]);
    const compared = await runIn(dir, "diff", "wreck.prefab.json", "other.prefab.json");
    expect([compared.status, compared.stdout]).toEqual([
      1,
      '~ compose: ["tank","burning"] → ["tank","flag"]\n',
    ]);
    expect((await runIn(dir, "diff", "wreck.prefab.json", "wreck.prefab.json")).status).toBe(0);
    const nested = await runIn(dir, "convert", "wreck.prefab.json", "--nested");
    expect(JSON.parse(nested.stdout)).toEqual(JSON.parse(compose("tank", "burning")));
    const edited = await runIn(dir, "rename", "wreck.prefab.json", "tank", "x");
    expect(edited.status).not.toBe(0);
    expect(edited.stderr).toContain("A composed prefab is not a scene");
    write("wrong.prefab.json", compose("tank"));
    const wrong = await runIn(dir, "check", "wrong.prefab.json");
    expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining("at least two names")]);
  });

  it("is merged by what it is composed of", async () => {
    const { dir, write } = tempFolder();
    const compose = (...names: string[]) => JSON.stringify({ version: 1, compose: names, entities: [] });
    for (const id of ["tank", "burning", "flag"])
      write(`${id}.prefab.json`, `{ "entities": [{ "id": "${id}" }] }`);
    write("base.prefab.json", compose("tank", "burning"));
    write("ours.prefab.json", compose("tank", "burning", "flag"));
    write("theirs.prefab.json", compose("tank", "flag"));
    const merge = (...args: string[]) =>
      runIn(dir, "merge", "base.prefab.json", "ours.prefab.json", "theirs.prefab.json", ...args);
    const open = await merge();
    expect([open.status, open.stdout]).toEqual([
      1,
      `{
  "version": 1,
<<<<<<< ours
  "compose": ["tank", "burning", "flag"],
=======
  "compose": ["tank", "flag"],
>>>>>>> theirs
  "entities": []
}
`,
    ]);
    const decided = await merge("--theirs");
    expect([decided.status, JSON.parse(decided.stdout)]).toEqual([0, JSON.parse(compose("tank", "flag"))]);
  });
});
