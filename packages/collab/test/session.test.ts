import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { checkWorld, component, createWorld, type Entity, f32, string } from "espalier";
import { constrain, createHierarchy } from "espalier/hierarchy";
import { createSceneFormat, type Scene } from "espalier/scene";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { type JoinOptions, joinScene, type SharedSession } from "../src/index.ts";
import { openRelay, type Relay } from "../src/relay/index.ts";
import { components, format, Health, level, Party, prefabs } from "./peers.ts";

globalThis.WebSocket ??= NodeWebSocket as never;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function relay(options: Parameters<typeof openRelay>[0] = {}): Promise<Relay> {
  const opened = await openRelay(options);
  open.push(opened);
  return opened;
}

function load(text = level): Scene {
  return format.load(createHierarchy(createWorld()), text, { prefabs });
}

async function join(
  url: string,
  name: string,
  scene = load(),
  options: Partial<JoinOptions> = {},
): Promise<SharedSession> {
  const session = await joinScene(scene, { format, prefabs, url, room: "level", user: { name }, ...options });
  open.push({ close: () => session.leave() });
  return session;
}

const until = (test: () => boolean) => expect.poll(test, { timeout: 20_000, interval: 10 }).toBe(true);

describe("a session", () => {
  it("shares edits, names, selections and cursors through a relay", async () => {
    const { url } = await relay({ token: "secret" });
    const ada = await join(url, "Ada", load(), { token: "secret" });
    const bob = await join(url, "Bob", load(`{ "entities": [] }`), { token: "secret" });
    expect(bob.scene.save()).toBe(ada.scene.save());
    expect([ada.status, bob.status]).toEqual(["online", "online"]);
    expect([ada.isBeginner, bob.isBeginner]).toEqual([true, false]);
    expect(bob.beginning).toBe(ada.beginning);
    const rock = bob.scene.entity("rock");
    bob.setPresence({ selection: [rock], cursor: { x: 3, y: 4 } });
    await until(() => ada.others.some(({ cursor }) => cursor !== null));
    expect(ada.others).toMatchObject([
      { name: "Bob", selection: [ada.scene.entity("rock")], cursor: { x: 3, y: 4 } },
    ]);
    const before = bob.edits;
    ada.undo.step("Damage", () => ada.scene.tree.world.set(ada.scene.entity("ground"), Health, { hp: 7 }));
    await until(() => bob.scene.tree.world.get(bob.scene.entity("ground"), Health)?.hp === 7);
    expect(bob.edits).toBeGreaterThan(before);
    ada.undo.undo();
    await until(() => bob.scene.tree.world.get(bob.scene.entity("ground"), Health)?.hp === 1);
    await bob.leave();
    await until(() => ada.others.length === 0);
  });

  it("fills a room once when several join at the same time", async () => {
    const { url } = await relay();
    const sessions = await Promise.all(["Ada", "Bob", "Eve"].map((name) => join(url, name)));
    const [first] = sessions as [SharedSession];
    for (const session of sessions) expect(session.scene.save()).toBe(first.scene.save());
    expect(first.scene.roots().length).toBe(2);
  });

  it("merges what was edited while the relay was away", { timeout: 60_000 }, async () => {
    const first = await openRelay();
    const ada = await join(first.url, "Ada");
    const bob = await join(first.url, "Bob");
    await first.close();
    await until(() => ada.status === "offline" && bob.status === "offline");
    const { world } = ada.scene.tree;
    world.set(ada.scene.entity("ground"), Health, { hp: 5 });
    bob.scene.tree.setName(bob.scene.entity("rock"), "stone");
    const made = bob.scene.tree.attachNew(bob.scene.entity("rock"), Health({ hp: 9 }));
    await relay({ port: first.port });
    await until(() => ada.status === "online" && bob.status === "online");
    await until(() => ada.scene.save() === bob.scene.save());
    expect(ada.scene.tree.nameOf(ada.scene.entity("rock"))).toBe("stone");
    expect(bob.scene.tree.world.get(bob.scene.entity("ground"), Health)?.hp).toBe(5);
    expect(bob.scene.tree.world.isAlive(made)).toBe(true);
  });

  it("fails on one side when the relay loses its memory and another program fills the room", {
    timeout: 60_000,
  }, async () => {
    const first = await openRelay();
    let target = first.port;
    const sockets = new Set<Socket>();
    // Ada's way to the relay, so that Bob is there before her.
    const way = createServer((socket) => {
      const on = connect(target, "127.0.0.1");
      for (const end of [socket, on]) {
        sockets.add(end);
        end
          .on("error", () => {})
          .on("close", () => {
            socket.destroy();
            on.destroy();
          });
      }
      socket.pipe(on).pipe(socket);
    });
    await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
    open.push({
      close() {
        for (const socket of sockets) socket.destroy();
        way.close();
      },
    });
    const ada = await join(`ws://127.0.0.1:${(way.address() as AddressInfo).port}`, "Ada");
    await first.close();
    await until(() => ada.status === "offline");
    const second = await relay();
    const bob = await join(second.url, "Bob", load(`{ "entities": [{ "id": "other" }] }`));
    target = second.port;
    const both = [ada, bob];
    await until(() => both.some(({ failure }) => failure !== undefined));
    const failed = both.find(({ failure }) => failure !== undefined) as SharedSession;
    const kept = both.find(({ failure }) => failure === undefined) as SharedSession;
    expect(failed.failure).toMatchObject({ code: "collab/relay-gone", subject: "level" });
    expect([failed.status, kept.status]).toEqual(["offline", "online"]);
    // Nothing is mixed.
    expect([ada.scene.find("other"), bob.scene.find("rock")]).toEqual([undefined, undefined]);
    const again = await join(second.url, "Eve", load(`{ "entities": [] }`));
    expect(again.scene.save()).toBe(kept.scene.save());
  });

  it("ends with equal scenes after a thousand moves on each side at the same time", {
    timeout: 60_000,
  }, async () => {
    const { url } = await relay();
    const size = 1000;
    const entities = Array.from({ length: 2 * size }, (_, k) => ({
      id: `e${k}`,
      ...(k === 0 ? {} : { parent: `e${(k - 1) >> 2}` }),
    }));
    const ada = await join(url, "Ada", load(JSON.stringify({ entities })));
    const bob = await join(url, "Bob", load(`{ "entities": [] }`));
    let state = 7;
    const draw = () => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return `e${1 + ((state >>> 8) % (2 * size - 1))}`;
    };
    for (let round = 0; round < 3; round++) {
      for (const { scene } of [ada, bob]) {
        const { tree } = scene;
        for (let k = 0; k < size; k++) {
          const [child, parent] = [scene.entity(draw()), scene.entity(draw())];
          if (tree.canAttach(child, parent)) tree.attach(child, parent);
        }
      }
      // An entity that only one side has by now: what came before it has arrived.
      for (const { scene } of [ada, bob])
        scene.add(scene.tree.world.spawn(), `mark${round}-${scene === ada.scene ? "a" : "b"}`);
      for (const session of [ada, bob]) session.flush();
      await until(
        () =>
          ada.scene.find(`mark${round}-b`) !== undefined && bob.scene.find(`mark${round}-a`) !== undefined,
      );
      expect(bob.scene.save()).toBe(ada.scene.save());
      for (const { scene } of [ada, bob]) expect(checkWorld(scene.tree.world)).toEqual([]);
    }
  });

  it("keeps the entity under the pointer when another member moves it", async () => {
    const { url } = await relay();
    const ada = await join(url, "Ada");
    const bob = await join(url, "Bob");
    const rock = ada.scene.entity("rock");
    ada.undo.step("Drag", () => ada.scene.tree.world.add(rock, Health({ hp: 1 })), { key: "drag" });
    bob.scene.tree.attach(bob.scene.entity("rock"), bob.scene.entity("one"));
    bob.flush();
    await until(() => ada.scene.tree.parentOf(rock) === ada.scene.entity("one"));
    ada.undo.step("Drag", () => ada.scene.tree.world.set(rock, Health, { hp: 2 }), { key: "drag" });
    expect(ada.scene.entity("rock")).toBe(rock);
    expect(ada.undo.undoLabels).toEqual(["Drag"]);
  });

  it("lists what was merged against a rule, until it is repaired", async () => {
    const { url } = await relay();
    const ada = await join(url, "Ada");
    const bob = await join(url, "Bob");
    const { tree } = ada.scene;
    constrain(tree, {
      name: "no children below rocks",
      attach: (_, parent) =>
        parent !== null && tree.nameOf(parent) === "rock" ? "rocks are solid" : undefined,
    });
    const made = bob.scene.tree.attachNew(bob.scene.entity("rock"));
    bob.flush();
    await until(() => ada.problems.length > 0);
    expect(ada.problems[0]?.message).toContain("rocks are solid");
    expect(bob.problems).toEqual([]);
    bob.scene.tree.destroy(made);
    bob.flush();
    await until(() => ada.problems.length === 0);
  });

  it("keeps a room longer than the relay where it is saved", async () => {
    const saved = new Map<string, Uint8Array>();
    const store = {
      load: (room: string) => saved.get(room),
      save: (room: string, bytes: Uint8Array) => void saved.set(room, bytes),
    };
    const first = await openRelay(store);
    const ada = await join(first.url, "Ada");
    ada.scene.tree.setName(ada.scene.entity("rock"), "stone");
    const text = ada.scene.save();
    await ada.leave();
    await first.close();
    expect([...saved.keys()]).toEqual(["level"]);
    const { url } = await relay(store);
    const bob = await join(url, "Bob", load(`{ "entities": [] }`));
    expect(bob.scene.save()).toBe(text);
  });
});

describe("a session that ended", () => {
  it("has nothing to undo, and takes no steps", async () => {
    const { url } = await relay();
    const ada = await join(url, "Ada");
    ada.undo.step("Rename", () => ada.scene.tree.setName(ada.scene.entity("rock"), "stone"));
    await ada.leave();
    expect([ada.undo.canUndo, ada.undo.undoLabels, ada.undo.undo(), ada.undo.redo()]).toEqual([
      false,
      [],
      false,
      false,
    ]);
    const step = () =>
      ada.undo.step("Rename", () => ada.scene.tree.setName(ada.scene.entity("rock"), "rock"));
    expect(step).toThrow(expect.objectContaining({ code: "collab/invalid-use" }));
    expect(ada.scene.tree.nameOf(ada.scene.entity("rock"))).toBe("stone");
  });

  it("fails where an instance of a prefab comes that cannot be read by its name, and sends nothing of it", async () => {
    const { url } = await relay();
    const bob = await join(url, "Bob");
    const before = bob.scene.save();
    const unnamed = format.prefab(`{ "entities": [{ "id": "crate", "children": [{ "id": "lid" }] }] }`);
    const refused = expect.objectContaining({ code: "collab/invalid-use", subject: "prefab" });
    const ways: readonly ((session: SharedSession, add: () => void) => Promise<unknown>)[] = [
      async (session, add) => {
        expect(() => session.undo.step("Add", add)).toThrow(refused);
      },
      async (session, add) => {
        add();
        expect(() => session.flush()).toThrow(refused);
      },
      async (session, add) => {
        add();
        expect(() => session.undo.undo()).toThrow(refused);
      },
      async (session, add) => {
        add();
        await until(() => session.failure !== undefined);
      },
    ];
    for (const way of ways) {
      const errors: unknown[] = [];
      const tree = createHierarchy(createWorld({ onError: (error) => errors.push(error) }));
      const ada = await join(url, "Ada", format.load(tree, level, { prefabs }));
      let root: Entity | undefined;
      await way(ada, () => {
        tree.setName(ada.scene.entity("rock"), "stone");
        root = unnamed.instantiate(tree, { parent: ada.scene.entity("rock") }).root;
      });
      expect(ada.failure).toEqual(refused);
      expect(ada.failure?.message).toContain(tree.label(root as Entity));
      expect(ada.status).toBe("offline");
      // It goes on alone.
      expect(tree.childrenOf(ada.scene.entity("rock"))).toEqual([root]);
      expect([ada.undo.canUndo, ada.undo.undo(), ada.undo.redo()]).toEqual([false, false, false]);
      expect(() => ada.undo.step("Rename", () => {})).toThrow("the session has ended");
      ada.flush();
      await ada.leave();
      expect(errors.length).toBeLessThan(2);
      expect(bob.scene.save()).toBe(before);
    }
  });

  it("fails once when a value cannot be written, and can be left then", async () => {
    const errors: unknown[] = [];
    const tree = createHierarchy(createWorld({ onError: (error) => errors.push(error) }));
    const scene = format.load(tree, level, { prefabs });
    const { url } = await relay();
    const broken = {
      write(): never {
        throw new Error("this cannot be written");
      },
      read: () => new Set<Entity>(),
    };
    const ada = await join(url, "Ada", scene, { codecs: { "Party.members": broken as never } });
    const bob = await join(url, "Bob");
    tree.world.add(ada.scene.entity("rock"), Party);
    bob.scene.tree.setName(bob.scene.entity("rock"), "stone");
    bob.flush();
    await until(() => ada.failure !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(errors).toEqual([expect.objectContaining({ message: "this cannot be written" })]);
    expect(ada.status).toBe("offline");
    await until(() => bob.others.length === 0);
    await ada.leave();
  });

  it("is over when its world is disposed, even when other members continue", async () => {
    const { url } = await relay();
    const ada = await join(url, "Ada");
    const bob = await join(url, "Bob");
    ada.scene.tree.world.dispose();
    bob.scene.tree.setName(bob.scene.entity("rock"), "stone");
    bob.flush();
    await until(() => ada.status === "offline" && bob.others.length === 0);
    expect(bob.status).toBe("online");
    await ada.leave();
  });
});

describe("joining", () => {
  it("is refused with a wrong token", async () => {
    const { url } = await relay({ token: "secret" });
    await expect(join(url, "Ada", load(), { token: "wrong" })).rejects.toMatchObject({
      code: "collab/join-refused",
    });
  });

  it("fails when there is no relay", async () => {
    const closed = await openRelay();
    await closed.close();
    const failure = join(closed.url, "Ada", load(), { timeout: 300 });
    await expect(failure).rejects.toMatchObject({ code: "collab/relay-gone", limit: 300 });
  });

  it("fails when something else listens there and never answers", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on("error", () => {})));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    open.push({
      close() {
        for (const socket of sockets) socket.destroy();
        silent.close();
      },
    });
    const { port } = silent.address() as AddressInfo;
    const failure = join(`ws://127.0.0.1:${port}`, "Ada", load(), { timeout: 200 });
    await expect(failure).rejects.toMatchObject({ code: "collab/relay-gone" });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it("is refused with an instance of a prefab that cannot be read by its name, and begins no room", async () => {
    const { url } = await relay();
    const scene = load();
    const before = scene.save();
    const joined = joinScene(scene, { format, url, room: "level", user: { name: "Ada" } });
    await expect(joined).rejects.toMatchObject({
      code: "collab/invalid-use",
      subject: "tank",
      entities: [scene.entity("one")],
    });
    expect(scene.save()).toBe(before);
    const bob = await join(url, "Bob", load(`{ "entities": [{ "id": "mine" }] }`));
    expect([bob.isBeginner, bob.scene.find("mine") !== undefined]).toEqual([true, true]);
    const ada = await join(url, "Ada", scene);
    expect(ada.scene.save()).toBe(bob.scene.save());
  });

  it("is refused to another version, and to other components, and changes nothing", async () => {
    const { url } = await relay();
    await join(url, "Ada");
    const attempt = (other: ReturnType<typeof createSceneFormat>) => {
      const scene = other.load(createHierarchy(createWorld()), `{ "entities": [{ "id": "mine" }] }`);
      const joined = joinScene(scene, { format: other, url, room: "level", user: { name: "Eve" } });
      return joined.then(
        () => undefined,
        (error) => ({ error, text: scene.toFile().entities }),
      );
    };
    const newer = await attempt(createSceneFormat({ components, version: 2, migrations: { 1: () => {} } }));
    expect(newer?.error).toMatchObject({ code: "collab/version-mismatch", here: 2, there: 1 });
    expect(newer?.text).toEqual([{ id: "mine" }]);
    const fewer = await attempt(createSceneFormat({ components: components.slice(1) }));
    expect(fewer?.error).toMatchObject({ code: "collab/unknown-component", components: ["Health"] });
    for (const changed of [
      component("Health", { hp: f32(100) }),
      // Values that are the default are not in the document.
      component("Health", { hp: f32(50), name: string("") }),
    ]) {
      const other = await attempt(createSceneFormat({ components: [changed, ...components.slice(1)] }));
      expect(other?.error).toMatchObject({ code: "collab/version-mismatch", components: ["Health"] });
    }
  });

  it("is refused with invalid options", async () => {
    const scene = load();
    const wrong = (options: object) =>
      joinScene(scene, { format, url: "ws://x", room: "a", user: { name: "A" }, ...options });
    await expect(wrong({ url: "http://x" })).rejects.toMatchObject({
      code: "collab/invalid-use",
      option: "url",
    });
    await expect(wrong({ room: "" })).rejects.toMatchObject({ option: "room" });
    await expect(wrong({ user: {} })).rejects.toMatchObject({ option: "user" });
    const tree = createHierarchy(createWorld());
    const below = format.load(tree, `{ "entities": [{ "id": "a" }] }`, {
      parent: tree.attachNew(null) as Entity,
    });
    const joined = joinScene(below, { format, url: "ws://x", room: "a", user: { name: "A" } });
    await expect(joined).rejects.toMatchObject({ option: "scene" });
  });

  it("needs a message that the relay understands", async () => {
    const { url } = await relay();
    const socket = new NodeWebSocket(url);
    const code = await new Promise((resolve) => {
      socket.on("open", () => socket.send(new Uint8Array([1, 2, 3])));
      socket.on("close", resolve);
    });
    expect(code).toBe(1002);
  });
});
