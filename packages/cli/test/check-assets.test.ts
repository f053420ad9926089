import { describe, expect, it } from "vitest";
import { runIn, tempFolder } from "./folder.ts";

const config = (assets: string) => `
import { asset, component } from "espalier";
const Portrait = component("Portrait", { picture: asset("texture"), voice: asset("sound"), letters: asset("font") });
export default { components: [Portrait], assets: ${assets} };
`;
const entity = (id: string, fields: object) => ({ id, components: { Portrait: fields } });
const scene = (...entities: object[]) => JSON.stringify({ entities }, null, 2);

function project(assets: string) {
  const folder = tempFolder();
  folder.write("espalier.config.mjs", config(assets));
  folder.write("public/art/tree.png", "x");
  folder.write("public/hero.json", JSON.stringify({ frames: {}, meta: { image: "hero.png" } }));
  return folder;
}

describe("espalier check", () => {
  it("finds files that entities name and that are missing, with the entity and the location", async () => {
    const { dir, write } = project(
      `{ folder: "public", files: { hero: "hero.json", boom: ["boom.webm", "boom.m4a"], fx: { sound: "fx.mp3", parts: { hit: [0, 1] } } } }`,
    );
    write(
      "level.scene.json",
      scene(
        { id: "level", children: [entity("a", { picture: "art/tree.png?v=2", letters: "Arial" })] },
        entity("b", { picture: "/art/tre.png" }),
        entity("c", { picture: "hero", voice: "hit" }),
        entity("d", { picture: "https://example.com/far.png", voice: "bom" }),
      ),
    );
    const { status, stdout } = await runIn(dir, "check", "level.scene.json", "--json");
    expect(status).toBe(1);
    const { files } = JSON.parse(stdout) as {
      files: { problems: { message: string; line: number; code: string }[] }[];
    };
    const found = files[0]!.problems.map(({ message, line, code }) => [
      code,
      line > 1,
      message.replaceAll(`${dir}/`, ""),
    ]);
    const at = (message: string) => ["scene/missing-asset", true, expect.stringMatching(message)];
    expect(found).toEqual([
      at('^/b names the texture "/art/tre.png" in Portrait.picture: there is no file .*public/art/tre.png'),
      at('^/c names the texture "hero" in Portrait.picture: there is no file .*public/hero.png'),
      at('^/c names the sound "hit" in Portrait.voice: there is no file .*public/fx.mp3'),
      at('^/d names the sound "bom" in Portrait.voice, and assets lists no such name'),
    ]);
  });

  it("looks for the picture of a sprite sheet next to the sheet, and takes names as they are", async () => {
    const { dir, write } = project(
      `{ folder: "public", files: { big: { atlas: "art/big.json", image: "big@2x.png" }, low: { atlas: "art/big.json", image: "no.png" } } }`,
    );
    write("public/art/big.json", JSON.stringify({ frames: {}, meta: { image: "gone.png" } }));
    write("public/art/big@2x.png", "x");
    write("public/100%.png", "x");
    write("level.scene.json", scene(entity("a", { picture: "big" }), entity("b", { picture: "100%.png" })));
    expect((await runIn(dir, "check", "level.scene.json")).status).toBe(0);
    write("level.scene.json", scene(entity("a", { picture: "low" })));
    expect((await runIn(dir, "check", "level.scene.json")).stdout).toContain("public/art/no.png");
  });

  it("skips names without an ending where only a folder is given, and over all files without one", async () => {
    const { dir, write } = project(`"./public"`);
    write("level.scene.json", scene(entity("a", { picture: "hero", voice: "no.mp3" })));
    expect((await runIn(dir, "check", "level.scene.json")).stdout).toContain("1 problem in 1 of 1 file");
    write("espalier.config.mjs", config("undefined"));
    write("sub/espalier.config.mjs", config("undefined"));
    write("sub/level.scene.json", scene(entity("a", { picture: "hero", voice: "no.mp3" })));
    expect((await runIn(dir, "check", "sub/level.scene.json")).status).toBe(0);
  });

  it("refuses a config whose assets lead nowhere", async () => {
    const { dir, write } = project("5");
    write("level.scene.json", scene());
    const { status, stderr } = await runIn(dir, "check", "level.scene.json");
    expect([status, stderr]).toEqual([2, expect.stringContaining("assets is the path of a folder")]);
  });
});
