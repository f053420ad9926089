/** What is refused at the door, before a session or a relay has done anything. */
import { component, createWorld, type Entity } from "espalier";
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
  it("refuses a cursor and a selection that others could not read, and keeps showing the last ones", async () => {
    const ada = await join(load());
    const bob = await join(load());
    const tank = ada.scene.entity("tank");
    ada.setPresence({ selection: [tank], cursor: { x: 1, y: 2 } });
    for (const wrong of [
      { cursor: { x: Number.NaN, y: 0 } },
      { cursor: "here" },
      { selection: 5 },
      { selection: ["tank"] },
      { selection: [tank, Number.NaN] },
    ])
      expect(() => ada.setPresence(wrong as never)).toThrow(invalid);
    expect(() => ada.setPresence({ name: "Eve" } as never)).toThrow("there is no such option");
    await expect.poll(() => bob.others.map(({ cursor }) => cursor)).toEqual([{ x: 1, y: 2 }]);
    expect(bob.others[0]?.selection).toEqual([bob.scene.entity("tank")]);
  });

  it("keeps a cursor and a selection that are left out or undefined, also where the caller changes them later", async () => {
    const ada = await join(load());
    const bob = await join(load());
    const selection = [ada.scene.entity("tank")];
    const cursor = { x: 1, y: 2 };
    ada.setPresence({ selection, cursor });
    selection.length = 0;
    cursor.x = Number.NaN;
    ada.setPresence({ selection: undefined, cursor: undefined } as never);
    ada.setPresence({});
    await expect.poll(() => bob.others.map((other) => other.cursor)).toEqual([{ x: 1, y: 2 }]);
    expect(bob.others[0]?.selection).toEqual([bob.scene.entity("tank")]);
    ada.setPresence({ cursor: null });
    await expect.poll(() => bob.others.map((other) => other.cursor)).toEqual([null]);
  });

  it("leaves entities out of a selection that are destroyed or not in the scene", async () => {
    const ada = await join(load());
    const bob = await join(load());
    const { world } = ada.scene.tree;
    const gone = world.spawn();
    world.destroy(gone);
    ada.setPresence({ selection: [gone, world.spawn(), ada.scene.entity("tank"), 123_456 as Entity] });
    const selected = () => bob.others.map((other) => other.selection);
    await expect.poll(selected).toEqual([[bob.scene.entity("tank")]]);
    bob.scene.tree.world.destroy(bob.scene.entity("tank"));
    expect(selected()).toEqual([[]]);
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
