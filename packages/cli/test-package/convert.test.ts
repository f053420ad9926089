import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

const nested = `{
  // The hero.
  "entities": [{ "id": "tank", "components": { "Anything": { "x": 1 } }, "children": [{ "name": "turret" }] }],
}
`;
const flat = `{
  "entities": [
    {
      "id": "tank",
      "components": {
        "Anything": { "x": 1 }
      }
    },
    { "id": "turret", "name": "turret", "parent": "tank" }
  ]
}
`;

describe("espalier convert", () => {
  it("writes the flat form to stdout, and says that comments are lost", () => {
    folder.write("level.json", nested);
    expect(folder.espalier("convert", "level.json", "--flat")).toEqual({
      status: 0,
      stdout: flat,
      stderr: "The comments of level.json are not in the result.\n",
    });
  });

  it("writes into files, and back to the nested form", () => {
    folder.write("level.json", nested);
    expect(folder.espalier("convert", "level.json", "--flat", "--out", "flat.json").stderr).toContain(
      "✓ flat.json",
    );
    expect(folder.read("flat.json")).toBe(flat);
    expect(folder.espalier("convert", "flat.json", "--nested", "-w").status).toBe(0);
    expect(JSON.parse(folder.read("flat.json"))).toEqual({
      entities: [
        { id: "tank", components: { Anything: { x: 1 } }, children: [{ id: "turret", name: "turret" }] },
      ],
    });
    expect(JSON.parse(folder.espalier("convert", "flat.json", "--flat", "-w", "--json").stdout)).toEqual({
      file: "flat.json",
      form: "flat",
      out: "flat.json",
    });
    expect(folder.read("flat.json")).toBe(flat);
  });

  it("returns the text in JSON when no file is written", () => {
    folder.write("small.json", `{ "entities": [{ "id": "a", "children": [{ "id": "b" }] }] }`);
    const text = folder.espalier("convert", "small.json", "--flat").stdout;
    const result = JSON.parse(folder.espalier("convert", "small.json", "--flat", "--json").stdout);
    expect(result).toEqual({ file: "small.json", form: "flat", out: null, text });
    const written = folder.espalier(
      "convert",
      "small.json",
      "--flat",
      "--out",
      "flat.json",
      "--json",
      "--force",
    );
    expect(JSON.parse(written.stdout)).toEqual({ file: "small.json", form: "flat", out: "flat.json" });
    expect(folder.read("flat.json")).toBe(text);
  });

  it("makes the folder it writes into, and says when it cannot", () => {
    folder.write("small.json", `{ "entities": [{ "id": "a" }] }`);
    expect(folder.espalier("convert", "small.json", "--flat", "--out", "new/folder/a.json").status).toBe(0);
    expect(folder.read("new/folder/a.json")).toContain(`{ "id": "a" }`);
    const { status, stderr } = folder.espalier(
      "convert",
      "small.json",
      "--flat",
      "--out",
      "small.json/a.json",
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Cannot write small\.json\/a\.json: .*\n$/);
  });

  it("converts nothing that is broken", () => {
    const text = `{ "entities": [{ "id": "a", "parent": "b" }, { "id": "b", "parent": "a" }] }`;
    folder.write("broken.json", text);
    const { status, stdout, stderr } = folder.espalier("convert", "broken.json", "--nested", "-w");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`broken.json:1:39 Entity "a" is its own ancestor: a > b > a.`);
    expect(stderr).toContain("Not converted: broken.json has problems.\n");
    expect(folder.read("broken.json")).toBe(text);
  });

  it("requires a form to convert to and at most one target", () => {
    folder.write("level.json", nested);
    expect(folder.espalier("convert", "level.json")).toMatchObject({
      status: 2,
      stderr: "Convert to what? Give --flat or --nested.\n",
    });
    expect(folder.espalier("convert", "level.json", "--flat", "-w", "-o", "x").stderr).toBe(
      "Write where? Give --write or --out, not both.\n",
    );
    expect(folder.espalier("convert", "gone.json", "--flat")).toMatchObject({
      status: 2,
      stderr: "Cannot read gone.json: there is no such file.\n",
    });
  });
});
