import { component, f32, object, string } from "espalier";
import { createGame } from "espalier/game";
import {
  answerCalls,
  channelPair,
  createRemote,
  InvalidRemoteError,
  loopbackChannel,
  RemoteCallError,
  remoteCalls,
} from "espalier/game/remote";
import type { Json } from "espalier/scene";
import { afterEach, describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(10), title: string("") });

function running(options: Parameters<typeof answerCalls>[2] = {}) {
  const game = createGame({ components: [Health], frames: { request: () => 1, cancel: () => {} } });
  const tank = game.spawn(game.space.at(3, 4), Health({ hp: 7 }));
  tank.name = "tank";
  const gun = tank.spawn(game.space.at(1, 0));
  gun.name = "gun";
  const [near, far] = channelPair();
  const stop = answerCalls(game, near, options);
  const remote = createRemote(far, { timeout: 200 });
  const call = async (name: string, given: { [key: string]: Json } = {}) =>
    (await remote.call(name, given)) as { [key: string]: Json };
  ends.push(() => {
    stop();
    remote.close();
    game.stop();
  });
  return { game, tank, gun, call, remote, near, far, stop };
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe("a running game", () => {
  it("is paused, stepped and resumed", async () => {
    const { game, call } = running();
    expect(await call("pause")).toMatchObject({ isPaused: true, tick: 0, entities: 2 });
    game.advance(1);
    expect(await call("step", { count: 5 })).toMatchObject({ tick: 5, isPaused: true });
    expect(await call("resume")).toMatchObject({ isPaused: false });
    expect(await call("state")).toMatchObject({ tick: 5, stepSeconds: 1 / 60 });
  });

  it("takes input in at the next step, even while it is paused", async () => {
    const { game, call } = running();
    const seen: boolean[] = [];
    game.system("look", () => seen.push(game.input.isButtonDown("KeyD")));
    await call("pause");
    await call("input", { events: [{ type: "key", code: "KeyD", down: true }] });
    await call("step");
    await call("input", { events: [{ type: "key", code: "KeyD", down: false }] });
    await call("step");
    expect(seen).toEqual([true, false]);
  });

  it("finds entities by path, name and component", async () => {
    const { tank, gun, call } = running();
    const entities = async (given: { [key: string]: Json }) =>
      ((await call("find", given)).entities as { id: number }[]).map(({ id }) => id);
    expect(await entities({ path: "/tank/*" })).toEqual([gun.id]);
    expect(await entities({ name: "tank" })).toEqual([tank.id]);
    expect(await entities({ component: "Health" })).toEqual([tank.id]);
    expect(await entities({ component: "Health", path: "/tank/*" })).toEqual([]);
    expect(await call("find", { limit: 1 })).toMatchObject({ count: 2, entities: [{ path: "/tank" }] });
  });

  it("shows the values of an entity and takes new ones", async () => {
    const { game, tank, gun, call } = running();
    expect(await call("read", { entity: "/tank" })).toMatchObject({
      id: tank.id,
      name: "tank",
      parent: null,
      children: [{ id: gun.id, path: "/tank/gun" }],
      components: { Health: { hp: 7 }, Transform2D: { x: 3, y: 4 } },
      isVisible: true,
    });
    expect((await call("read", { entity: gun.id })).world).toMatchObject({ x: 4, y: 4 });
    expect(
      await call("write", { entity: "/tank", values: { Health: { hp: 2 }, Transform2D: { x: 9 } } }),
    ).toMatchObject({ components: { Health: { hp: 2 }, Transform2D: { x: 9, y: 4 } } });
    expect(game.world.get(tank.id, Health)).toEqual({ hp: 2, title: "" });
  });

  it("cuts long values short instead of sending all of them", async () => {
    const Field = component("Field", {
      cells: object<number[]>(() => []),
      byName: object<object>(() => ({})),
    });
    const { game, tank, call } = running();
    const byName = Object.fromEntries(Array.from({ length: 20_000 }, (_, k) => [`k${k}`, k]));
    game.world.add(tank.id, Field({ cells: new Array(1_000_000).fill(1), byName }));
    const { components } = (await call("read", { entity: "/tank" })) as never as {
      components: { Field: { cells: Json[]; byName: { [key: string]: Json } } };
    };
    const { cells } = components.Field;
    expect(cells.length).toBeLessThan(10_001);
    expect([cells[0], cells.at(-1)]).toEqual([1, "…"]);
    expect(JSON.stringify(components).length).toBeLessThan(100_000);
  });

  it("refuses a path that several entities have, and takes the number of one", async () => {
    const { game, tank, call } = running();
    const other = game.spawn(Health({ hp: 1 }));
    other.name = "tank";
    await expect(call("write", { entity: "/tank", values: { Health: { hp: 0 } } })).rejects.toThrow(
      '2 entities have the path "/tank"',
    );
    await call("write", { entity: other.id, values: { Health: { hp: 2 } } });
    expect([game.world.get(tank.id, Health)?.hp, game.world.get(other.id, Health)?.hp]).toEqual([7, 2]);
  });

  it("writes all values or none", async () => {
    const { game, tank, call } = running();
    const wrong = [
      { Health: { hp: 1 }, Transform2D: { x: "wide" } },
      { Health: { hp: 1, mana: 2 } },
      { Health: { hp: 1 }, Helth: {} },
      { Health: 3 },
      { Health: { hp: 1 }, Name: {} },
    ];
    for (const values of wrong as { [key: string]: Json }[]) {
      await expect(call("write", { entity: "/tank", values })).rejects.toThrow(RemoteCallError);
      expect(game.world.get(tank.id, Health)).toEqual({ hp: 7, title: "" });
    }
  });

  it("lists structural events from the first request on", async () => {
    const { game, tank, gun, call } = running();
    expect(await call("events")).toMatchObject({ isRecording: false, events: [] });
    const shell = game.spawn();
    shell.name = "shell";
    shell.parent = tank;
    gun.parent = null;
    gun.destroy();
    const { events, next, missed } = await call("events");
    expect(events).toMatchObject([
      { kind: "spawned", id: shell.id, name: "shell" },
      { kind: "attached", id: shell.id, parent: tank.id },
      { kind: "detached", name: "gun" },
      { kind: "destroyed", name: "gun" },
    ]);
    expect(missed).toBe(0);
    expect(await call("events", { since: next as number })).toMatchObject({ events: [], next });
    // Nothing is passed over by asking for none.
    expect(await call("events", { since: 0, limit: 0 })).toMatchObject({ events: [], next: 0 });
    expect(await call("events", { since: 10_000 })).toMatchObject({ events: [], next });
    for (let k = 0; k < 1500; k++) game.spawn();
    expect(await call("events", { since: next as number, limit: 10 })).toMatchObject({ missed: 500 });
  });

  it("reports in which tick an entity was attached or moved, also later", async () => {
    const { game, tank, gun, call } = running();
    await call("events");
    game.step(2);
    const { tick } = game;
    gun.parent = game.spawn();
    game.step(3);
    gun.parent = tank;
    game.step();
    const { events } = await call("events");
    expect(events).toMatchObject([
      { kind: "spawned", tick },
      { kind: "moved", tick, id: gun.id },
      { kind: "moved", tick: tick + 3, id: gun.id, parent: tank.id },
    ]);
  });

  it("measures systems from the first request on", async () => {
    const { game, call } = running();
    game.system("think", () => {});
    expect(await call("timings")).toMatchObject({ isMeasuring: false });
    game.step(3);
    const { systems } = await call("timings");
    expect(systems).toContainEqual(expect.objectContaining({ name: "think", calls: 3 }));
  });

  it("gives a picture that the game draws itself, and refuses without one", async () => {
    const bytes = running({ screenshot: async () => new Uint8Array([1, 2, 3]) });
    expect(await bytes.call("screenshot")).toMatchObject({ png: "AQID", tick: 0 });
    const text = running({ screenshot: () => "data:image/png;base64,AQID" });
    expect(await text.call("screenshot")).toMatchObject({ png: "AQID" });
    await expect(running().call("screenshot")).rejects.toThrow(/no canvas in a page/);
  });

  it("refuses what is not a call, with the nearest names, and nothing changes", async () => {
    const { game, call } = running();
    game.start();
    const refused = async (name: string, given: { [key: string]: Json }, why: RegExp) =>
      expect(call(name, given)).rejects.toThrow(why);
    await refused("steps", {}, /no call "steps"\. Did you mean "step"\? \[/);
    await refused("step", {}, /running by itself\. Pause it first\. \[/);
    await refused("step", { count: -1 }, /count is not an integer of at least 0/);
    await refused("step", { count: 1, code: "alert(1)" }, /step has no parameter "code"\. It has count/);
    await refused("read", {}, /entity is missing/);
    await refused("read", { entity: "/tnak" }, /Did you mean "\/tank"/);
    await refused("read", { entity: 99_999 }, /no entity 99999/);
    await refused("read", { entity: "//" }, /./);
    await refused("write", { entity: "/tank", values: [] }, /values is not an object/);
    await refused("find", { component: "Helth" }, /Did you mean "Health"/);
    await refused("input", { events: [{ type: "eval", code: "1" }] }, /cannot feed/);
    await refused("input", { events: ["KeyD"] }, /array of objects/);
    game.pause();
    await refused("step", { count: 10_001 }, /at most 10000/);
    expect(game.tick).toBe(0);
  });

  it("returns the code of its own errors", async () => {
    const { game, call } = running();
    game.stop();
    await expect(call("pause")).rejects.toMatchObject({
      code: "game/remote-call",
      call: "pause",
      reason: "game/stopped",
    });
  });

  it("answers only what changes nothing when it is read-only", async () => {
    const { game, call } = running({ readOnly: true });
    for (const { name, isReadOnly } of remoteCalls()) {
      if (isReadOnly) continue;
      const given = { step: {}, input: { events: [] }, write: { entity: "/tank", values: {} } }[name] ?? {};
      await expect(call(name, given), name).rejects.toThrow(/change nothing/);
    }
    expect(game.isPaused).toBe(false);
    expect(await call("state")).toMatchObject({ tick: 0 });
  });

  it("ignores messages of others, and answers nothing after its end", async () => {
    const { far, near, stop, call } = running();
    const said: unknown[] = [];
    far.listen((message) => said.push(message));
    for (const message of ["", "{", "null", '{"type":"watch"}', '{"type":"ask"}', '{"type":"ask","id":1}'])
      far.send(message);
    near.listen(() => {});
    expect(said).toEqual([]);
    far.send('{"type":"ask","id":"x","call":"state","given":3}');
    expect(said).toHaveLength(1);
    stop();
    await expect(call("state")).rejects.toThrow(/did not answer within 200 ms/);
  });

  it("fails calls that wait when the connection is closed", async () => {
    const { remote, stop } = running();
    stop();
    const waiting = remote.call("state");
    remote.close();
    await expect(waiting).rejects.toThrow(/connection was closed/);
  });
});

describe("the address of a program that a game connects to", () => {
  it.each([
    "http://127.0.0.1:4100/game",
    "http://example.com/game#token",
    "https://127.0.0.1/game#token",
    "http://127.0.0.1.example.com/game#token",
    "ws://127.0.0.1/game#token",
    "here",
    "",
  ])("%s is refused: not of this machine, or without a token", (address) => {
    expect(() => loopbackChannel(address)).toThrow(InvalidRemoteError);
  });
});
