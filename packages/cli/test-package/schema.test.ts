import { afterAll, describe, expect, it } from "vitest";
import { configText, createFolder } from "./binary.ts";

const folder = createFolder();
afterAll(() => folder.remove());

const largest = 3.4028234663852886e38;

describe("espalier schema", () => {
  it("knows the components of the library when there is no config", () => {
    const { status, stdout, stderr } = folder.espalier("schema");
    expect(status).toBe(0);
    expect(Object.keys(JSON.parse(stdout).definitions.components.properties)).toContain("Transform2D");
    expect(stderr).toBe(
      "No espalier.config.mjs was found: the schema knows the components of the library only.\n",
    );
  });

  it("knows the components of the config, also of a folder above", () => {
    folder.write("espalier.config.mjs", configText());
    folder.write("scenes/x.txt", "");
    const { stdout, stderr } = folder.run(
      process.execPath,
      "-e",
      `process.chdir("scenes"); await import(${JSON.stringify(new URL("../../espalier/bin/espalier.mjs", import.meta.url).href)})`,
      "--input-type=module",
    );
    expect(stderr + stdout).toContain("Usage: espalier");
    expect(folder.espalier("schema", "--out", "scene.schema.json")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "✓ scene.schema.json with Health, Player\n",
    });
    expect(
      JSON.parse(folder.read("scene.schema.json")).definitions.components.properties.Health.anyOf[0]
        .properties,
    ).toEqual({
      hp: {
        anyOf: [
          { type: "number", minimum: -largest, maximum: largest },
          { enum: ["NaN", "Infinity", "-Infinity"] },
        ],
        default: 100,
      },
    });
    expect(JSON.parse(folder.espalier("schema", "--json").stdout).title).toBe("Espalier scene");
  });
});
