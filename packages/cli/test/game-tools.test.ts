import { request } from "node:http";
import { createCanvas } from "@napi-rs/canvas";
import { component, f32 } from "espalier";
import { createCanvasRenderer } from "espalier/canvas";
import { createGame } from "espalier/game";
import { answerCalls, loopbackChannel, remoteCalls } from "espalier/game/remote";
import { rect } from "espalier/render";
import { PNG } from "pngjs";
import { afterEach, describe, expect, it } from "vitest";
import { type GameLink, openGameLink } from "../src/mcp/game-link.ts";
import { runIn, tempFolder } from "./folder.ts";
import { connect } from "./mcp-client.ts";

const Health = component("Health", { hp: f32(10) });
const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function link(): Promise<GameLink> {
  const made = await openGameLink(0);
  ends.push(() => made.close());
  return made;
}

/** A game in this process that draws on a canvas of Node and is connected through its port. */
async function connected(address: string) {
  const canvas = createCanvas(40, 30);
  const game = createGame({
    components: [Health],
    renderer: ({ space }) =>
      createCanvasRenderer(space, { context: canvas.getContext("2d") as never, width: 40, height: 30 }),
  });
  const tank = game.spawn(game.space.at(0, 0), Health({ hp: 7 }), rect(400, 400, { fill: 0xff0000 }));
  tank.name = "tank";
  game.system("drive", () => {
    if (game.input.isButtonDown("KeyD")) tank.x += 1;
  });
  let isThere: () => void = () => {};
  const there = new Promise<void>((done) => {
    isThere = done;
  });
  const channel = loopbackChannel(address, { onStatus: (isConnected) => isConnected && isThere() });
  const stop = answerCalls(game, channel, {
    screenshot: () => {
      game.renderer.render(game.alpha);
      return canvas.toBuffer("image/png");
    },
  });
  ends.push(() => {
    stop();
    channel.close();
    game.stop();
  });
  // The first answer comes with the first message, or after a while without one.
  return { game, tank, there };
}

describe("an agent and a running game in Node", () => {
  it("pauses, steps, plays, reads, writes, looks at events, timings and a picture", async () => {
    const door = await link();
    const { game, tank } = await connected(door.address);
    const { call, pictures, client } = await connect(tempFolder().dir, { gameLink: door });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["game", ...remoteCalls().map(({ name }) => `game-${name}`)]),
    );
    while (!door.isConnected) await new Promise((done) => setTimeout(done, 5));
    expect(await call("game")).toMatchObject({ isConnected: true, address: door.address });
    expect(await call("game-pause")).toMatchObject({ isPaused: true });
    expect(await call("game-events")).toMatchObject({ isRecording: false });
    await call("game-timings");
    await call("game-input", { events: [{ type: "key", code: "KeyD", down: true }] });
    expect(await call("game-step", { count: 5 })).toMatchObject({ tick: 5 });
    expect(await call("game-read", { entity: "/tank" })).toMatchObject({
      components: { Health: { hp: 7 }, Transform2D: { x: 5 } },
    });
    await call("game-write", { entity: tank.id, values: { Health: { hp: 1 } } });
    expect(game.world.get(tank.id, Health)).toEqual({ hp: 1 });
    game.spawn();
    expect((await call("game-events")).events).toMatchObject([{ kind: "spawned" }]);
    expect((await call("game-timings")).systems).toContainEqual(
      expect.objectContaining({ name: "drive", calls: 5 }),
    );
    expect(await call("game-screenshot")).toMatchObject({ tick: 5 });
    const { width, height, data } = PNG.sync.read(pictures.at(-1) as Buffer);
    expect([width, height, data.subarray(0, 4).toString("hex")]).toEqual([40, 30, "ff0000ff"]);
    expect(await call("game-find", { component: "Helth" })).toMatchObject({
      error: expect.stringContaining('Did you mean "Health"?'),
      code: "game/remote-call",
    });
    game.stop();
    expect(await call("game-resume")).toMatchObject({ code: "game/stopped" });
  });

  it("says how to connect while no game is there, and offers nothing without a door", async () => {
    const door = await link();
    const { call } = await connect(tempFolder().dir, { gameLink: door });
    expect(await call("game-state")).toMatchObject({ error: expect.stringContaining(door.address) });
    const { client } = await connect(tempFolder().dir);
    const { tools } = await client.listTools();
    expect(tools.filter(({ name }) => name.startsWith("game"))).toEqual([]);
  });

  it("offers only read-only tools when it is read-only", async () => {
    const { client } = await connect(tempFolder().dir, { gameLink: await link(), readOnly: true });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).filter((name) => name.startsWith("game"));
    expect(names).toEqual([
      "game",
      "game-state",
      "game-find",
      "game-read",
      "game-events",
      "game-timings",
      "game-screenshot",
    ]);
  });

  it("calls the game that connected last", async () => {
    const door = await link();
    const first = await connected(door.address);
    while (!door.isConnected) await new Promise((done) => setTimeout(done, 5));
    const { call } = await connect(tempFolder().dir, { gameLink: door });
    await call("game-pause");
    expect(first.game.isPaused).toBe(true);
    const second = await connected(door.address);
    await new Promise((done) => setTimeout(done, 100));
    await call("game-pause");
    expect(second.game.isPaused).toBe(true);
    for (let k = 0; k < 20; k++) await call("game-step");
    expect([first.game.tick, second.game.tick]).toEqual([0, 20]);
  });
});

describe("the door for a running game", () => {
  /** What the door answers to a request of a program that is not the game. */
  async function status(address: string, options: { [name: string]: unknown } = {}): Promise<number> {
    const { port, pathname, hash } = new URL(address);
    const {
      headers = {},
      method = "POST",
      path = pathname,
    } = options as {
      headers?: { [name: string]: string };
      method?: string;
      path?: string;
    };
    return new Promise((done, failed) => {
      const asked = request(
        {
          host: "127.0.0.1",
          port,
          path,
          method,
          headers: { authorization: `Bearer ${hash.slice(1)}`, ...headers },
        },
        (response) => {
          response.resume();
          done(response.statusCode ?? 0);
        },
      );
      asked.on("error", failed);
      asked.end(method === "GET" ? undefined : "[]");
    });
  }

  it("is closed to other hosts, pages of the web, wrong tokens, paths and methods", async () => {
    const { address } = await link();
    expect(await status(address)).toBe(204);
    expect(await status(address, { headers: { origin: "http://localhost:5173" } })).toBe(204);
    expect(await status(address, { headers: { origin: "https://example.com" } })).toBe(403);
    expect(await status(address, { headers: { origin: "http://localhost.example.com" } })).toBe(403);
    expect(await status(address, { headers: { host: "example.com" } })).toBe(403);
    expect(await status(address, { headers: { authorization: "Bearer no" } })).toBe(401);
    expect(await status(address, { headers: { authorization: "" } })).toBe(401);
    expect(await status(address, { path: "/other" })).toBe(404);
    expect(await status(address, { method: "DELETE" })).toBe(405);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/game#[\w-]{32}$/);
  });

  it("answers an earlier game with 409 while a later one is there, so that they do not take turns", async () => {
    const { address } = await link();
    const ask = (session: string) => status(address, { method: "GET", path: `/game?session=${session}` });
    const first = ask("a");
    await new Promise((done) => setTimeout(done, 50));
    const second = ask("b");
    expect(await first).toBe(200);
    expect(await ask("a")).toBe(409);
    expect(await status(address, { path: "/game?session=a" })).toBe(204);
    const third = ask("c");
    expect(await second).toBe(200);
    void third.catch(() => {});
  });

  it("refuses a port that is invalid", async () => {
    const { status: code, stderr } = await runIn(tempFolder().dir, "mcp", "--game", "99999999");
    expect(code).toBe(2);
    expect(stderr).toContain("a port is a number");
  });
});
