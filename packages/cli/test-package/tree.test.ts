import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

folder.write(
  "scenes/main.scene.json",
  `{ "entities": [
    { "id": "level", "components": { "Transform2D": { "x": 100, "y": 50 } }, "children": [
      { "id": "tank", "name": "Hero", "prefab": "tank.prefab.json", "components": { "Transform2D": { "x": 10 }, "Fuel": {} } },
      { "id": "rock" }
    ] },
    { "id": "ship", "components": { "Transform3D": { "z": 5 } }, "children": [
      { "id": "mast", "components": { "Transform3D": { "y": 2.5 } } }
    ] }
  ] }`,
);
folder.write(
  "scenes/tank.prefab.json",
  `{ "entities": [{ "id": "tank", "components": { "Transform2D": { "rotation": 1.5707963267948966 } }, "children": [
    { "id": "turret", "components": { "Transform2D": { "x": 4 } } }
  ] }] }`,
);

describe("espalier tree", () => {
  it("draws the tree with local positions and, where they differ, those in the world", () => {
    expect(folder.espalier("tree", "scenes/main.scene.json")).toEqual({
      status: 0,
      stdout: `level (100, 50) [Transform2D]
├─ tank "Hero" (10, 0) world (110, 50) prefab tank.prefab.json [Transform2D]
│  └─ tank/turret (4, 0) world (110, 54) [Transform2D]
└─ rock
ship (0, 0, 5) [Transform3D]
└─ mast (0, 2.5, 0) world (0, 2.5, 5) [Transform3D]
`,
      stderr: "",
    });
  });

  it("draws less with options", () => {
    const { stdout } = folder.espalier("tree", "scenes/main.scene.json", "--depth", "1", "--no-components");
    expect(stdout).toBe(`level (100, 50)
├─ tank "Hero" (10, 0) world (110, 50) prefab tank.prefab.json
└─ rock
ship (0, 0, 5)
└─ mast (0, 2.5, 0) world (0, 2.5, 5)
`);
    expect(folder.espalier("tree", "scenes/main.scene.json", "-n", "2").stdout).toMatch(/… and 4 more\n$/);
    expect(folder.espalier("tree", "scenes/main.scene.json", "-d", "x")).toMatchObject({
      status: 2,
      stderr: "--depth takes an integer of at least 0, got x.\n",
    });
  });

  it("writes the same as JSON", () => {
    const { stdout } = folder.espalier("tree", "scenes/main.scene.json", "--json");
    const { entities } = JSON.parse(stdout);
    expect(entities[2]).toMatchObject({
      id: "tank/turret",
      name: null,
      parent: "tank",
      depth: 2,
      prefab: null,
      local: [4, 0],
      components: { Transform2D: { x: 4, y: 0 } },
    });
    expect(entities[2].world[1]).toBeCloseTo(54);
    expect(entities.map(({ id }: { id: string }) => id)).toEqual([
      "level",
      "tank",
      "tank/turret",
      "rock",
      "ship",
      "mast",
    ]);
  });

  it("draws scenes of a project that has another copy of the library", () => {
    cpSync(new URL("../../espalier/dist", import.meta.url), join(folder.dir, "other/lib"), {
      recursive: true,
    });
    folder.write(
      "other/config.mjs",
      `import { createSceneFormat } from "./lib/scene.mjs";
      import { Transform2D, Transform3D } from "./lib/transform.mjs";
      import { component } from "./lib/index.mjs";
      export default createSceneFormat({ components: [Transform2D, Transform3D, component("Fuel", {})] });`,
    );
    const { stdout, stderr } = folder.espalier(
      "tree",
      "scenes/main.scene.json",
      "--config",
      "other/config.mjs",
    );
    expect(stderr).toBe("");
    expect(stdout).toContain("tank/turret (4, 0) world (110, 54) [Transform2D]");
    expect(stdout).toContain("mast (0, 2.5, 0) world (0, 2.5, 5) [Transform3D]");
  });

  it("shows what is wrong instead of a broken scene", () => {
    folder.write("broken.json", `{ "entities": [{ "id": "a", "parent": "b" }] }`);
    const { status, stdout, stderr } = folder.espalier("tree", "broken.json");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `Cannot load broken.json: broken.json:1:39: Entity "a" has the parent "b", which is not in the scene. The ids are a. (at entities[0].parent) [scene/missing-parent]\n`,
    );
  });

  it("draws 100,000 levels and says when there is nothing", () => {
    const levels = 100_000;
    folder.write("deep.json", `{ "entities": [${'{"children":['.repeat(levels)}{}${"]}".repeat(levels)}] }`);
    const { status, stdout } = folder.espalier("tree", "deep.json");
    expect(status).toBe(0);
    expect(stdout).toMatch(/… and 99001 more\n$/);
    folder.write("empty.json", `{ "entities": [] }`);
    expect(folder.espalier("tree", "empty.json").stdout).toBe("(no entities)\n");
  });
});
