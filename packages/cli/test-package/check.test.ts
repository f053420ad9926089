import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { configText, createFolder, type Folder } from "./binary.ts";

let folder: Folder = createFolder();
beforeEach(() => {
  folder.remove();
  folder = createFolder();
});
afterAll(() => folder.remove());

const broken = `{
  "entities": [
    { "id": "tank", "components": { "Helth": { "hp": 1 } } },
    { "id": "turret", "parent": "tnk" }, // comments are fine
  ],
}
`;

describe("espalier check", () => {
  it("reports success", () => {
    folder.write("espalier.config.mjs", configText());
    folder.write("a.scene.json", `{ "entities": [{ "id": "a", "components": { "Health": { "hp": 5 } } }] }`);
    expect(folder.espalier("check", "a.scene.json")).toEqual({
      status: 0,
      stdout: "✓ a.scene.json\n\n1 file, no problems\n",
      stderr: "",
    });
  });

  it("lists every problem with its location, and ends with 1", () => {
    folder.write("espalier.config.mjs", configText());
    folder.write("level.json", broken);
    expect(folder.espalier("check", "level.json")).toEqual({
      status: 1,
      stdout: `✗ level.json
  level.json:3:37 Entity "tank" has an unknown component "Helth". Did you mean "Health"? at entities[0].components.Helth [scene/unknown-component]
  level.json:4:33 Entity "turret" has the parent "tnk", which is not in the scene. Did you mean "tank"? at entities[1].parent [scene/missing-parent]

2 problems in 1 of 1 file
`,
      stderr: "",
    });
  });

  it("writes one line of JSON with all facts", () => {
    folder.write("espalier.config.mjs", configText());
    folder.write("level.json", broken);
    const { status, stdout } = folder.espalier("check", "level.json", "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: 2,
      config: "espalier.config.mjs",
      unchecked: [],
      files: [
        {
          file: "level.json",
          problems: [
            {
              code: "scene/unknown-component",
              line: 3,
              column: 37,
              entity: "tank",
              path: "entities[0].components.Helth",
            },
            { code: "scene/missing-parent", line: 4, column: 33, entity: "turret" },
          ],
        },
      ],
    });
  });

  it("checks all scenes of a folder, and the prefabs they use", () => {
    folder.write(
      "scenes/main.scene.json",
      `{ "entities": [{ "id": "a", "prefab": "parts/tank" }, { "id": "b", "prefab": "gone" }] }`,
    );
    folder.write(
      "scenes/parts/tank.prefab.json",
      `{ "entities": [{ "id": "tank", "prefab": "../main.scene.json" }] }`,
    );
    folder.write("scenes/node_modules/x.scene.json", "not looked at");
    folder.write("scenes/data.json", "not a scene");
    const { status, stdout } = folder.espalier("check", "scenes");
    expect(status).toBe(1);
    expect(stdout).toContain(
      `scenes/parts/tank.prefab.json:1:42 Entity "tank": the prefab "../main.scene.json" contains itself: scenes/main.scene.json > scenes/parts/tank.prefab.json > scenes/main.scene.json.`,
    );
    expect(stdout).toContain(
      `scenes/main.scene.json:1:78 Entity "b": the prefab "gone" cannot be found: No file scenes/gone.`,
    );
    expect(stdout).toContain("4 problems in 2 of 2 files");
  });

  it("looks for prefabs in a folder of their own", () => {
    folder.write("level.json", `{ "entities": [{ "prefab": "tank" }] }`);
    folder.write("prefabs/tank.json", `{ "entities": [{ "id": "tank" }] }`);
    expect(folder.espalier("check", "level.json").status).toBe(1);
    expect(folder.espalier("check", "level.json", "--prefabs", "prefabs").status).toBe(0);
    folder.write("espalier.config.mjs", `export default { components: [], prefabs: "prefabs" };`);
    expect(folder.espalier("check", "level.json").status).toBe(0);
  });

  it("without a config checks everything but unknown components, and says so", () => {
    folder.write(
      "level.json",
      `{ "entities": [{ "components": { "Health": { "hp": "x" }, "Transform2D": { "x": 1 } } }] }`,
    );
    expect(folder.espalier("check", "level.json")).toMatchObject({
      status: 0,
      stderr: "Not checked, because no espalier.config.mjs lists them: Health. espalier --help shows how.\n",
    });
    expect(folder.espalier("check", "level.json", "--strict").status).toBe(1);
    folder.write("level.json", `{ "entities": [{ "components": { "Transform2D": { "x": "1" } } }] }`);
    expect(folder.espalier("check", "level.json").stdout).toContain("Transform2D.x takes a number");
  });

  it("finds the config of the scenes from any folder", () => {
    folder.write("elsewhere/project/espalier.config.mjs", configText());
    folder.write(
      "elsewhere/project/scenes/a.scene.json",
      `{ "entities": [{ "id": "a", "components": { "Helth": {} } }] }`,
    );
    for (const path of ["elsewhere/project/scenes", "elsewhere/project/scenes/a.scene.json"]) {
      const { config, files } = JSON.parse(folder.espalier("check", path, "--json").stdout);
      expect(config).toBe("elsewhere/project/espalier.config.mjs");
      expect(files[0].problems[0].message).toContain(`Did you mean "Health"?`);
    }
  });

  it("finds duplicate keys, which JSON.parse ignores", () => {
    folder.write("level.json", `{ "entities": [{ "id": "a", "id": "b" }] }`);
    expect(folder.espalier("check", "level.json").stdout).toContain(
      `level.json:1:29 The key "id" appears twice in the same object. Remove one. [scene/syntax]`,
    );
  });

  it("takes a config in TypeScript, a whole format, or the one of an option", () => {
    folder.write("level.json", `{ "entities": [{ "components": { "Health": { "hp": true } } }] }`);
    folder.write("espalier.config.ts", `const text: string = "x";\n${configText()}`);
    expect(folder.espalier("check", "level.json").stdout).toContain("Health.hp takes a number, got true");
    const scene = new URL("../../espalier/dist/scene.mjs", import.meta.url).href;
    folder.write(
      "other/config.mjs",
      `import { createSceneFormat } from ${JSON.stringify(scene)};
      export const format = createSceneFormat({ components: [], version: 2 });`,
    );
    expect(folder.espalier("check", "level.json", "--config", "other/config.mjs").stdout).toContain(
      "there is no migration from 1 to 2",
    );
  });

  it.each([
    ["throw new Error('oops')", "Cannot load espalier.config.mjs: oops."],
    [
      "export default 7",
      "Cannot use espalier.config.mjs: it exports neither a scene format nor an array of components.",
    ],
    ["import './dist/x.js'", "If that is built from TypeScript, build it first."],
    ["export default { components: [7] }", "Cannot create a scene format with 7 among its components"],
  ])("reports what is wrong with a config: %s", (text, message) => {
    folder.write("espalier.config.mjs", text);
    folder.write("level.json", `{ "entities": [] }`);
    const { status, stderr } = folder.espalier("check", "level.json");
    expect(stderr).toContain(message);
    expect(status).not.toBe(0);
  });

  it("ends with 2 when there is nothing to check", () => {
    expect(folder.espalier("check", "gone.json")).toEqual({
      status: 2,
      stdout: "",
      stderr: "Cannot read gone.json: there is no such file or folder.\n",
    });
    expect(folder.espalier("check", ".").stderr).toBe(
      "There are no scenes in .: name files, or call them *.scene.json or *.prefab.json.\n",
    );
    expect(folder.espalier("check", "x", "--config", "gone.mjs").status).toBe(2);
  });
});
