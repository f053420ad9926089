/** What the guide to the command line shows: its config, its commands and what they print. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageFile } from "../../../test/docs/page-files.ts";
import { root } from "../../../test/structure/source-files.ts";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

beforeAll(() => {
  mkdirSync(join(folder.dir, "node_modules"));
  symlinkSync(join(root, "packages/espalier"), join(folder.dir, "node_modules/espalier"), "junction");
  folder.write("espalier.config.mjs", pageFile("docs/guide/cli.md", "espalier.config.mjs"));
  folder.write(
    "dist/components.js",
    `import { component, f32, tag } from "espalier";
export const Speed = component("Speed", { value: f32(1) });
export const Player = tag("Player");
`,
  );
  folder.write("package.json", `{ "type": "module" }`);
  folder.write(
    "scenes/tank.prefab.json",
    `{ "entities": [{ "id": "tank", "components": { "Transform2D": {}, "Speed": {} }, "children": [
  { "id": "turret", "components": { "Transform2D": { "y": 4 } }, "children": [
    { "id": "barrel", "components": { "Transform2D": { "x": 12 } } }
  ] }
] }] }
`,
  );
});

const scene = (more: string) => `{
  "entities": [
    { "id": "level" },
    {
      "id": "player",
      "parent": "level",
      "prefab": "tank.prefab.json",
      "components": {
        "Player": {},
        "Transform2D": { "x": 10 }${more}
      }
    },
    { "id": "rock", "parent": "level", "components": { "Transform2D": { "x": 100, "y": 50 } } }
  ]
}
`;

/** Types the first line and compares the others with what it prints. */
function expectAsShown(shown: string, status: number): void {
  const [line = "", ...output] = shown.split("\n");
  const [mark, tool, ...args] = line.split(" ");
  expect([mark, tool]).toEqual(["$", "espalier"]);
  expect(folder.espalier(...args)).toEqual({ status, stdout: output.join("\n"), stderr: "" });
}

describe("the guide to the command line", () => {
  it("shows what check prints", () => {
    folder.write("scenes/main.scene.json", scene(',\n        "Sped": {}'));
    expectAsShown(pageFile("docs/guide/cli.md", "check.txt"), 1);
  });

  it("shows what tree prints", () => {
    folder.write("scenes/main.scene.json", scene(""));
    expectAsShown(pageFile("docs/guide/cli.md", "tree.txt"), 0);
  });

  it("shows what import prints and writes", () => {
    const inner = createFolder();
    const [, ...tscn] = pageFile("docs/guide/cli.md", "level.tscn").split("\n");
    inner.write("level.tscn", tscn.join("\n"));
    inner.write("tank.tscn", '[gd_scene format=3]\n[node name="Tank" type="Node2D"]\n');
    const [line = "", ...output] = pageFile("docs/guide/cli.md", "import.txt").split("\n");
    const { status, stderr } = inner.espalier(...line.split(" ").slice(2));
    expect([status, stderr.trim()]).toEqual([0, output.join("\n").trim()]);
    expect(inner.read("level.scene.json").trim()).toBe(
      pageFile("docs/guide/cli.md", "level.scene.json").trim(),
    );
    inner.remove();
  });
});
