/** What is refused at the door, before a session or a relay has done anything. */
import { component, createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat, type Scene } from "espalier/scene";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { type JoinOptions, joinScene, type SharedSession } from "../src/index.ts";
import { openRelay } from "../src/relay/index.ts";

globalThis.WebSocket ??= NodeWebSocket as never;

const format = createSceneFormat({ components: [component("Health", {})] });
const load = () => format.load(createHierarchy(createWorld()), `{ "entities": [{ "id": "tank" }] }`);

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function join(scene: Scene, options: object = {}): Promise<SharedSession> {
  if (open.length === 0) open.push(await openRelay());
  const { url } = open[0] as unknown as { readonly url: string };
  const all = { format, url, room: "level", user: { name: "Ada" }, ...options } as JoinOptions;
  const session = await joinScene(scene, all);
  open.push({ close: () => session.leave() });
  return session;
}

const invalid = expect.objectContaining({ code: "collab/invalid-use" });

describe("a relay", () => {
  it.each([
    [{ token: 5 }, "collab/invalid-use"],
    [{ host: 3 }, "collab/invalid-use"],
    [{ path: "rooms" }, "collab/invalid-use"],
    [{ saveEvery: 0 }, "collab/invalid-use"],
    [{ load: {} }, "collab/invalid-use"],
    [{ server: {} }, "collab/invalid-use"],
    [{ tokens: "secret" }, "ecs/invalid-option"],
    [null, "ecs/invalid-option"],
  ])("refuses the options %j", async (options, code) => {
    await expect(openRelay(options as never)).rejects.toMatchObject({ code });
  });
});

describe("joining", () => {
  it.each([
    [{ user: { name: "Ada", color: 5 } }, "collab/invalid-use"],
    [{ token: 5 }, "collab/invalid-use"],
    [{ tokens: "secret" }, "ecs/invalid-option"],
  ])("refuses the options %j, and the scene can be joined then", async (options, code) => {
    const scene = load();
    await expect(join(scene, options)).rejects.toMatchObject({ code });
    expect((await join(scene)).status).toBe("online");
  });

  it("refuses a scene that is in a session, until that was left", async () => {
    const scene = load();
    const session = await join(scene);
    await expect(join(scene)).rejects.toEqual(invalid);
    await expect(join(scene, { room: "other" })).rejects.toEqual(invalid);
    await session.leave();
    expect((await join(scene)).status).toBe("online");
  });
});

describe("a session", () => {
  it("refuses what others could not read as a place, and shows the last one on", async () => {
    const ada = await join(load());
    const bob = await join(load());
    const tank = ada.scene.entity("tank");
    ada.setPresence({ selection: [tank], cursor: { x: 1, y: 2 } });
    for (const wrong of [
      { cursor: { x: Number.NaN, y: 0 } },
      { cursor: "here" },
      { selection: 5 },
      { selection: ["tank"] },
    ])
      expect(() => ada.setPresence(wrong as never)).toThrow(invalid);
    expect(() => ada.setPresence({ name: "Eve" } as never)).toThrow("there is no such option");
    await expect.poll(() => bob.others.map(({ cursor }) => cursor)).toEqual([{ x: 1, y: 2 }]);
  });

  it("refuses listeners and steps that are no functions, and steps that wait", async () => {
    const session = await join(load());
    const { undo, scene } = session;
    expect(() => session.onChange(5 as never)).toThrow(invalid);
    expect(() => undo.step("Rename", undefined as never)).toThrow(invalid);
    const wait = async () => scene.tree.setName(scene.entity("tank"), "tank");
    expect(() => undo.step("Rename", wait)).toThrow(expect.objectContaining({ code: "history/async" }));
    expect(undo.undoLabels).toEqual(["Rename"]);
  });
});
