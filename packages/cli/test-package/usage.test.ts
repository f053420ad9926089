import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { createFolder, launcher } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

describe("espalier", () => {
  it("without arguments shows its help", () => {
    const { status, stdout, stderr } = folder.espalier();
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Usage: espalier [options] [command]");
    expect(stdout).toMatch(/check \[options\] <files\.\.\.> +find everything that is wrong with scenes/);
    expect(stdout).toContain("components: [...transformComponents, Health, Speed]");
    expect(folder.espalier("--help").stdout).toBe(stdout);
  });

  it.each(["check", "convert", "tree", "import", "schema", "new"])("%s teaches how to use it", (command) => {
    const { status, stdout } = folder.espalier(command, "--help");
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: espalier ${command}`);
    expect(stdout).toContain("Example");
    expect(stdout).toContain("--json");
    expect(folder.espalier("help", command).stdout).toBe(stdout);
  });

  it("shows its version and that of the library", () => {
    expect(folder.espalier("--version").stdout).toMatch(
      /^@espalier\/cli \d+\.\d+\.\d+, espalier \d+\.\d+\.\d+, Node /,
    );
  });

  it("ends with 2 when it is used wrongly, and says how to do it right", () => {
    expect(folder.espalier("chek", "x")).toEqual({
      status: 2,
      stdout: "",
      stderr: "error: unknown command 'chek'\n(Did you mean check?)\n(espalier --help lists the commands)\n",
    });
    const { status, stderr } = folder.espalier("check", "--strct", "x");
    expect(status).toBe(2);
    expect(stderr).toContain("(Did you mean --strict?)");
    expect(folder.espalier("check").stderr).toContain("error: missing required argument 'files'");
  });

  it.each(["import a.tscn", "convert a.json --flat", "schema"])(
    "refuses a path that an unset shell variable left empty: espalier %s",
    (command) => {
      if (process.platform === "win32") return;
      const inner = createFolder();
      inner.write("a.tscn", '[gd_scene format=3]\n[node name="A" type="Node2D"]\n');
      inner.write("a.json", `{ "entities": [{ "id": "a" }] }`);
      const espalier = `'${process.execPath}' '${launcher}'`;
      for (const force of ["", "--force"]) {
        const { status, stderr } = inner.run(
          "sh",
          "-c",
          `unset OUT; ${espalier} ${command} --out "$OUT" ${force}`,
        );
        expect(stderr).toContain('Cannot write "": the path is empty.');
        expect(status).toBe(2);
        expect(readdirSync(inner.dir).sort()).toEqual(["a.json", "a.tscn"]);
      }
      inner.remove();
    },
  );

  it.each([
    [["tree", "gone.json"], 2, "Cannot read gone.json: there is no such file."],
    [["check"], 2, "missing required argument 'files'"],
    [["convert", "bad.json"], 2, "Convert to what? Give --flat or --nested."],
    [["tree", "bad.json"], 1, 'Cannot load bad.json: bad.json:1:39: Entity "a" has the parent'],
    [["convert", "bad.json", "--flat"], 1, "Not converted: bad.json has problems."],
    [["import", "bad.tscn"], 1, "Cannot import bad.tscn:1: A scene of Godot begins with [gd_scene …]."],
  ])("prints failures as JSON with --json: %j", (args, code, message) => {
    folder.write("bad.json", `{ "entities": [{ "id": "a", "parent": "b" }] }`);
    folder.write("bad.tscn", "");
    const { status, stdout } = folder.espalier(...args, "--json");
    expect(status).toBe(code);
    const result = JSON.parse(stdout);
    expect(result.error).toContain(message);
    const isBroken = code === 1 && !args.includes("import");
    expect(result.problems?.[0]?.code).toBe(isBroken ? "scene/missing-parent" : undefined);
  });

  it("ends quietly when its output is closed early", () => {
    const entities = Array.from({ length: 20_000 }, (_, k) => ({ id: `entity-${k}` }));
    folder.write("many.scene.json", JSON.stringify({ entities }));
    const program = `"${process.execPath}" "${launcher}" tree many.scene.json -n 20000`;
    const { status, stdout, stderr } = folder.run("sh", "-c", `${program} | head -n 1`);
    expect([status, stdout, stderr]).toEqual([0, "entity-0\n", ""]);
  });

  it("prints what it is doing when that takes long, on a terminal only", () => {
    const text = JSON.stringify({ entities: [{ id: "a", name: "n".repeat(3_000_000) }] });
    folder.write("long.scene.json", text);
    folder.write("a.scene.json", `{ "entities": [{ "id": "a" }] }`);
    const onTerminal = (...args: string[]) => {
      const terminal = "--import=data:text/javascript,process.stderr.isTTY=true";
      return folder.run(process.execPath, terminal, launcher, ...args).stderr;
    };
    const clear = "\r\u001b[2K";
    expect(onTerminal("check", "long.scene.json")).toBe(
      `${clear}Checking 1 of 1: long.scene.json (3.0 MB)${clear}`,
    );
    expect(onTerminal("convert", "long.scene.json", "--flat")).toContain(
      "Converting long.scene.json (3.0 MB)",
    );
    expect(onTerminal("tree", "long.scene.json")).toContain("Loading long.scene.json (3.0 MB)");
    expect(folder.espalier("check", "long.scene.json").stderr).toBe("");
    expect(onTerminal("check", "long.scene.json", "--json")).toBe("");
  });

  it("uses colours on request, and never in JSON", () => {
    folder.write("a.scene.json", `{ "entities": [{ "id": "a" }] }`);
    const control = "\u001b[";
    expect(folder.espalier("tree", "a.scene.json").stdout).not.toContain(control);
    expect(folder.espalierWith({ NO_COLOR: "", FORCE_COLOR: "1" }, "tree", "a.scene.json").stdout).toContain(
      control,
    );
    expect(folder.espalier("tree", "a.scene.json", "--color").stdout).toContain(control);
    const forced = folder.espalierWith(
      { NO_COLOR: "", FORCE_COLOR: "1" },
      "tree",
      "a.scene.json",
      "--no-color",
    );
    expect(forced.stdout).toBe("a\n");
    expect(folder.espalier("tree", "a.scene.json", "--color", "--json").stdout).not.toContain(control);
  });
});
