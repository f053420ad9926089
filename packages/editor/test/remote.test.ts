import type { AddressInfo } from "node:net";
import { component, createWorld, f32 } from "espalier";
import { createHierarchy, printTree } from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { setField } from "../src/commands/components/set-field.ts";
import { toggleLock } from "../src/commands/state/toggle-lock.ts";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { moveEntities } from "../src/commands/tree/move-entities.ts";
import { broadcastChannel, type Channel, type SocketLike, socketChannel } from "../src/devtool/channel.ts";
import { openLiveDocument } from "../src/devtool/live-document.ts";
import { shareWorld } from "../src/devtool/share-world.ts";
import { watchWorld } from "../src/devtool/watch-world.ts";
import { createEditorFormat } from "../src/document/format.ts";

const Health = component("Health", { hp: f32(100) });
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

function game() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const tank = world.spawn(space.at(1, 2), Health);
  const turret = tree.attachNew(tank, space.at(0, 5));
  tree.setName(tank, "tank");
  tree.setName(turret, "turret");
  const rock = world.spawn(space.at(9, 9));
  tree.setName(rock, "rock");
  return { world, tree, space, tank, turret, rock };
}

async function connect(ours: Channel, theirs: Channel) {
  const there = game();
  ends.push(
    shareWorld(theirs, { ...there, rate: 50 }),
    () => ours.close(),
    () => theirs.close(),
  );
  const problems: string[] = [];
  const watched = await watchWorld(ours, { onProblem: (message) => problems.push(message) });
  ends.push(() => watched.close());
  const { document } = watched;
  const until = (test: () => boolean) =>
    vi.waitFor(() => expect(test()).toBe(true), { timeout: 5000, interval: 10 });
  await until(() => document.world.count === 3);
  return { there, document, problems, until };
}

describe("a world elsewhere", () => {
  it("is followed: values, structure and names, with the same handles", async () => {
    const { there, document, until } = await connect(
      broadcastChannel("espalier-a"),
      broadcastChannel("espalier-a"),
    );
    expect(printTree(document.tree)).toBe(printTree(there.tree));
    there.world.set(there.tank, Health, { hp: 5 });
    there.tree.attach(there.rock, there.turret);
    there.tree.setName(there.rock, "pebble");
    await until(() => printTree(document.tree) === printTree(there.tree));
    expect(document.world.get(there.tank, document.format.component("Health") as typeof Health)?.hp).toBe(5);
    there.tree.destroy(there.tank);
    await until(() => document.world.count === 0);
  });

  it("takes edits: fields, moves, new and deleted entities", async () => {
    const { there, document, until, problems } = await connect(
      broadcastChannel("espalier-b"),
      broadcastChannel("espalier-b"),
    );
    setField(document, [there.tank], document.format.component("Health") as typeof Health, "hp", 42);
    await until(() => there.world.get(there.tank, Health)?.hp === 42);
    moveEntities(document, [there.rock], { parent: there.turret });
    await until(() => there.tree.parentOf(there.rock) === there.turret);
    expect(there.space.worldPosition(there.rock)).toEqual({ x: 9, y: 9 });
    createEntity(document, { parent: there.tank, name: "flag" });
    await until(() => there.tree.find("/tank/flag") !== null);
    deleteEntities(document, [there.turret]);
    await until(() => there.world.count === 2);
    expect(problems).toEqual([]);
  });

  it("is reached over a WebSocket, from another process as well", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    ends.push(() => server.close());
    await new Promise<void>((resolve) => server.once("listening", resolve));
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [theirs] = await Promise.all([
      new Promise<SocketLike>((resolve) =>
        server.once("connection", (socket) => resolve(socket as unknown as SocketLike)),
      ),
      new Promise<void>((resolve) => client.once("open", resolve)),
    ]);
    const { there, document, until } = await connect(
      socketChannel(client as unknown as SocketLike),
      socketChannel(theirs),
    );
    there.world.set(there.tank, Health, { hp: 7 });
    await until(
      () => document.world.get(there.tank, document.format.component("Health") as typeof Health)?.hp === 7,
    );
  });

  it("costs nothing without watchers", async () => {
    const there = game();
    const channel = broadcastChannel("espalier-c");
    const sent = vi.spyOn(channel, "send");
    ends.push(shareWorld(channel, { ...there, rate: 100 }), () => channel.close());
    await new Promise((done) => setTimeout(done, 100));
    expect(sent).not.toHaveBeenCalled();
  });

  it("is shown even when a scene was loaded into it and an editor locked something there", async () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const scene = createEditorFormat([Health]).load(
      tree,
      `{ "entities": [{ "id": "tank", "name": "tank" }] }`,
    );
    // As a mounted editor does it.
    toggleLock(openLiveDocument({ world, tree }), [scene.entity("tank")]);
    const [ours, theirs] = [broadcastChannel("espalier-d"), broadcastChannel("espalier-d")];
    ends.push(
      shareWorld(theirs, { world, tree, rate: 50 }),
      () => ours.close(),
      () => theirs.close(),
    );
    const problems: string[] = [];
    const watched = await watchWorld(ours, { onProblem: (message) => problems.push(message) });
    ends.push(() => watched.close());
    await vi.waitFor(() => expect(printTree(watched.document.tree)).toBe(printTree(tree)), { timeout: 5000 });
    expect(problems).toEqual([]);
    expect(watched.pausable).toBeUndefined();
  });

  it("is paused, stepped and resumed from here, and says when it is paused there", async () => {
    const there = game();
    const pausable = {
      isPaused: false,
      steps: 0,
      pause() {
        this.isPaused = true;
      },
      resume() {
        this.isPaused = false;
      },
      step() {
        this.steps++;
      },
    };
    const [ours, theirs] = [broadcastChannel("espalier-e"), broadcastChannel("espalier-e")];
    ends.push(
      shareWorld(theirs, { ...there, rate: 50, pausable }),
      () => ours.close(),
      () => theirs.close(),
    );
    const watched = await watchWorld(ours);
    ends.push(() => watched.close());
    const until = (test: () => boolean) =>
      vi.waitFor(() => expect(test()).toBe(true), { timeout: 5000, interval: 10 });
    const here = watched.pausable!;
    here.pause();
    await until(() => pausable.isPaused && here.isPaused);
    here.step();
    await until(() => pausable.steps === 1);
    here.resume();
    await until(() => !pausable.isPaused && !here.isPaused);
    pausable.pause();
    await until(() => here.isPaused);
  });

  it("is reported as absent, there, and gone; another game on the channel is reported too", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      const listeners = [new Set<(message: ArrayBuffer | string) => void>(), new Set<never>()] as Set<
        (message: ArrayBuffer | string) => void
      >[];
      const end = (own: number): Channel => ({
        send: (message) => {
          for (const listener of [...listeners[1 - own]!]) listener(message);
        },
        listen: (listener) => {
          listeners[own]!.add(listener);
          return () => listeners[own]!.delete(listener);
        },
        close: () => {},
      });
      const status: string[] = [];
      const watching = watchWorld(end(0), {
        onStatus: (next) => status.push(next),
        onOtherGame: () => status.push("other"),
      });
      await vi.advanceTimersByTimeAsync(6000);
      expect(status).toEqual(["absent"]);
      const stop = shareWorld(end(1), game());
      await vi.advanceTimersByTimeAsync(3000);
      const watched = await watching;
      ends.push(() => watched.close());
      expect(status).toEqual(["absent", "there"]);
      // It says good-bye; a process that is killed says nothing, and is missed.
      stop();
      expect(status).toEqual(["absent", "there", "gone"]);
      const again = shareWorld(end(1), game());
      await vi.advanceTimersByTimeAsync(3000);
      expect(status.slice(3)).toContain("other");
      listeners[1]!.clear();
      again();
      status.length = 0;
      await vi.advanceTimersByTimeAsync(3000);
    } finally {
      vi.useRealTimers();
    }
  });
});
