import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../src/write-files.ts";
import { filesIn, runIn, tempFolder } from "./folder.ts";

const scene = `{ "entities": [{ "id": "a" }] }`;
const tscn = `[gd_scene format=3]\n[node name="Plain" type="Node2D"]\n`;

/** Every command that writes a file, with scenes that it can read. */
const writers = ["import a.tscn", "convert a.scene.json --flat", "schema"];

function project() {
  const folder = tempFolder();
  folder.write("work/a.scene.json", scene);
  folder.write("work/a.tscn", tscn);
  folder.write("work/inner/precious.txt", "precious");
  return { ...folder, work: join(folder.dir, "work") };
}

/** Everything below a folder, folders and hidden files included. */
const listing = (dir: string) => readdirSync(dir, { recursive: true }).map(String).sort();

describe.each(writers)("espalier %s", (words) => {
  const command = words.split(" ");

  it.each([
    ["an empty path", ""],
    ["a path of blanks", "  "],
    ["the working folder", "."],
    ["the folder above", ".."],
    ["a folder", "inner"],
    ["a folder with a slash behind it", "inner/"],
    ["a folder that does not exist, with a slash behind it", "other/"],
  ])("refuses %s as --out, with and without --force, and moves nothing", async (_, out) => {
    const { dir, work } = project();
    const before = listing(dir);
    for (const force of [[], ["--force"]]) {
      const { status, stderr } = await runIn(work, ...command, "--out", out, ...force);
      expect(stderr).toMatch(/^Cannot write .*: (the path is empty|it is a folder)/m);
      expect(status).toBe(2);
      expect(listing(dir)).toEqual(before);
      expect(filesIn(work)["inner/precious.txt"]).toBe("precious");
    }
  });

  it("refuses a link to a folder as --out and keeps the link", async () => {
    const { work } = project();
    symlinkSync("inner", join(work, "link"));
    const { status, stderr } = await runIn(work, ...command, "--out", "link", "--force");
    expect(stderr).toContain("it is a folder");
    expect(status).toBe(2);
    expect(readlinkSync(join(work, "link"))).toBe("inner");
    expect(listing(join(work, "inner"))).toEqual(["precious.txt"]);
  });

  it("keeps the permissions of the file that it replaces", async () => {
    const { work, write } = project();
    const out = write("work/out.json", "former");
    chmodSync(out, 0o640);
    expect((await runIn(work, ...command, "--out", "out.json", "--force")).status).toBe(0);
    expect(readFileSync(out, "utf8")).not.toBe("former");
    expect(statSync(out).mode & 0o777).toBe(0o640);
  });

  it("refuses a file that is read-only, also with --force", async () => {
    const { work, write } = project();
    const out = write("work/out.json", "former");
    chmodSync(out, 0o444);
    const before = listing(work);
    const { status, stderr } = await runIn(work, ...command, "--out", "out.json", "--force");
    expect(stderr).toContain("Cannot write out.json: it is read-only");
    expect(status).toBe(2);
    expect(readFileSync(out, "utf8")).toBe("former");
    expect(statSync(out).mode & 0o777).toBe(0o444);
    expect(listing(work)).toEqual(before);
  });

  it("writes through a link to a file, also to one that does not exist yet", async () => {
    const { work, write } = project();
    write("work/inner/there.json", "former");
    symlinkSync(join("inner", "there.json"), join(work, "link.json"));
    symlinkSync(join("inner", "new.json"), join(work, "dangling.json"));
    for (const [link, target] of [
      ["link.json", "there.json"],
      ["dangling.json", "new.json"],
    ] as const) {
      expect((await runIn(work, ...command, "--out", join(work, link), "--force")).status).toBe(0);
      expect(lstatSync(join(work, link)).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(work, "inner", target), "utf8")).toContain("{");
    }
  });
});

describe("espalier convert --write", () => {
  it("keeps permissions and refuses a file that is read-only", async () => {
    const { work } = project();
    const file = join(work, "a.scene.json");
    chmodSync(file, 0o600);
    expect((await runIn(work, "convert", "a.scene.json", "--nested", "--write")).status).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o444);
    const { status, stderr } = await runIn(work, "convert", "a.scene.json", "--flat", "--write");
    expect(stderr).toContain("it is read-only");
    expect(status).toBe(2);
  });
});

describe("espalier import --recursive", () => {
  const holder = `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://inner.tscn" id="1"]
[node name="Root" type="Node2D"]
[node name="I" parent="." instance=ExtResource("1")]
`;

  it("does not follow a link out of the project that leads to no file yet", async () => {
    const { dir, write } = tempFolder();
    mkdirSync(join(dir, "outside"));
    write("game/project.godot", "");
    write("game/inner.tscn", tscn);
    write("game/main.tscn", holder);
    symlinkSync(join("..", "outside", "new.json"), join(dir, "game/inner.scene.json"));
    const { status, stderr } = await runIn(dir, "import", "game/main.tscn", "-r", "--force");
    expect(stderr).toContain("it is outside of the project");
    expect(status).toBe(1);
    expect(listing(join(dir, "outside"))).toEqual([]);
  });
});

describe("writeFiles", () => {
  it("refuses two texts for the same file, also through a link, and writes neither", () => {
    const { dir } = tempFolder();
    symlinkSync("a.json", join(dir, "link.json"));
    const files = ["a.json", "link.json"].map((name) => ({ file: join(dir, name), text: name }));
    expect(() => writeFiles(files, true)).toThrow("two files would be written there");
    expect(filesIn(dir)).toEqual({});
  });

  it("restores every file when a later one cannot be replaced, and leaves nothing beside them", () => {
    const { dir, write } = tempFolder();
    const first = write("first.json", "former");
    chmodSync(first, 0o640);
    mkdirSync(join(dir, "made"));
    // Becomes a folder between the checks and the replacement: what is moved there replaces nothing.
    const late = {
      file: join(dir, "late.json"),
      get text() {
        mkdirSync(join(dir, "late.json", "full"), { recursive: true });
        return "new";
      },
    };
    const files = [{ file: first, text: "new" }, { file: join(dir, "deep/er/new.json"), text: "new" }, late];
    expect(() => writeFiles(files, true)).toThrow("Cannot write");
    expect(readFileSync(first, "utf8")).toBe("former");
    expect(statSync(first).mode & 0o777).toBe(0o640);
    expect(listing(dir)).toEqual(["first.json", "late.json", join("late.json", "full"), "made"]);
  });

  it("keeps the copy of a replaced file that cannot be restored", () => {
    const { dir, write } = tempFolder();
    const [first, second] = [write("first.json", "former"), write("second.json", "former")];
    // As soon as the first file has been replaced, both become folders that are not empty.
    const late = {
      get file() {
        if (lstatSync(first).isFile() && readFileSync(first, "utf8") === "new") {
          for (const each of [first, second]) {
            rmSync(each);
            mkdirSync(join(each, "full"), { recursive: true });
          }
        }
        return second;
      },
      text: "new",
    };
    expect(() => writeFiles([{ file: first, text: "new" }, late], true)).toThrow("Cannot write");
    const copies = readdirSync(dir).filter((name) => name.startsWith("."));
    expect(copies.map((name) => readFileSync(join(dir, name), "utf8"))).toEqual(["former"]);
  });

  it.runIf(process.platform === "linux")("writes into a pipe, which a link in /proc names", () => {
    const { dir } = tempFolder();
    const pipe = join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    // Open for both, so that nothing waits for another end.
    const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    rmSync(pipe);
    writeFiles([{ file: `/proc/self/fd/${end}`, text: "new" }], true);
    const read = Buffer.alloc(10);
    expect(read.toString("utf8", 0, readSync(end, read))).toBe("new");
    closeSync(end);
  });
});
