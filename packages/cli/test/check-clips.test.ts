import { describe, expect, it } from "vitest";
import { runIn, tempFolder } from "./folder.ts";

const config = (clips = "") => `
import { KeyframeAnimation } from "espalier/animation";
import { Transform2D } from "espalier/transform";
export default { components: [KeyframeAnimation, Transform2D]${clips === "" ? "" : `, clips: ${clips}`} };
`;
const track = (path: string) => ({
  path,
  component: "Transform2D",
  field: "x",
  times: [0, 1],
  values: [0, 1],
});
const door = (path: string) => ({
  id: "door",
  components: { KeyframeAnimation: { clips: { open: { seconds: 1, tracks: [track(path)] } } } },
  children: [{ id: "leaf", name: "leaf", components: { Transform2D: {} } }],
});
const scene = (...entities: object[]) => JSON.stringify({ entities }, null, 2);

async function messagesOf(dir: string, ...files: string[]) {
  const { status, stdout, stderr } = await runIn(dir, "check", ...files, "--json");
  const { files: checked = [] } = JSON.parse(stdout || "{}") as {
    files?: { problems: { message: string; code: string; file: string; entity: string }[] }[];
  };
  return { status, stderr, problems: checked.flatMap(({ problems }) => problems) };
}

describe("espalier check", () => {
  it("finds targets of keyframes that were renamed, in scenes and in prefabs that they use", async () => {
    const { dir, write } = tempFolder();
    write("espalier.config.mjs", config());
    write("door.prefab.json", scene(door("leef")));
    write("good.scene.json", scene(door("leaf")));
    write(
      "level.scene.json",
      scene({ id: "a", children: [door("leef"), { id: "b", prefab: "door.prefab.json" }] }),
    );
    expect((await messagesOf(dir, "good.scene.json")).status).toBe(0);
    const { status, problems } = await messagesOf(dir, "level.scene.json");
    expect(status).toBe(1);
    expect(problems.map(({ code, entity }) => [code, entity])).toEqual([
      ["animation/invalid-clip", "door"],
      ["animation/invalid-clip", "b"],
    ]);
    expect(problems[0]!.message).toContain('cannot play all of "open": there is nothing at "leef".');
  });

  it("finds clips that cannot be played at all", async () => {
    const { dir, write } = tempFolder();
    write(
      "level.scene.json",
      scene({ id: "door", components: { KeyframeAnimation: { clips: { open: {} } } } }),
    );
    const { status, problems } = await messagesOf(dir, "level.scene.json");
    expect([status, ...problems.map(({ entity }) => entity)]).toEqual([1, "door"]);
    expect(problems[0]!.message).toContain('the clip "open" has undefined seconds');
  });

  it("knows the animations and solid tiles of the library without a config", async () => {
    const { dir, write } = tempFolder();
    const components = { SpriteAnimation: { clip: "run" }, TileCollider: { solid: [1] } };
    write("level.scene.json", scene(door("leef"), { id: "hero", components }));
    const { problems, stderr } = await messagesOf(dir, "level.scene.json");
    expect(problems.map(({ code, entity }) => [code, entity])).toEqual([["animation/invalid-clip", "door"]]);
    expect(stderr).not.toContain("Not checked");
  });

  it("finds clips that neither the entity nor the config has, when the config says what all share", async () => {
    const { dir, write } = tempFolder();
    const level = scene({ id: "door", components: { KeyframeAnimation: { clip: "opne" } } });
    write("level.scene.json", level);
    write("espalier.config.mjs", config());
    expect((await messagesOf(dir, "level.scene.json")).status).toBe(0);
    const other = tempFolder();
    other.write("level.scene.json", level);
    other.write("espalier.config.mjs", config("{ open: { seconds: 1, tracks: [] } }"));
    const { problems } = await messagesOf(other.dir, "level.scene.json");
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('"opne": there is no such clip. Did you mean "open"?'),
    ]);
    const wrong = tempFolder();
    wrong.write("level.scene.json", level);
    wrong.write("espalier.config.mjs", config("{ open: {} }"));
    const { status, stderr, problems: none } = await messagesOf(wrong.dir, "level.scene.json");
    expect([status, none]).toEqual([2, []]);
    expect(stderr).toBe("");
  });
});
