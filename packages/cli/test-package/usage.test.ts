import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

describe("espalier", () => {
  it("without arguments shows its help", () => {
    const { status, stdout, stderr } = folder.espalier();
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Usage: espalier [options] [command]");
    expect(stdout).toContain("check [options] <files...>  find everything that is wrong with scenes");
    expect(stdout).toContain("export default { components: [Health, Speed] };");
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
      stderr: "error: unknown command 'chek'\n(Did you mean check?)\n(espalier --help shows what there is)\n",
    });
    const { status, stderr } = folder.espalier("check", "--strct", "x");
    expect(status).toBe(2);
    expect(stderr).toContain("(Did you mean --strict?)");
    expect(folder.espalier("check").stderr).toContain("error: missing required argument 'files'");
  });

  it("uses colours when asked, and never in JSON", () => {
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
