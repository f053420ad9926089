import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BundledProgram, bundleProgram } from "./bundled.ts";
import { runIn, tempFolder } from "./folder.ts";

let program: BundledProgram;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program.remove());

interface Entry {
  readonly id: string;
  readonly name?: string;
  readonly parent?: string;
  readonly components?: object;
}

const at = (x: number, y = 0) => ({ Transform2D: { x, y } });
const base: readonly Entry[] = [
  { id: "level", name: "level", components: at(1) },
  { id: "tank", name: "tank", parent: "level", components: at(2) },
  { id: "crate", name: "crate", parent: "level", components: at(3) },
];

/** A repository with a scene, in which git merges scenes with us. */
async function repository() {
  const { dir, write } = tempFolder();
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd: dir,
      encoding: "utf8",
      env: {
        ...process.env,
        GIT_EDITOR: "true",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
      },
    });
    return { status, text: `${stdout}${stderr}` };
  };
  const must = (...args: string[]) => {
    const { status, text } = git(...args);
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${text}`);
  };
  must("init", "-q", "-b", "main");
  for (const [key, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.com"],
    ["commit.gpgsign", "false"],
  ] as const) {
    must("config", key, value);
  }
  const installed = await runIn(dir, "git-install", "--command", `"${process.execPath}" "${program.main}"`);
  expect(installed.status).toBe(0);
  const save = (entities: readonly Entry[]) =>
    write("level.scene.json", `${JSON.stringify({ entities }, null, 1)}\n`);
  const commit = (entities: readonly Entry[], message: string) => {
    save(entities);
    must("add", "-A");
    must("commit", "-q", "-m", message);
  };
  commit(base, "base");
  const branch = (name: string, entities: readonly Entry[]) => {
    must("checkout", "-q", "-b", name, "main");
    commit(entities, name);
  };
  const text = () => readFileSync(join(dir, "level.scene.json"), "utf8");
  const scene = () => (JSON.parse(text()) as { entities: Entry[] }).entities;
  const get = (id: string) => scene().find((entry) => entry.id === id);
  return { dir, git, must, branch, commit, save, text, scene, get };
}

const change = (id: string, values: Partial<Entry>) =>
  base.map((entry) => (entry.id === id ? { ...entry, ...values } : entry));

describe("scenes in git", () => {
  it("merge by entity where git sees the same lines changed", async () => {
    const { branch, must, get } = await repository();
    branch("ours", change("tank", { components: at(20) }));
    branch("theirs", change("tank", { components: at(2, 7), name: "Tiger" }));
    must("checkout", "-q", "ours");
    must("merge", "theirs", "-m", "merged");
    expect(get("tank")).toMatchObject({ name: "Tiger", components: { Transform2D: { x: 20, y: 7 } } });
  });

  it("get a merge rule beside rules about something else, and none beside one of the user", async () => {
    const { dir, write } = tempFolder();
    spawnSync("git", ["init", "-q"], { cwd: dir });
    write(".gitattributes", "*.scene.json text eol=lf\n*.prefab.json merge=union\n");
    const { status, stdout } = await runIn(dir, "git-install", "--json");
    expect([status, JSON.parse(stdout).added]).toEqual([
      0,
      ["*.scene.json merge=espalier", "*.scene.jsonc merge=espalier", "*.prefab.jsonc merge=espalier"],
    ]);
  });

  it("that one side deleted are not reported as free of conflicts", async () => {
    const { dir, branch, git, must } = await repository();
    branch("theirs", change("tank", { name: "Tiger" }));
    must("checkout", "-q", "-b", "ours", "main");
    must("rm", "-q", "level.scene.json");
    must("commit", "-q", "-m", "deleted");
    expect(git("merge", "theirs").status).toBe(1);
    const { status, stderr } = await runIn(dir, "resolve", "level.scene.json", "--theirs");
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("our side deleted the file. Keep it with git add"),
    ]);
  });

  it("rebase and cherry-pick the same way", async () => {
    const { branch, must, get } = await repository();
    branch("ours", change("tank", { components: at(20) }));
    branch("theirs", change("tank", { parent: "crate" }));
    must("rebase", "ours");
    expect(get("tank")).toMatchObject({ parent: "crate", components: { Transform2D: { x: 20 } } });
    branch("picked", change("crate", { name: "box" }));
    must("cherry-pick", "theirs");
    expect([get("tank")?.parent, get("crate")?.name]).toEqual(["crate", "box"]);
  });

  it("keep conflicts between the usual marks, and are resolved one by one", async () => {
    const { dir, branch, git, must, text, get } = await repository();
    branch("ours", change("tank", { components: at(20), name: "Tiger" }));
    branch("theirs", change("tank", { components: at(30), name: "Puma" }));
    must("checkout", "-q", "ours");
    const { status, text: said } = git("merge", "theirs");
    expect(status).toBe(1);
    expect(said).toContain("value tank Transform2D.x: ours 20, theirs 30 (was 2)");
    expect(text()).toMatch(/<<<<<<< ours\n.*"Tiger".*\n=======\n.*"Puma".*\n>>>>>>> theirs\n/);
    const listed = await runIn(dir, "resolve", "level.scene.json", "--list", "--json");
    expect(JSON.parse(listed.stdout).open).toEqual(["name tank", "value tank Transform2D.x"]);
    const first = await runIn(dir, "resolve", "level.scene.json", "--take", "name tank=theirs");
    expect(first.status).toBe(1);
    expect(text()).toContain("<<<<<<< ours");
    const second = await runIn(
      dir,
      "resolve",
      "level.scene.json",
      "--take",
      "value tank Transform2D.x=ours",
      "--add",
    );
    expect(second.status).toBe(0);
    expect(get("tank")).toMatchObject({ name: "Puma", components: { Transform2D: { x: 20 } } });
    must("commit", "-q", "-m", "merged");
  });

  it("are resolved by one side, from the marks alone when git has nothing else", async () => {
    const { dir, branch, git, must, text, get, save } = await repository();
    branch("ours", change("tank", { components: at(20) }));
    branch("theirs", change("tank", { components: at(30) }));
    must("checkout", "-q", "ours");
    git("merge", "theirs");
    const marked = text();
    expect((await runIn(dir, "resolve", "level.scene.json", "--theirs")).status).toBe(0);
    expect(get("tank")?.components).toEqual({ Transform2D: { x: 30 } });
    must("merge", "--abort");
    save([]);
    const { write } = tempFolder();
    const elsewhere = write("level.scene.json", marked);
    expect((await runIn(dir, "resolve", elsewhere, "--ours")).status).toBe(0);
    expect(JSON.parse(readFileSync(elsewhere, "utf8")).entities[1].components.Transform2D.x).toBe(20);
    expect((await runIn(dir, "resolve", elsewhere, "--ours")).status).toBe(2);
  });

  it("never get a cycle out of two moves", async () => {
    const { dir, branch, git, must } = await repository();
    branch("ours", change("tank", { parent: "crate" }));
    branch("theirs", change("crate", { parent: "tank" }));
    must("checkout", "-q", "ours");
    expect(git("merge", "theirs").status).toBe(1);
    expect((await runIn(dir, "resolve", "level.scene.json", "--ours")).status).toBe(0);
    expect((await runIn(dir, "check", "level.scene.json")).status).toBe(0);
  });

  it("keep both entities that the sides added under one id", async () => {
    const { branch, must, scene } = await repository();
    branch("ours", [...base, { id: "flag", name: "flag", parent: "tank" }]);
    branch("theirs", [...base, { id: "flag", name: "flag", parent: "crate" }]);
    must("checkout", "-q", "ours");
    must("merge", "theirs", "-m", "merged");
    expect(
      scene()
        .filter(({ name }) => name === "flag")
        .map(({ parent }) => parent),
    ).toEqual(["tank", "crate"]);
  });

  it("are merged as text when one side does not load, and left for a person to resolve", async () => {
    const { branch, git, must, text } = await repository();
    branch("ours", change("tank", { components: at(20) }));
    branch("theirs", change("tank", { parent: "nowhere" }));
    must("checkout", "-q", "ours");
    const { status, text: said } = git("merge", "theirs");
    expect([status, said]).toEqual([1, expect.stringContaining("was merged as text")]);
    expect(text()).toContain('"nowhere"');
  });

  it("are not merged by an octopus: git refuses, and nothing has changed", async () => {
    const { branch, git, must, text } = await repository();
    branch("one", change("tank", { components: at(20) }));
    branch("two", change("tank", { components: at(30) }));
    branch("three", change("tank", { components: at(40) }));
    must("checkout", "-q", "main");
    const before = text();
    const { status, text: said } = git("merge", "one", "two", "three");
    expect(status).not.toBe(0);
    expect(said).toContain("octopus");
    must("reset", "-q", "--hard");
    expect(text()).toBe(before);
  });
});

describe("espalier merge", () => {
  it("prints the merge, or the conflicts as data with both values and a default", async () => {
    const { dir, write } = tempFolder();
    const file = (name: string, entities: readonly Entry[]) => write(name, JSON.stringify({ entities }));
    file("base.json", base);
    file("ours.json", change("tank", { name: "Tiger" }));
    file("theirs.json", change("tank", { name: "Puma" }));
    const { status, stdout } = await runIn(dir, "merge", "base.json", "ours.json", "theirs.json", "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      conflicts: [{ key: "name tank", base: "tank", ours: "Tiger", theirs: "Puma", default: "ours" }],
      open: ["name tank"],
    });
    const taken = await runIn(
      dir,
      "merge",
      "base.json",
      "ours.json",
      "theirs.json",
      "--take",
      "name tank=theirs",
    );
    expect([taken.status, JSON.parse(taken.stdout).entities[1].name]).toEqual([0, "Puma"]);
    const wrong = await runIn(
      dir,
      "merge",
      "base.json",
      "ours.json",
      "theirs.json",
      "--take",
      "name tnak=theirs",
    );
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("There are: name tank")]);
  });

  it("refuses a scene of a newer version, and writes nothing", async () => {
    const { dir, write } = tempFolder();
    write("a.json", `{ "version": 9, "entities": [] }`);
    write("b.json", `{ "entities": [] }`);
    const { status, stderr } = await runIn(dir, "merge", "b.json", "b.json", "a.json", "-o", "out.json");
    expect([status, stderr]).toEqual([1, expect.stringContaining("version 9")]);
  });
});
