import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { describe, expect, it, vi } from "vitest";
import { filesIn, runIn, tempFolder } from "./folder.ts";
import { connect } from "./mcp-client.ts";

const shape = (fill: string, more = "") =>
  `"Shape": { "kind": "rect", "width": 10, "height": 10, "fill": "${fill}"${more} }`;
const level = `{
  "entities": [
    { "id": "left", "name": "left", "components": { "Transform2D": { "x": -20 }, ${shape("#ff0000")} } },
    { "id": "right", "name": "right", "components": { "Transform2D": { "x": 20 }, ${shape("#0000ff")} } },
    { "id": "inner", "name": "inner", "parent": "right", "components": { "Transform2D": { "y": 10 }, ${shape("#00ff00")} } }
  ]
}
`;

/** The colours of a picture at positions from 0 to 1. */
function colorsAt(bytes: Uint8Array, positions: readonly (readonly [number, number])[]): string[] {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  return positions.map(([x, y]) => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
    return data.subarray(at, at + 4).toString("hex");
  });
}

/** A picture of one colour. */
function picture(width: number, height: number, [r, g, b]: readonly [number, number, number]): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([r, g, b, 255], at);
  return PNG.sync.write(png);
}

describe("espalier screenshot", () => {
  it("draws a scene framed so that everything is in it", async () => {
    const folder = tempFolder();
    folder.write("level.scene.json", level);
    const { status, stdout } = await runIn(
      folder.dir,
      "screenshot",
      "level.scene.json",
      "--out",
      join(folder.dir, "x.png"),
      "--width",
      "200",
      "--height",
      "100",
      "--json",
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      out: "x.png",
      width: 200,
      height: 100,
      drawn: 3,
      warnings: [],
    });
    const bytes = readFileSync(join(folder.dir, "x.png"));
    // x from -25 to 25, y from -5 to 15 with y up: the green one is above the blue one.
    const [red, blue, green, none] = colorsAt(bytes, [
      [0.13, 0.62],
      [0.86, 0.62],
      [0.86, 0.3],
      [0.5, 0.5],
    ]);
    expect([red, blue, green, none]).toEqual(["ff0000ff", "0000ffff", "00ff00ff", "00000000"]);
  });

  it("draws a part alone, on a background, with y down on request", async () => {
    const folder = tempFolder();
    folder.write("level.scene.json", level);
    const out = join(folder.dir, "part.png");
    const { status } = await runIn(
      folder.dir,
      "screenshot",
      "level.scene.json",
      "/right",
      "--out",
      out,
      "--width",
      "300",
      "--height",
      "200",
      "--y-axis",
      "down",
      "--background",
      "#112233",
    );
    expect(status).toBe(0);
    const [above, below, corner] = colorsAt(readFileSync(out), [
      [0.5, 0.3],
      [0.5, 0.7],
      [0.01, 0.01],
    ]);
    expect([above, below, corner]).toEqual(["0000ffff", "00ff00ff", "112233ff"]);
  });

  it("draws through the camera of the scene, and everything on request", async () => {
    const folder = tempFolder();
    const camera = `{ "id": "eye", "components": { "Transform2D": { "x": 20 }, "Camera": { "zoom": 10 } } },\n    `;
    folder.write("level.scene.json", level.replace(`{ "id": "left"`, `${camera}{ "id": "left"`));
    const out = join(folder.dir, "x.png");
    await runIn(
      folder.dir,
      "screenshot",
      "level.scene.json",
      "--out",
      out,
      "--width",
      "100",
      "--height",
      "100",
    );
    expect(
      colorsAt(readFileSync(out), [
        [0.5, 0.5],
        [0.05, 0.5],
      ]),
    ).toEqual(["0000ffff", "0000ffff"]);
    await runIn(
      folder.dir,
      "screenshot",
      "level.scene.json",
      "--out",
      out,
      "--force",
      "--all",
      "--width",
      "100",
      "--height",
      "100",
    );
    expect(colorsAt(readFileSync(out), [[0.5, 0.5]])).toEqual(["00000000"]);
  });

  it("draws images of the project, tinted, and says which are missing", async () => {
    const folder = tempFolder();
    folder.write("public/art/box.png", picture(4, 4, [255, 255, 255]));
    folder.write(
      "level.scene.json",
      `{ "entities": [
        { "id": "a", "components": { "Transform2D": {}, "Sprite": { "texture": "/art/box.png", "tint": "#ff8000" } } },
        { "id": "b", "components": { "Transform2D": { "x": 100 }, "Sprite": { "texture": "gone.png" } } },
        { "id": "c", "components": { "Transform2D": { "x": 200 }, "Sprite": { "texture": "../secret.png" } } } ] }`,
    );
    const { call, pictures } = await connect(folder.dir);
    const result = await call("screenshot", { file: "level.scene.json", entity: "a", width: 10, height: 10 });
    expect(result.warnings).toEqual([
      'There is no image "gone.png"; a placeholder is drawn.',
      'There is no image "../secret.png"; a placeholder is drawn.',
    ]);
    expect(colorsAt(pictures.at(-1) as Buffer, [[0.5, 0.5]])).toEqual(["ff8000ff"]);
  });

  it("gives agents the same picture as the command line, and writes nothing", async () => {
    const folder = tempFolder();
    folder.write("level.scene.json", level);
    const { call, pictures } = await connect(folder.dir);
    const before = filesIn(folder.dir);
    const result = await call("screenshot", {
      file: "level.scene.json",
      entity: "right",
      width: 64,
      height: 64,
    });
    expect(result).toMatchObject({ width: 64, height: 64, drawn: 2, warnings: [] });
    expect(filesIn(folder.dir)).toEqual(before);
    const out = join(folder.dir, "x.png");
    await runIn(
      folder.dir,
      "screenshot",
      "level.scene.json",
      "right",
      "--out",
      out,
      "--width",
      "64",
      "--height",
      "64",
    );
    expect(Buffer.from(pictures.at(-1) as Buffer).equals(readFileSync(out))).toBe(true);
  });

  it("says when nothing is drawn", async () => {
    const folder = tempFolder();
    folder.write("level.scene.json", `{ "entities": [{ "id": "a", "components": { "Transform3D": {} } }] }`);
    const { call } = await connect(folder.dir);
    expect((await call("screenshot", { file: "level.scene.json" })).warnings).toEqual([
      "Nothing is drawn: no entity has a Shape, Sprite, TextBlock or Tilemap that shows something.",
    ]);
  });

  it("refuses invalid sizes, colours, axes and entities, and existing files", async () => {
    const folder = tempFolder();
    folder.write("level.scene.json", level);
    folder.write("level.png", "mine");
    const run = (...args: string[]) => runIn(folder.dir, "screenshot", "level.scene.json", ...args);
    expect(await run("--width", "0")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("from 1 to 8192"),
    });
    expect(await run("--height", "many")).toMatchObject({ status: 2 });
    expect(await run("--background", "bright")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("#rrggbb"),
    });
    expect(await run("--y-axis", "left")).toMatchObject({ status: 2 });
    const unknown = await run("rigt");
    expect(unknown.status).not.toBe(0);
    expect(unknown.stderr).toContain("right");
    expect(await run()).toMatchObject({ status: 2, stderr: expect.stringContaining("level.png") });
    expect(readFileSync(join(folder.dir, "level.png"), "utf8")).toBe("mine");
  });

  it("says what to install when the canvas package is missing", async () => {
    vi.resetModules();
    vi.doMock("../src/missing-tool.ts", async () => {
      const { Stop, exitCodes } = await import("../src/exit-codes.ts");
      return {
        loadTool: async (name: string, why: string) => {
          throw new Stop(exitCodes.missing, `${why} Install it with: npm install --save-dev ${name}`);
        },
      };
    });
    const folder = tempFolder();
    folder.write("level.scene.json", level);
    const { status, stderr } = await runIn(folder.dir, "screenshot", "level.scene.json");
    vi.doUnmock("../src/missing-tool.ts");
    vi.resetModules();
    expect(status).toBe(3);
    expect(stderr).toContain("npm install --save-dev @napi-rs/canvas");
    expect(filesIn(folder.dir)).toEqual({ "level.scene.json": level });
  });
});
