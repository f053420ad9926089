import { readFileSync, writeFileSync } from "node:fs";
import { createSceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { openFile, runOnFile } from "../src/scene-files/run-on-file.ts";
import { tempFolder } from "./folder.ts";

const config = {
  format: createSceneFormat({ components: [] }),
  file: undefined,
  prefabs: undefined,
  folder: undefined,
  play: undefined,
};

describe("a file that was changed meanwhile", () => {
  it("is not overwritten", () => {
    const { write } = tempFolder();
    const file = write("a.scene.json", `{ "entities": [{ "id": "a" }] }`);
    const changed = `{ "entities": [{ "id": "b" }] }`;
    // Another program writes while the verb runs.
    const mayWrite = () => writeFileSync(file, changed);
    const step = { verb: "rename", parameters: { entity: "a", name: "Anna" } };
    expect(() => runOnFile(file, step, config, { mayWrite })).toThrow("it was changed meanwhile");
    expect(readFileSync(file, "utf8")).toBe(changed);
  });

  it("is refused when the caller passes the hash of the text it read", () => {
    const { write } = tempFolder();
    const file = write("a.scene.json", `{ "entities": [{ "id": "a" }] }`);
    const { hash } = openFile(file, config);
    write("a.scene.json", `{ "entities": [{ "id": "a", "name": "x" }] }`);
    const step = { verb: "rename", parameters: { entity: "a", name: "Anna" } };
    expect(() => runOnFile(file, step, config, { expected: hash })).toThrow("it was changed meanwhile");
  });
});
